/** The cells of a run over one time axis: each second of the load is the mean of the cell's trials in that second. */
import type { Timeline } from '../../../common/api/timeline';

export interface CourseLine {
  /** Index of the report's cell. */
  cell: number;
  /** Seconds after the beginning of the measured phase, those of the warm-up below 0. */
  points: { second: number; value: number }[];
}

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

/** A figure of one task. */
export const ofTask = (timeline: Timeline, task: string): Moment[] =>
  (timeline.tasks.find((one) => one.task === task)?.points ?? []).map(({ at, throughput }) => ({
    at,
    value: throughput,
  }));

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

/**
 * In the order of the cells; those without a measured trial are missing. No line has many more points than `most`: what could not
 * be told apart is put together as means over some of the timeline's steps.
 */
export function courseLines(
  timeline: Pick<Timeline, 'phases' | 'bucketMs'>,
  moments: readonly Moment[],
  most = Infinity,
): CourseLine[] {
  const trials = trialsIn(timeline);
  const steps = Math.max(1, Math.ceil(longest(trials, moments) / timeline.bucketMs / most));
  const bucketMs = timeline.bucketMs * steps;
  const cells = new Map<number, Map<number, { sum: number; count: number }>>();
  for (const { cell, from, zero, to } of trials) {
    const own = cells.get(cell) ?? new Map<number, { sum: number; count: number }>();
    cells.set(cell, own);
    for (const { at, value } of moments) {
      if (value === null || at < from || at >= to) continue;
      const bucket = Math.floor((at - zero) / bucketMs);
      const known = own.get(bucket) ?? { sum: 0, count: 0 };
      own.set(bucket, { sum: known.sum + value, count: known.count + 1 });
    }
  }
  return [...cells]
    .sort(([a], [b]) => a - b)
    .map(([cell, buckets]) => ({
      cell,
      points: [...buckets]
        .sort(([a], [b]) => a - b)
        .map(([bucket, { sum, count }]) => ({ second: (bucket * bucketMs) / 1000, value: sum / count })),
    }))
    .filter(({ points }) => points.length > 0);
}
