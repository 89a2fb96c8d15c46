/** The current values of all tasks in a running trial. */
import { EuiFlexGroup, EuiFlexItem, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { sayBracket } from '../../../common/analysis/highest-rate';
import type { TaskDefinition } from '../../../common/experiment/definition';
import type { RateProgress } from '../../../common/measurement/highest-rate';
import { TROUBLE } from '../../../common/measurement/outcomes';
import type { TaskProgress } from '../../../common/measurement/progress';
import { kindNamed, rateUnitOf } from '../../../common/tasks/registry';
import { formatMs, formatNumber, formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';

interface TaskFiguresProps {
  /** Tasks of the active trial, as the definition describes them for its combination of factor levels. */
  defined: readonly TaskDefinition[];
  tasks: readonly TaskProgress[];
}

export function TaskFigures({ defined, tasks }: TaskFiguresProps): ReactNode {
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
          {figuresOf(task, rateUnitOf(kindNamed({ tasks: defined }, task.task))).map(
            ({ name, value, bad }) => (
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
            ),
          )}
          {task.search === undefined ? null : (
            <EuiFlexItem grow={false} data-test-subj="dynoRateSearch">
              <SearchFigure search={task.search} />
            </EuiFlexItem>
          )}
        </EuiFlexGroup>
      ))}
    </div>
  );
}

const PHASE_NAMES: Record<RateProgress['phase'], string> = {
  grow: i18n.translate('dyno.search.grow', { defaultMessage: 'growing' }),
  descend: i18n.translate('dyno.search.descend', { defaultMessage: 'going down' }),
  bisect: i18n.translate('dyno.search.bisect', { defaultMessage: 'narrowing' }),
  hold: i18n.translate('dyno.search.hold', { defaultMessage: 'holding' }),
};

/**
 * Shows the progress of a task that looks for the highest rate that a target can sustain: the rate that is being tested, and the range that
 * contains the result.
 */
function SearchFigure({
  search: { step, phase, perSecond, repeats, held, broken },
}: {
  search: RateProgress;
}): ReactNode {
  return (
    <>
      <EuiText size="s" css={{ fontVariantNumeric: 'tabular-nums', minInlineSize: 88 }}>
        <strong css={{ fontSize: 18 }}>
          {i18n.translate('dyno.search.rate', {
            defaultMessage: '{rate} requests/s',
            values: { rate: formatNumber(perSecond) },
          })}
        </strong>
      </EuiText>
      <EuiText size="xs" color="subdued">
        {i18n.translate('dyno.search.step', {
          defaultMessage:
            'step {step}, {phase}{repeats, select, true { once more} other {}}; so far {bracket}',
          values: {
            step,
            phase: PHASE_NAMES[phase],
            repeats: String(repeats),
            bracket: sayBracket({ held, broken }),
          },
        })}
      </EuiText>
    </>
  );
}

function figuresOf(
  { throughput, p99, counts, backlog }: TaskProgress,
  unit: string,
): { name: string; value: string; bad?: boolean }[] {
  const all: { name: string; value: string; bad?: boolean }[] = [
    {
      name: i18n.translate('dyno.figures.throughput', { defaultMessage: 'accepted, last second' }),
      value: `${formatNumber(throughput)} ${unit}`,
    },
    {
      name: i18n.translate('dyno.figures.p99', { defaultMessage: 'response time p99, last 10 s' }),
      value: formatMs(p99),
    },
  ];
  // Rejections are always shown. Other outcomes are shown only if they occurred, because zeros would be noise.
  for (const { name: outcome, label, ends, tone } of TROUBLE) {
    const count = counts[outcome];
    if (count === 0 && outcome !== 'rejected') continue;
    all.push({
      name: i18n.translate('dyno.figures.outcome', {
        defaultMessage: '{outcome}, this trial',
        values: { outcome: i18n.say(label) },
      }),
      value: ends ? formatPercent(count / Math.max(1, counts.attempted)) : formatNumber(count),
      bad: tone === 'bad' && count > 0,
    });
  }
  if (backlog > 0) {
    const name = i18n.translate('dyno.figures.backlog', { defaultMessage: 'requests due but not sent' });
    all.push({ name, value: formatNumber(backlog), bad: true });
  }
  return all;
}
