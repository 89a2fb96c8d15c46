/** The parts of a task's transactions over the time of one trial: the mean of each. */
import type { PartsTimeline } from '../../../common/api/timeline';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { secondsOf, type SecondsReader } from './seconds';
import type { SampleDocument } from '../../../common/measurement/trial';

const SECOND_MS = 1000;
/** Figures of parts that are kept altogether, some hundred bytes each. */
const MOST_KEPT = 200_000;

export interface PartsSecond {
  /** Start of the second, ms since the epoch. */
  at: number;
  parts: NonNullable<SampleDocument['requests']>;
}

/** Resolves to what reads the seconds of a task in a trial. */
export const partsSeconds = (client: ElasticsearchClient): SecondsReader<PartsSecond> =>
  secondsOf(client, {
    fields: ['requests'],
    // Samples of older versions of Dyno tell of none.
    secondOf: ({ requests }, at) => ({ at, parts: requests ?? {} }),
    weightOf: ({ parts }) => Object.keys(parts).length,
    mostKept: MOST_KEPT,
  });

/**
 * At most `columns` points of whole seconds for each part, of `names` in their order. A mean over several seconds is that
 * of all requests that ended in them; parts that no second tells of are left out.
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
    for (const { at, parts: told } of seconds) {
      const { count = 0, mean = null } = told[name] ?? {};
      if (count === 0 || mean === null) continue;
      const start = first + Math.floor((at - first) / columnMs) * columnMs;
      const sum = sums.get(start) ?? { count: 0, ms: 0 };
      sums.set(start, { count: sum.count + count, ms: sum.ms + count * mean });
    }
    return { name, points: [...sums].map(([at, { count, ms }]) => ({ at, mean: ms / count })) };
  });
  return { columnMs, parts: parts.filter(({ points }) => points.length > 0) };
}
