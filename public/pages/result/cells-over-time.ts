/** The cells of a run over one time axis: each second of the load is the mean of the cell's trials in that second. */
import type { Timeline } from '../../../common/api/timeline';
import { NODE_METRICS } from '../../../common/measurement/node-metrics';
import { parseMetric } from '../../../common/measurement/metric';
import { cellCourses, type TrialCourse } from '../../../common/report/chart/course-series';
import { chartId } from '../run/node-lines';

/** Reads a figure at a moment of the run; null where nothing is told. */
export type Moment = { at: number; value: number | null };

interface Trial {
  cell: number;
  from: number;
  /** When it was measured. */
  zero: number;
  to: number;
}

/** Trials that were measured, from the beginning of their load to its end. */
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

/** Figures of a task over time, as addresses name them. */
export const TASK_FIGURES = ['throughput', 'p50', 'p90', 'p99'] as const;
export type TaskFigure = (typeof TASK_FIGURES)[number];

export const isTaskFigure = (text: string): text is TaskFigure => TASK_FIGURES.some((own) => own === text);

/** A figure of one task. */
export const ofTask = (timeline: Timeline, task: string, figure: TaskFigure): Moment[] =>
  (timeline.tasks.find((one) => one.task === task)?.points ?? []).map((point) => ({
    at: point.at,
    value: point[figure],
  }));

/** What is shown over time for a metric as claims write it: the same where it is known by the second, else the throughput. */
export function figureOverTime(metric: string): string {
  const parsed = parseMetric(metric);
  if (parsed?.ofCluster) {
    const { name } = parsed.ofCluster.figure;
    // The highest write queue is shown by the chart of the write queue.
    const drawn = NODE_METRICS.find(
      (one) => one.chart !== undefined && (one.name === name || name === `${one.name}.highest`),
    );
    return drawn === undefined ? 'throughput' : chartId(drawn.name);
  }
  const percentile = /^latency\.(p[\d.]+)$/.exec(parsed?.figure ?? '')?.[1] ?? '';
  return isTaskFigure(percentile) ? percentile : 'throughput';
}

/** The mean of the nodes that tell it at a moment. */
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

/** Longest time from the beginning of a load to its last moment, ms. */
const longest = (trials: readonly Trial[], moments: readonly Moment[]): number => {
  const last = moments.reduce((latest, { at }) => Math.max(latest, at), 0);
  return Math.max(0, ...trials.map(({ from, to }) => Math.min(to, last) - from));
};

/** Cuts moments of a run into the courses of its trials. */
const trialCourses = (trials: readonly Trial[], moments: readonly Moment[]): TrialCourse[] =>
  trials.map(({ cell, from, zero, to }) => ({
    cell,
    points: moments.flatMap(({ at, value }) =>
      value === null || at < from || at >= to ? [] : [{ second: (at - zero) / 1000, value }],
    ),
  }));

/**
 * In the order of the cells; those without a measured trial are missing. No line has many more points than `most`: steps of the
 * timeline that could not be told apart become one, as `join` says.
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
