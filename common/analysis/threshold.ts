/** Whether every cell keeps within a threshold, judged by its worst trial. */
import { holds, type Condition } from '../measurement/condition';
import { readMetric } from '../measurement/metric';
import type { Plan } from '../experiment/plan';
import type { Verdict } from '../experiment/run';
import type { TrialDocument } from '../measurement/trial';
import { trialsOf } from './validity';

export type ThresholdResult = Verdict['thresholds'][number] & {
  /** Why there is no figure; '' where there is one. */
  reason: string;
};

/**
 * The worst value over all trials of all cells decides. A cell that cannot tell the figure does not pass; a value that
 * breaks the threshold is named before one that is missing.
 */
export function judgeThreshold(
  plan: Plan,
  trials: readonly TrialDocument[],
  condition: Condition,
): ThresholdResult {
  const { text: threshold, metric, operator } = condition;
  const highIsWorst = operator.startsWith('<');
  let worst: { cell: string; value: number } | null = null;
  let missing: { cell: string; reason: string } | null = null;
  for (const { index, label } of plan.cells) {
    const own = trialsOf(trials, index);
    if (own.length === 0) missing ??= { cell: label, reason: 'no completed trial' };
    for (const { tasks, trial } of own) {
      const value = readMetric(metric, tasks);
      if (value === null) {
        const why = metric.unit === 'ms' ? 'too few requests' : 'not measured';
        missing ??= { cell: label, reason: `${why} in trial #${trial.order + 1}` };
      } else if (worst === null || (highIsWorst ? value > worst.value : value < worst.value)) {
        worst = { cell: label, value };
      }
    }
  }
  if (worst && (missing === null || !holds(condition, worst.value))) {
    return { threshold, passed: holds(condition, worst.value), ...worst, reason: '' };
  }
  return {
    threshold,
    passed: false,
    cell: missing?.cell ?? '',
    value: null,
    reason: missing?.reason ?? 'no cell',
  };
}
