/** The chosen trial in words and figures, with every doubt about it. */
import { EuiFlexGroup, EuiFlexItem, EuiIcon, EuiPanel, EuiSpacer, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { TrialBrief } from '../../../common/api/runs';
import { formatDuration, formatMs, formatNumber, formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { StateBadge } from '../../ui/run-state';
import { Time } from '../../ui/time';

export function ChosenTrial({ trials, id }: { trials: readonly TrialBrief[]; id: string }): ReactNode {
  const trial = trials.find((one) => one.id === id);
  if (trial === undefined) return null;
  const { state, started, ended, reason, tasks, doubts } = trial;
  return (
    <>
      <EuiPanel color="subdued" paddingSize="s" data-test-subj="dynoChosenTrial">
        <EuiFlexGroup gutterSize="l" alignItems="center" responsive={false} wrap>
          <EuiFlexItem grow={false}>
            <StateBadge state={state} />
          </EuiFlexItem>
          <EuiFlexItem grow={false}>
            <EuiText size="s">
              <Time iso={started} />
              {ended === null ? '' : `, ${formatDuration(Date.parse(ended) - Date.parse(started))}`}
            </EuiText>
          </EuiFlexItem>
          {tasks.map((task) => (
            <EuiFlexItem key={task.task} grow={false}>
              <EuiText size="s">
                <strong>{task.task}</strong> {formatNumber(task.throughput)} {task.unit},{' '}
                {i18n.translate('dyno.trial.figures', {
                  defaultMessage: 'p50 {p50}, p99 {p99}, rejected {rejected}',
                  values: {
                    p50: formatMs(task.latencyP50),
                    p99: formatMs(task.latencyP99),
                    rejected: formatPercent(task.rejectionRate),
                  },
                })}
              </EuiText>
            </EuiFlexItem>
          ))}
        </EuiFlexGroup>
        {[...(reason === '' ? [] : [reason]), ...doubts].map((doubt) => (
          <EuiText key={doubt} size="s" css={{ marginTop: 4 }}>
            <EuiIcon type="warning" color="warning" size="m" aria-hidden /> {doubt}
          </EuiText>
        ))}
      </EuiPanel>
      <EuiSpacer size="l" />
    </>
  );
}
