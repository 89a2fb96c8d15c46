/** The highest rates of a task over the trials of a cell. */
import type { Comparison } from '../../analysis/comparison';
import { summarise, type Summary } from '../../analysis/summary';
import { sustainableRate } from '../../measurement/highest-rate';
import type { TaskSummary } from '../../measurement/trial';

/** The highest rate that a task's searches confirmed in one cell, requests/s. */
export interface ReportRate {
  /** Over the trials that confirmed one. */
  sustained: Summary;
  /** Completed trials, confirmed or not. */
  trials: number;
  /** Over all trials: the lowest rate that one held, and the highest that one could not; null where there is none. */
  bracket: { held: number | null; broken: number | null };
  /** With the baseline cell; null in the baseline. */
  comparison: Comparison | null;
}

/** Null where the task does not search. */
export function rateOf(of: readonly TaskSummary[], comparison: Comparison | null): ReportRate | null {
  const found = of.flatMap(({ highestRate }) => highestRate ?? []);
  if (found.length === 0) return null;
  const held = found.flatMap(({ answer }) => answer.held ?? []);
  const broken = found.flatMap(({ answer }) => answer.broken ?? []);
  return {
    sustained: summarise(found.map(sustainableRate), 'higher'),
    trials: found.length,
    bracket: {
      held: held.length === 0 ? null : Math.min(...held),
      broken: broken.length === 0 ? null : Math.max(...broken),
    },
    comparison,
  };
}
