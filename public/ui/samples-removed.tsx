/** Text that replaces the charts over time if the samples of the run have been removed, because they were older than the retention time. */
import { EuiCallOut } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { RemovedSamples } from '../../common/experiment/run';
import { i18n } from '../i18n';
import { Time } from './time';

export function SamplesRemoved({ samples: { removed, keep } }: { samples: RemovedSamples }): ReactNode {
  return (
    <EuiCallOut
      size="s"
      iconType="clock"
      data-test-subj="dynoSamplesRemoved"
      title={i18n.translate('dyno.samples.removed', {
        defaultMessage: 'The samples of this run were removed, so there are no charts over time',
      })}
    >
      <p>
        <Time iso={removed} />
        {': '}
        {i18n.translate('dyno.samples.removedText', {
          defaultMessage: 'samples are kept for {keep}. The results of the trials stay.',
          values: { keep },
        })}
      </p>
    </EuiCallOut>
  );
}
