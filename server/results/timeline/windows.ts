/**
 * Calculates percentiles of response times over sliding windows, for tasks with too few responses per second. Pure functions, except for
 * the reader.
 */
import type { TaskPoint, Windows } from '../../../common/api/timeline';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import {
  addCounted,
  countedValues,
  createHistogram,
  decodeHistogram,
  valuesNeeded,
  type CountedValues,
  type EncodedHistogram,
} from '../../../common/measurement/histogram';
import { SECOND_MS } from '../../../common/measurement/sample';
import { secondsOf, type SecondsReader } from './seconds';

/** Possible lengths of windows, in seconds. For each percentile, the shortest window with enough responses is used. */
const LENGTHS = [1, 2, 5, 10, 15, 30, 60];
/**
 * Share of the windows that must have enough responses. It is below 1, because a cluster that stops responding for a while leaves some
 * windows empty.
 */
const MOSTLY = 0.98;
/** Maximum number of samples of a task that are decoded for one timeline. Decoding a sample takes 0.2 ms. */
export const MOST_DECODED = 10_000;
/** Maximum number of pairs in the cache, 32 MB at eight bytes each. A pair is a value of a histogram and its count. */
const MOST_KEPT = 4_000_000;

const PERCENTILES = { p50: 50, p90: 90, p99: 99 } as const;
type Key = keyof typeof PERCENTILES;
const KEYS = Object.keys(PERCENTILES) as Key[];

/** The requests whose responses arrived in one second of a trial. */
export interface AnsweredSecond {
  /** Start of the second, in ms since the epoch. */
  at: number;
  count: number;
  values: CountedValues;
}

export function answeredSecond(
  { latency }: { latency: { histogram: EncodedHistogram } },
  at: number,
): AnsweredSecond {
  const histogram = decodeHistogram(latency.histogram);
  return { at, count: histogram.totalCount, values: countedValues(histogram) };
}

/** Returns a reader for the response times of a task in each second of a trial. */
export const answeredSeconds = (client: ElasticsearchClient): SecondsReader<AnsweredSecond> =>
  secondsOf(client, {
    fields: ['latency.histogram'],
    secondOf: answeredSecond,
    weightOf: ({ values }) => 1 + values.length / 2,
    mostKept: MOST_KEPT,
  });

/**
 * Returns whether percentiles are missing in more than 2% of the points with responses. A percentile is missing if a point has too few
 * responses. Percentiles must then be calculated over longer windows.
 */
export function areTooShort(points: readonly TaskPoint[]): boolean {
  const answered = points.filter(({ max }) => max !== null);
  return KEYS.some(
    (key) => answered.filter((point) => point[key] !== null).length < MOSTLY * answered.length,
  );
}

/** Windows of one second, for tasks whose percentiles do not need longer windows. */
export const EACH_SECOND: Windows = { p50: 1, p90: 1, p99: 1 };

/**
 * Returns the points with percentiles that are calculated over windows, and the length of the window for each percentile. The window of a
 * point ends at the end of the point's bucket and is at least as long as the bucket. A window never contains seconds of two trials.
 * Percentiles with enough responses in single seconds stay unchanged.
 *
 * @param trials seconds of each trial in the order of time
 */
export function withWindows(
  points: readonly TaskPoint[],
  trials: readonly (readonly AnsweredSecond[])[],
  bucketMs: number,
): { points: TaskPoint[]; windows: Windows } {
  const filled = trials.filter((seconds) => seconds.length > 0);
  const windows: Windows = { p50: null, p90: null, p99: null };
  let result: TaskPoint[] = [...points];
  for (const key of KEYS) {
    const needed = valuesNeeded(PERCENTILES[key]);
    const length = LENGTHS.find((seconds) => hasMostly(filled, seconds, needed)) ?? null;
    if (length === 1) {
      windows[key] = 1;
      continue;
    }
    const windowMs = length === null ? null : Math.max(length * SECOND_MS, bucketMs);
    windows[key] = windowMs === null ? null : windowMs / SECOND_MS;
    result = result.map((point) => ({
      ...point,
      [key]:
        windowMs === null
          ? null
          : percentileIn(windowOf(filled, point.at + bucketMs, windowMs, bucketMs), key, needed),
    }));
  }
  return { points: result, windows };
}

/**
 * Returns whether most windows of `length` seconds contain at least `needed` responses. Each window is within a trial. Trials shorter than
 * a window are ignored.
 */
function hasMostly(trials: readonly (readonly AnsweredSecond[])[], length: number, needed: number): boolean {
  let [whole, enough] = [0, 0];
  for (const seconds of trials) {
    let [first, sum] = [0, 0];
    for (const { at, count } of seconds) {
      sum += count;
      while (seconds[first]!.at <= at - length * SECOND_MS) sum -= seconds[first++]!.count;
      if (at - seconds[0]!.at < (length - 1) * SECOND_MS) continue;
      whole += 1;
      if (sum >= needed) enough += 1;
    }
  }
  return whole > 0 && enough >= MOSTLY * whole;
}

/**
 * Returns the seconds of the window that ends at `end`. The window contains only seconds of one trial: the last trial with a response in
 * the bucket that ends at `end`.
 */
function windowOf(
  trials: readonly (readonly AnsweredSecond[])[],
  end: number,
  windowMs: number,
  bucketMs: number,
): AnsweredSecond[] {
  const own = trials.findLast((seconds) => seconds.some(({ at }) => at >= end - bucketMs && at < end)) ?? [];
  return own.filter(({ at }) => at >= end - windowMs && at < end);
}

/** Returns a percentile of the response times in ms; null if there are fewer than `needed` responses. */
function percentileIn(seconds: readonly AnsweredSecond[], key: Key, needed: number): number | null {
  if (seconds.reduce((sum, { count }) => sum + count, 0) < needed) return null;
  const merged = seconds.reduce((histogram, { values }) => addCounted(histogram, values), createHistogram());
  return merged.getValueAtPercentile(PERCENTILES[key]) / 1000;
}
