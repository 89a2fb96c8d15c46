/** A heat map from the latencies of single seconds; pure. */
import type { Heatmap } from '../../../common/api/timeline';
import { latencyRows } from '../../../common/measurement/latency-grid';
import type { LatencySecond } from './latencies';

const SECOND_MS = 1000;

/** At most `columns` columns of whole seconds and `rows` rows; empty without seconds. In the order of time. */
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
