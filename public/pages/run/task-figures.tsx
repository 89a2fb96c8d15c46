/** What the tasks do in this second, in figures. */
import { EuiFlexGroup, EuiFlexItem, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { rateUnit } from '../../../common/analysis/wording';
import type { Definition } from '../../../common/experiment/definition';
import type { TaskProgress } from '../../../common/measurement/progress';
import { formatMs, formatNumber, formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';

export function TaskFigures({
  definition,
  tasks,
}: {
  definition: Definition;
  tasks: readonly TaskProgress[];
}): ReactNode {
  return (
    <div css={{ display: 'grid', gap: 12 }}>
      {tasks.map((task) => (
        <EuiFlexGroup
          key={task.task}
          gutterSize="xl"
          alignItems="baseline"
          responsive={false}
          wrap
          css={{ rowGap: 8 }}
        >
          <EuiFlexItem grow={false} css={{ minInlineSize: 72 }}>
            <EuiText size="s">
              <strong>{task.task}</strong>
            </EuiText>
          </EuiFlexItem>
          {figuresOf(task, rateUnit(definition, task.task)).map(({ name, value, bad }) => (
            <EuiFlexItem key={name} grow={false}>
              <EuiText
                size="s"
                color={bad ? 'danger' : 'default'}
                css={{ fontVariantNumeric: 'tabular-nums', minInlineSize: 88 }}
              >
                <strong css={{ fontSize: 18 }}>{value}</strong>
              </EuiText>
              <EuiText size="xs" color="subdued">
                {name}
              </EuiText>
            </EuiFlexItem>
          ))}
        </EuiFlexGroup>
      ))}
    </div>
  );
}

function figuresOf(
  { throughput, p99, rejectionRate, failureRate, retried, backlog }: TaskProgress,
  unit: string,
): { name: string; value: string; bad?: boolean }[] {
  const all = [
    {
      name: i18n.translate('dyno.figures.throughput', { defaultMessage: 'accepted, last second' }),
      value: `${formatNumber(throughput)} ${unit}`,
    },
    {
      name: i18n.translate('dyno.figures.p99', { defaultMessage: 'response time p99, last 10 s' }),
      value: formatMs(p99),
    },
    {
      name: i18n.translate('dyno.figures.rejected', { defaultMessage: 'rejected, this trial' }),
      value: formatPercent(rejectionRate),
      bad: rejectionRate > 0,
    },
  ];
  // Only where there is anything to tell: zeroes in the common case would be noise.
  if (failureRate > 0) {
    const name = i18n.translate('dyno.figures.failed', { defaultMessage: 'failed, this trial' });
    all.push({ name, value: formatPercent(failureRate), bad: true });
  }
  if (retried > 0) {
    const name = i18n.translate('dyno.figures.retried', { defaultMessage: 'sent again, this trial' });
    all.push({ name, value: formatNumber(retried) });
  }
  if (backlog > 0) {
    const name = i18n.translate('dyno.figures.backlog', { defaultMessage: 'requests due, not sent' });
    all.push({ name, value: formatNumber(backlog), bad: true });
  }
  return all;
}
