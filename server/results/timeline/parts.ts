/** Calculates the mean response time of each request in a task's transactions, over one trial. A *part* is one of these requests. */
import type { PartsTimeline } from '../../../common/api/timeline';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { secondsOf, type SecondsReader } from './seconds';
import type { SampleDocument } from '../../../common/measurement/trial';

const SECOND_MS = 1000;
/**
 * Maximum number of values in the cache. A value is the response time of one request of the transaction in one second, and needs a few
 * hundred bytes.
 */
const MOST_KEPT = 200_000;

export interface PartsSecond {
  /** Start of the second, in ms since the epoch. */
  at: number;
  parts: NonNullable<SampleDocument['requests']>;
}

/** Returns a reader for the response times of the requests in a task's transactions, for each second of a trial. */
export const partsSeconds = (client: ElasticsearchClient): SecondsReader<PartsSecond> =>
  secondsOf(client, {
    fields: ['requests'],
    // Samples of older versions of Dyno do not contain the single requests.
    secondOf: ({ requests }, at) => ({ at, parts: requests ?? {} }),
    weightOf: ({ parts }) => Object.keys(parts).length,
    mostKept: MOST_KEPT,
  });

/**
 * Returns at most `columns` points for each request of the transaction, in the order of `names`. Each point covers a number of whole
 * seconds: its value is the mean over all requests that ended in these seconds. Requests without a value are left out.
 */
export function partsTimeline(
  seconds: readonly PartsSecond[],
  names: readonly string[],
  columns: number,
): Omit<PartsTimeline, 'task'> {
  const first = seconds[0]?.at ?? 0;
  const length = Math.round(((seconds.at(-1)?.at ?? 0) - first) / SECOND_MS) + 1;
  const columnMs = Math.ceil(length / columns) * SECOND_MS;
  const parts = names.map((name) => {
    const sums = new Map<number, { count: number; ms: number }>();
    for (const { at, parts: own } of seconds) {
      const { count = 0, mean = null } = own[name] ?? {};
      if (count === 0 || mean === null) continue;
      const start = first + Math.floor((at - first) / columnMs) * columnMs;
      const sum = sums.get(start) ?? { count: 0, ms: 0 };
      sums.set(start, { count: sum.count + count, ms: sum.ms + count * mean });
    }
    return { name, points: [...sums].map(([at, { count, ms }]) => ({ at, mean: ms / count })) };
  });
  return { columnMs, parts: parts.filter(({ points }) => points.length > 0) };
}
