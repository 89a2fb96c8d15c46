/** Builds the values that a report shows first: the metric of the first claim, for every cell (combination of factor levels). */
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
  /** Name in claims, such as `search.latency.p99`. */
  metric: string;
  /** Name in texts, such as `search latency p99`. */
  title: string;
  /** Path of the factor of the first claim. Null without claims. */
  factor: string | null;
  unit: Metric['unit'];
  /** Unit of the task's throughput. */
  rate: RateUnit;
  better: Metric['better'];
  /** Name of the source from which the values were read; '' if the values are measurements of the load generator. */
  source: string;
  /** Reason why no trial has a value; '' if a trial has one. */
  reason: string;
  /**
   * Values in the order of the report's cells (combinations of factor levels). Null for cells without a value. Empty if no trial has a
   * value.
   */
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
