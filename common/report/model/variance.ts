/**
 * Splits the variation of each task's metrics by its source: factor levels (cells), repetitions, positions within repetitions, and the
 * remaining error.
 */
import { varianceParts, type VarianceParts } from '../../analysis/blocked';
import { blocksOfCells, figuresOf } from '../../analysis/blocks';
import type { Definition } from '../../experiment/definition';
import type { Plan } from '../../experiment/plan';
import { tasksOf } from '../../experiment/resolved-cells';
import type { TaskSummary, TrialDocument } from '../../measurement/trial';
import type { ReportVariance } from './report';

/**
 * Returns the sources of variation for each task. The result is empty for runs with several environments and for sequential runs, because
 * their trials are not interleaved.
 */
export function buildVariance(
  { order }: Pick<Definition, 'order'>,
  plan: Plan,
  trials: readonly TrialDocument[],
): ReportVariance[] {
  if (order === 'sequential') return [];
  return tasksOf(plan.cells).flatMap(({ name }) => {
    const partsOf = (read: (summary: TaskSummary) => number | null): VarianceParts | null => {
      const figures = figuresOf(plan, trials, (document) => {
        const summary = document.tasks.find(({ task }) => task === name);
        return summary ? read(summary) : null;
      });
      const used = figures.filter((cell) => cell.trials.length >= 2);
      if (new Set(used.map(({ environment }) => environment)).size !== 1) return null;
      const blocks = blocksOfCells(used);
      return blocks && varianceParts(blocks);
    };
    const throughput = partsOf((summary) => summary.throughput);
    const latencyP99 = partsOf(({ latency }) => latency.p99);
    return throughput === null && latencyP99 === null ? [] : [{ task: name, throughput, latencyP99 }];
  });
}

/**
 * Returns the coefficient of variation of a single trial's throughput, without the effects of factor levels and repetitions. With several
 * tasks, it is that of the task with the largest coefficient. Null if unknown.
 */
export const noiseIn = (variance: readonly ReportVariance[]): number | null =>
  variance.reduce<number | null>(
    (most, { throughput }) => (throughput === null ? most : Math.max(most ?? 0, throughput.rest)),
    null,
  );
