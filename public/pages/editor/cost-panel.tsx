/**
 * Estimated time, documents and disk space of the experiment. If the experiment repeats a published benchmark, also shows the published
 * results.
 */
import { EuiFlexGroup, EuiFlexItem, EuiIconTip, EuiPanel, EuiStat, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { trialsPlanned } from '../../../common/analysis/trials-needed';
import { cannotShow } from '../../../common/analysis/cannot-show';
import { percentilesOutOfReach } from '../../../common/analysis/percentile-needs';
import type { Cost } from '../../../common/experiment/cost';
import { noiseIn } from '../../../common/report/model/variance';
import { formatBytes, formatDuration, formatNumber } from '../../../common/units/format';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import type { Checked } from './model';
import { CannotShowCallout } from '../experiments/cannot-show';
import { useKnownTarget } from '../experiments/use-known-target';
import { PublishedFigures } from './published-figures';

interface Figure {
  value: string;
  label: string;
  tip?: string;
}

function figuresOf({ cells, trials, isMost, ms, documents, diskBytes, assumption, plan }: Cost): Figure[] {
  const assumed =
    assumption === ''
      ? undefined
      : i18n.translate('dyno.editor.cost.assumed', {
          defaultMessage: 'Assumed: {assumption}.',
          values: { assumption },
        });
  return [
    {
      value: `${cells} × ${trials} = ${formatNumber(plan.trials.length)}`,
      label: isMost
        ? i18n.translate('dyno.editor.cost.trialsAtMost', { defaultMessage: 'cells × trials, at most' })
        : i18n.translate('dyno.editor.cost.trials', { defaultMessage: 'cells × trials' }),
    },
    {
      value: formatDuration(ms),
      label: isMost
        ? i18n.translate('dyno.editor.cost.timeAtMost', { defaultMessage: 'time, at most' })
        : i18n.translate('dyno.editor.cost.time', { defaultMessage: 'time, about' }),
    },
    {
      value: formatNumber(documents),
      label: i18n.translate('dyno.editor.cost.documents', { defaultMessage: 'documents in all' }),
      tip: assumed,
    },
    {
      value: formatBytes(diskBytes),
      label: i18n.translate('dyno.editor.cost.disk', { defaultMessage: 'disk, at most' }),
      tip: i18n.translate('dyno.editor.cost.diskTip', {
        defaultMessage:
          'The largest index of a trial with all its copies, before Elasticsearch compresses it. Dyno deletes the index after the trial. {assumed}',
        values: { assumed: assumed ?? '' },
      }),
    },
  ];
}

/**
 * Returns how much the throughput of single trials varied in the experiment's last completed run (coefficient of variation). The number of
 * trials is estimated from it. Null if unknown.
 */
function usePastNoise(experiment: string | null): number | null {
  const runs = useApi(
    'listRuns',
    { query: { experiment: experiment ?? '', state: 'completed', limit: 1 } },
    { enabled: experiment !== null },
  );
  const last = runs.data?.runs[0]?.id;
  const report = useApi('getReport', { params: { id: last ?? '' } }, { enabled: last !== undefined });
  return report.data === undefined ? null : noiseIn(report.data.variance);
}

interface CostPanelProps {
  checked: Checked;
  preset: unknown;
  /** Id of the cluster under test. */
  target: string;
  /** Id of the experiment; null for a new one. The number of needed trials is estimated from its last run. */
  experiment: string | null;
}

export function CostPanel({ checked, preset, target, experiment }: CostPanelProps): ReactNode {
  const noise = usePastNoise(experiment);
  const known = useKnownTarget(target);
  const { cost, definition } = checked;
  const power =
    cost === null || definition === null
      ? ''
      : trialsPlanned({ trials: cost.trials, cells: cost.cells, margin: definition.margin }, noise);
  return (
    <EuiPanel
      hasShadow={false}
      hasBorder
      grow={false}
      paddingSize="m"
      role="region"
      aria-label={i18n.translate('dyno.editor.cost.label', { defaultMessage: 'Estimate' })}
    >
      {cost === null ? (
        <EuiText size="s" color="subdued">
          <p>
            {i18n.translate('dyno.editor.cost.none', {
              defaultMessage: 'The estimate is shown once the problems below are fixed.',
            })}
          </p>
        </EuiText>
      ) : (
        <EuiFlexGroup gutterSize="m" wrap responsive={false}>
          {figuresOf(cost).map(({ value, label, tip }) => (
            <EuiFlexItem key={label} css={{ minInlineSize: 104 }}>
              <EuiStat
                titleSize="xxs"
                title={value}
                descriptionElement="span"
                description={
                  <EuiText size="xs" color="subdued">
                    {label} {tip ? <EuiIconTip content={tip} /> : null}
                  </EuiText>
                }
                reverse
              />
            </EuiFlexItem>
          ))}
        </EuiFlexGroup>
      )}
      {power === '' ? null : (
        <EuiText size="xs" color="subdued">
          <p>{power}.</p>
        </EuiText>
      )}
      {cost === null ? null : (
        <CannotShowCallout found={[...cannotShow(cost.plan, known), ...percentilesOutOfReach(cost.plan)]} />
      )}
      <PublishedFigures preset={preset} />
    </EuiPanel>
  );
}
