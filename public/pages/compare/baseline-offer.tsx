/** If the first compared run belongs to an experiment with a baseline run, offers to add the baseline run to the comparison. */
import { EuiButtonEmpty, EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { MOST_LISTED } from './run-picker';

interface BaselineOfferProps {
  runs: readonly string[];
  onBaseline: (run: string) => void;
}

export function BaselineOffer({ runs, onBaseline }: BaselineOfferProps): ReactNode {
  const [first] = runs;
  const known = useApi('listRuns', { query: { limit: MOST_LISTED } }, { enabled: first !== undefined });
  const experiment = known.data?.runs.find(({ id }) => id === first)?.experiment.id;
  const { data } = useApi(
    'getBaseline',
    { params: { id: experiment ?? '' } },
    { enabled: experiment !== undefined },
  );
  const baseline = data?.baseline;
  if (!baseline || baseline.run === null || runs.includes(baseline.run)) return null;
  const { label, run } = baseline;
  return (
    <>
      <EuiSpacer size="s" />
      <EuiButtonEmpty size="s" iconType="plusCircle" onClick={() => onBaseline(run)}>
        {label === `run ${run}`
          ? i18n.translate('dyno.compare.addBaseline', {
              defaultMessage: 'Compare with the baseline, {label}',
              values: { label },
            })
          : i18n.translate('dyno.compare.addBaselineRun', {
              defaultMessage: 'Compare with the newest run of the baseline, {label}: {run}',
              values: { label, run },
            })}
      </EuiButtonEmpty>
    </>
  );
}
