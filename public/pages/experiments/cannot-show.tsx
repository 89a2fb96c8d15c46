/**
 * A warning before a run: lists the differences that the experiment cannot measure on its target, for example because replicas need more
 * nodes. Also says what would help.
 */
import { EuiCallOut, EuiSpacer, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { CannotShow } from '../../../common/analysis/cannot-show';
import { i18n } from '../../i18n';
import { sentenceCase } from '../../../common/units/format';

/** Shows the warning, or nothing if the target is sufficient for the experiment. */
export function CannotShowCallout({ found }: { found: readonly CannotShow[] }): ReactNode {
  if (found.length === 0) return null;
  return (
    <>
      <EuiSpacer size="m" />
      <EuiCallOut
        announceOnMount={false}
        size="s"
        color="warning"
        iconType="warning"
        title={i18n.translate('dyno.experiments.cannotShow.title', {
          defaultMessage: 'This run cannot show everything',
        })}
      >
        <EuiText size="s">
          <ul>
            {found.map(({ what, help }) => (
              <li key={what}>
                {sentenceCase(what)}.{' '}
                <strong>
                  {i18n.translate('dyno.experiments.cannotShow.help', { defaultMessage: 'What helps:' })}
                </strong>{' '}
                {help}.
              </li>
            ))}
          </ul>
        </EuiText>
      </EuiCallOut>
    </>
  );
}
