/** Calculates the buckets of a timeline: intervals of equal length, each of which becomes one point of a chart. */
import type { TimelineRun, TimelineTrial } from './run';
import { parseTime } from '../../../common/units/time';

export interface Grid {
  /** Start of the timeline, in ms since the epoch. */
  from: number;
  to: number;
  bucketMs: number;
  /** Offset of the buckets, in ms. Buckets begin at whole multiples of their length, plus this offset. */
  offsetMs: number;
}

/**
 * Possible lengths of buckets, in seconds. Because there are few, the buckets of an active run rarely change their length. Their boundaries
 * are round times, such as whole minutes.
 */
const LENGTHS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 300, 600, 900, 1800, 3600];

const bucketOf = (spanMs: number, points: number): number => {
  const needed = spanMs / Math.max(1, points - 1) / 1000;
  return (LENGTHS.find((length) => length >= needed) ?? Math.ceil(needed / 3600) * 3600) * 1000;
};

interface Window {
  from?: string;
  to?: string;
  points: number;
}

/**
 * Calculates the grid of a timeline: its start, its end and the length of its buckets. `trials`: the trials that are drawn. Without
 * `window.from` and `window.to`, the grid spans these trials.
 */
export function gridOf(
  { run }: Pick<TimelineRun, 'run'>,
  trials: readonly TimelineTrial[],
  window: Window,
): Grid {
  const first = trials[0]?.times;
  const ends = trials.map(({ times }) => times.ended);
  const end = run.ended !== null && trials.length === 0 ? run.ended : null;
  const isActive = run.ended === null && ends.includes(null);
  const lastEnd =
    ends
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? end;
  const from = parseTime(window.from ?? first?.started ?? run.started);
  const until = isActive || lastEnd === null ? Date.now() : parseTime(lastEnd);
  const to = Math.max(from, window.to === undefined ? until : parseTime(window.to));
  const bucketMs = bucketOf(to - from, window.points);
  // The seconds of samples are counted from the start of the load. With the offset of the first trial in the window, each one-second bucket
  // contains one sample.
  const shown = trials.find(({ times: { ended } }) => ended === null || parseTime(ended) > from)?.times;
  const loadStart = parseTime(shown?.warmup ?? shown?.measure ?? shown?.started ?? run.started);
  return { from, to, bucketMs, offsetMs: loadStart % bucketMs };
}

/** Returns an aggregation that applies `aggs` to each bucket that contains documents. */
export const overGrid = ({ bucketMs, offsetMs }: Grid, aggs: object): object => ({
  date_histogram: {
    field: '@timestamp',
    fixed_interval: `${bucketMs}ms`,
    offset: `+${offsetMs}ms`,
    min_doc_count: 1,
  },
  aggs,
});

/**
 * Returns filters for documents within the time of the grid. They select the documents of one run. `trial`: id of a trial, to select only
 * its documents; undefined for all trials.
 */
export const onGrid = ({ from, to }: Grid, runId: string, trial: string | undefined): object[] => [
  { term: { 'run.id': runId } },
  ...(trial === undefined ? [] : [{ term: { 'trial.id': trial } }]),
  { range: { '@timestamp': { gte: from, lte: to, format: 'epoch_millis' } } },
];
