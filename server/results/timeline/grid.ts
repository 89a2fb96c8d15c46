/** The buckets that a timeline is thinned into. */
import type { TimelineRun, TimelineTrial } from './run';
import { parseTime } from '../../../common/units/time';

export interface Grid {
  /** ms since the epoch. */
  from: number;
  to: number;
  bucketMs: number;
  /** Buckets begin at whole multiples of their length plus this, ms. */
  offsetMs: number;
}

/** Lengths of buckets, s: a run that goes on keeps its buckets for a while, and their edges are readable. */
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

/** `trials`: those that are drawn; the window is theirs unless it is given. */
export function gridOf(
  { run }: Pick<TimelineRun, 'run'>,
  trials: readonly TimelineTrial[],
  window: Window,
): Grid {
  const first = trials[0]?.times;
  const ends = trials.map(({ times }) => times.ended);
  const end = run.ended !== null && trials.length === 0 ? run.ended : null;
  const goesOn = run.ended === null && ends.includes(null);
  const lastEnd =
    ends
      .filter((time) => time !== null)
      .sort()
      .at(-1) ?? end;
  const from = parseTime(window.from ?? first?.started ?? run.started);
  const until = goesOn || lastEnd === null ? Date.now() : parseTime(lastEnd);
  const to = Math.max(from, window.to === undefined ? until : parseTime(window.to));
  const bucketMs = bucketOf(to - from, window.points);
  // The seconds of samples begin with the load: with buckets of one second each is one sample, of the first in the window.
  const shown = trials.find(({ times: { ended } }) => ended === null || parseTime(ended) > from)?.times;
  const loadStart = parseTime(shown?.warmup ?? shown?.measure ?? shown?.started ?? run.started);
  return { from, to, bucketMs, offsetMs: loadStart % bucketMs };
}

/** Aggregates `aggs` over each bucket that holds anything. */
export const overGrid = ({ bucketMs, offsetMs }: Grid, aggs: object): object => ({
  date_histogram: {
    field: '@timestamp',
    fixed_interval: `${bucketMs}ms`,
    offset: `+${offsetMs}ms`,
    min_doc_count: 1,
  },
  aggs,
});

/** Documents of the run, or of one of its trials, whose time lies on the grid. */
export const onGrid = ({ from, to }: Grid, runId: string, trial: string | undefined): object[] => [
  { term: { 'run.id': runId } },
  ...(trial === undefined ? [] : [{ term: { 'trial.id': trial } }]),
  { range: { '@timestamp': { gte: from, lte: to, format: 'epoch_millis' } } },
];
