/** Interim results of a run that ends as soon as all claims are decided. Shown only while the run is active. */
import { EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import { INACTIVE_STATES, type RunDocument } from '../../../common/experiment/run';
import { i18n } from '../../i18n';
import { Claims } from '../../ui/claims';
import { Part } from '../../ui/page';

export function LastLook({ run }: { run: RunDocument }): ReactNode {
  const { look } = run.progress;
  // Nothing is shown after the run has ended, because the verdict then contains the results.
  if (look === undefined || INACTIVE_STATES.includes(run.run.state)) return null;
  return (
    <>
      <EuiSpacer size="l" />
      <Part
        title={i18n.translate('dyno.look.title', {
          defaultMessage: 'Claims after {repetitions, plural, one {# repetition} other {# repetitions}}',
          values: { repetitions: look.repetitions },
        })}
        note={i18n.translate('dyno.look.note', {
          defaultMessage:
            'Cells that no undecided claim needs have stopped. The intervals are widened for the number of checks.',
        })}
      >
        <Claims claims={look.claims} />
      </Part>
    </>
  );
}
