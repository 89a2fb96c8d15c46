/** The figures that a report shows first, in every cell: those of the first claim. */
import { focusOf } from '../../analysis/focus';
import { counts } from '../../analysis/validity';
import { metricName, rateUnit } from '../../analysis/wording';
import type { Definition } from '../../experiment/definition';
import type { Plan } from '../../experiment/plan';
import { tasksOf } from '../../experiment/resolved-cells';
import type { Metric } from '../../measurement/metric';
import type { TrialDocument } from '../../measurement/trial';
import type { RateUnit } from '../../tasks/registry';
import { figureInCells, type ReportClusterCell } from './cluster';

export interface ReportFocus {
  /** Name of the task whose tables and charts come first. */
  task: string;
  /** As claims write it: `search.latency.p99`. */
  metric: string;
  /** As people read it: `search latency p99`. */
  title: string;
  /** Path of the factor of the first claim; null without a claim. */
  factor: string | null;
  unit: Metric['unit'];
  /** Of the task's throughput. */
  rate: RateUnit;
  better: Metric['better'];
  /** Where the figures come from; '' for what the run itself measures. */
  source: string;
  /** Why no trial has the figure; '' where one has. */
  reason: string;
  /** In the order of the report's cells; empty where no trial has the figure, null in cells of which no trial has it. */
  cells: (ReportClusterCell | null)[];
}

export function buildFocus(
  definition: Definition,
  plan: Plan,
  trials: readonly TrialDocument[],
): ReportFocus {
  const tasks = tasksOf(plan.cells);
  const { task, metric, name, factor } = focusOf({ expect: definition.expect, tasks });
  const counting = trials.filter(counts);
  return {
    task,
    metric: name,
    title: metricName(metric, { tasks }),
    factor,
    unit: metric.unit,
    rate: rateUnit({ tasks }, metric.task),
    better: metric.better,
    ...(counting.length === 0
      ? { source: '', reason: '', cells: [] }
      : figureInCells(metric, definition, plan, counting)),
  };
}
