/**
 * Compares combinations of factor levels over the seconds of their trials. For each second, the value of a combination is the mean over its
 * trials.
 */
import type { Timeline } from '../../../common/api/timeline';
import { NODE_METRICS } from '../../../common/measurement/node-metrics';
import { parseMetric } from '../../../common/measurement/metric';
import { cellCourses, type TrialCourse } from '../../../common/report/chart/course-series';
import { chartId } from '../run/node-lines';

/** A value at a time during the run, in ms since the epoch. Null if no value was reported. */
export type Moment = { at: number; value: number | null };

interface Trial {
  cell: number;
  from: number;
  /** Start of the measured phase, in ms since the epoch. It is second 0 of the chart. */
  zero: number;
  to: number;
}

/**
 * Returns the trials that have begun to measure. `from` is the start of a trial's load. `to` is the end of the load; Infinity while the
 * load is running.
 */
function trialsIn({ phases }: Pick<Timeline, 'phases'>): Trial[] {
  const found = new Map<string, Trial>();
  for (const { trial, cell, phase, from, to } of phases) {
    if (phase === 'prepare') continue;
    const known = found.get(trial) ?? { cell, from, zero: NaN, to: from };
    found.set(trial, {
      cell,
      from: Math.min(known.from, from),
      zero: phase === 'measure' ? from : known.zero,
      to: phase === 'drain' ? known.to : Math.max(known.to, to ?? Infinity),
    });
  }
  return [...found.values()].filter(({ zero }) => Number.isFinite(zero));
}

/** Metrics of a task that can be shown over time, as named in URLs. */
export const TASK_FIGURES = ['throughput', 'p50', 'p90', 'p99'] as const;
export type TaskFigure = (typeof TASK_FIGURES)[number];

export const isTaskFigure = (text: string): text is TaskFigure => TASK_FIGURES.some((own) => own === text);

/** Returns the values of a task's metric over time. */
export const ofTask = (timeline: Timeline, task: string, figure: TaskFigure): Moment[] =>
  (timeline.tasks.find((one) => one.task === task)?.points ?? []).map((point) => ({
    at: point.at,
    value: point[figure],
  }));

/**
 * Returns the id of the chart over time that fits the metric of a claim. The chart of the throughput is used for metrics that have no value
 * for each second.
 */
export function figureOverTime(metric: string): string {
  const parsed = parseMetric(metric);
  if (parsed?.ofCluster) {
    const { name } = parsed.ofCluster.nodeMetric;
    // The metric of the highest write queue is shown by the chart of the write queue.
    const drawn = NODE_METRICS.find(
      (one) => one.chart !== undefined && (one.name === name || name === `${one.name}.highest`),
    );
    return drawn === undefined ? 'throughput' : chartId(drawn.name);
  }
  const percentile = /^latency\.(p[\d.]+)$/.exec(parsed?.figure ?? '')?.[1] ?? '';
  return isTaskFigure(percentile) ? percentile : 'throughput';
}

/**
 * Returns the values of a node metric over time. Each is the mean over the nodes that have a value. `read`: returns the value of one node;
 * null if it has none.
 */
export function ofNodes(
  { nodes }: Pick<Timeline, 'nodes'>,
  read: (point: Timeline['nodes'][number]['points'][number]) => number | null,
): Moment[] {
  const sums = new Map<number, { sum: number; count: number }>();
  for (const point of nodes.flatMap(({ points }) => points)) {
    const value = read(point);
    if (value === null) continue;
    const known = sums.get(point.at) ?? { sum: 0, count: 0 };
    sums.set(point.at, { sum: known.sum + value, count: known.count + 1 });
  }
  return [...sums].map(([at, { sum, count }]) => ({ at, value: sum / count }));
}

/** Returns the longest time in ms from the start of a trial's load to its last value. */
const longest = (trials: readonly Trial[], moments: readonly Moment[]): number => {
  const last = moments.reduce((latest, { at }) => Math.max(latest, at), 0);
  return Math.max(0, ...trials.map(({ from, to }) => Math.min(to, last) - from));
};

/** Returns for each trial the values of a metric, with their times in seconds since the start of the measured phase. */
const trialCourses = (trials: readonly Trial[], moments: readonly Moment[]): TrialCourse[] =>
  trials.map(({ cell, from, zero, to }) => ({
    cell,
    points: moments.flatMap(({ at, value }) =>
      value === null || at < from || at >= to ? [] : [{ second: (at - zero) / 1000, value }],
    ),
  }));

/**
 * Returns the lines of the chart, one for each combination of factor levels with a measured trial. `most`: approximate maximum number of
 * points of a line. `join`: combines the values of several seconds into one point.
 */
export function courseLines(
  timeline: Pick<Timeline, 'phases' | 'bucketMs'>,
  moments: readonly Moment[],
  most = Infinity,
  join?: (values: readonly number[]) => number,
): TrialCourse[] {
  const trials = trialsIn(timeline);
  const steps = Math.max(1, Math.ceil(longest(trials, moments) / timeline.bucketMs / most));
  return cellCourses(trialCourses(trials, moments), (timeline.bucketMs * steps) / 1000, join);
}
