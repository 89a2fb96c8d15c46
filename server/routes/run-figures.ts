/**
 * Computes the values of a run that the list of experiments shows: the metric of the first claim in `expect`, for each combination of
 * factor levels (cell).
 */
import type { ExperimentSummary } from '../../common/api/experiments';
import { focusOf } from '../../common/analysis/focus';
import { metricReader } from '../../common/analysis/metric-reader';
import { summarise } from '../../common/analysis/summary';
import { trialsOf } from '../../common/analysis/validity';
import { resolvePlan, type Plan } from '../../common/experiment/plan';
import { tasksOf } from '../../common/experiment/resolved-cells';
import type { RunDocument } from '../../common/experiment/run';
import { parseMetric, type Metric } from '../../common/measurement/metric';
import type { TrialDocument } from '../../common/measurement/trial';
import { throughputsOf } from '../../common/report/model/cells';
import { kindNamed, rateUnitOf } from '../../common/tasks/registry';
import { ReadOnce } from '../results/read-once';

export type RunFigures = Pick<NonNullable<ExperimentSummary['last']>, 'metric' | 'task' | 'unit' | 'cells'>;

/** Metrics by the ids of runs. */
export type FigureMemory = ReadOnce<RunFigures>;

/**
 * Maximum number of values in the cache. A run has one value for each combination of factor levels (cell). A value needs about 100 bytes.
 */
const MOST_CELLS = 50_000;

export const figureMemory = (): FigureMemory => new ReadOnce(MOST_CELLS, ({ cells }) => 1 + cells.length);

/**
 * Returns the metric of the first claim in `expect`, for each combination of factor levels (cell). If no trial has this metric, returns the
 * throughput of the task that the claim names.
 */
export function figuresOf(run: RunDocument, trials: readonly TrialDocument[]): RunFigures {
  const plan = resolvePlan(run);
  const tasks = tasksOf(plan.cells);
  const focus = focusOf({ expect: run.definition.expect, tasks });
  const task = tasks.some(({ name }) => name === focus.task) ? focus.task : tasks[0]!.name;
  const own = cellsOf(plan, trials, focus.metric);
  const unit = throughputsOf(plan, trials, task).find((found) => found !== null)?.unit;
  const throughput = `${task}.throughput`;
  return {
    task,
    unit: unit ?? rateUnitOf(kindNamed(run.definition, task)),
    ...(own.length > 0
      ? { metric: focus.name, cells: own }
      : { metric: throughput, cells: cellsOf(plan, trials, parseMetric(throughput)!) }),
  };
}

function cellsOf(plan: Plan, trials: readonly TrialDocument[], metric: Metric): RunFigures['cells'] {
  const { read } = metricReader(metric, plan, trials);
  return plan.cells.flatMap(({ index, label }, at) => {
    const { mean, interval } = summarise(trialsOf(trials, index).map(read), metric.better);
    return mean === null
      ? []
      : [
          {
            label,
            baseline: at === plan.baseline,
            mean,
            low: interval?.low ?? null,
            high: interval?.high ?? null,
          },
        ];
  });
}
