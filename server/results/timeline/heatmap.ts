/** Calculates a heat map of a task's latencies over the seconds of a trial. */
import type { Heatmap } from '../../../common/api/timeline';
import { type SteppedCounts, latencyRows, steppedCounts } from '../../../common/measurement/latency-grid';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { decodeHistogram, type EncodedHistogram } from '../../../common/measurement/histogram';
import { type SecondsReader, secondsOf } from './seconds';

/** Maximum number of cached counts, each for one latency range in one second. A count needs six bytes, so the cache has at most 24 MB. */
const MOST_STEPS = 4_000_000;

/** Number of requests in one second for each latency range of the histogram. `at`: start of the second, in ms since the epoch. */
export type LatencySecond = SteppedCounts & { at: number };

/**
 * Decodes the latency histogram of one sample to the number of requests for each latency range. `at`: start of the sample's second, in ms
 * since the epoch.
 */
export const latencySecond = (
  { latency }: { latency: { histogram: EncodedHistogram } },
  at: number,
): LatencySecond => ({ at, ...steppedCounts(decodeHistogram(latency.histogram)) });

/** Returns a reader for the latencies of a task in a trial. Decoding a sample takes about 0.2 ms. */
export const latencySeconds = (client: ElasticsearchClient): SecondsReader<LatencySecond> =>
  secondsOf(client, {
    fields: ['latency.histogram'],
    secondOf: latencySecond,
    weightOf: ({ steps }) => steps.length,
    mostKept: MOST_STEPS,
  });

const SECOND_MS = 1000;

/**
 * Returns a heat map of latencies. Each column covers the same number of whole seconds, and there are at most `columns` columns. `rows`:
 * number of latency ranges. The heat map has no columns if `seconds` is empty.
 */
export function heatmapOf(
  seconds: readonly LatencySecond[],
  columns: number,
  rows: number,
): Omit<Heatmap, 'task'> {
  const first = seconds[0]?.at;
  if (first === undefined) return { columnMs: SECOND_MS, columns: [], rows: [], counts: [] };
  const length = Math.round((seconds.at(-1)!.at - first) / SECOND_MS) + 1;
  const columnMs = Math.ceil(length / columns) * SECOND_MS;
  const ranges = latencyRows(seconds, rows);
  const starts = Array.from(
    { length: Math.ceil((length * SECOND_MS) / columnMs) },
    (_, column) => first + column * columnMs,
  );
  const counts = starts.map(() => ranges.rows.map(() => 0));
  for (const second of seconds) {
    const column = Math.min(starts.length - 1, Math.floor((second.at - first) / columnMs));
    ranges.add(counts[column]!, second);
  }
  return { columnMs, columns: starts, rows: ranges.rows, counts };
}
