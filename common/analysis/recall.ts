/** The recall of one cell, with what it may be off by. */
import type { RecallSummary } from '../measurement/recall';
import { LEVEL, type Interval } from './confidence';
import { studentQuantile } from './student';
import { summarise, type Summary } from './summary';

export interface CellRecall {
  /** Neighbours that were asked for; 0 where requests asked for different numbers. */
  k: number;
  /** In the set that queries are taken from. */
  queries: number;
  /** Answers that were judged, over all trials. */
  judged: number;
  /** Over trials. */
  summary: Summary;
  /**
   * Of the mean: over trials, or over queries where that is wider. Trials of the same index answer the same queries alike, so
   * that their spread alone says nothing of other queries.
   */
  interval: Interval | null;
}

/** `of`: one for each trial that judged any answer; undefined for none. */
export function cellRecall(of: readonly RecallSummary[]): CellRecall | undefined {
  const judgedIn = of.filter(({ mean }) => mean !== null);
  const [first] = judgedIn;
  if (first === undefined) return undefined;
  const summary = summarise(
    judgedIn.map(({ mean }) => mean),
    'higher',
  );
  const judged = judgedIn.reduce((sum, one) => sum + one.judged, 0);
  const over = [summary.interval, overQueries(judgedIn, summary.mean!)].filter((one) => one !== null);
  const interval =
    over.length === 0
      ? null
      : {
          low: Math.max(0, Math.min(...over.map(({ low }) => low))),
          high: Math.min(1, Math.max(...over.map(({ high }) => high))),
          level: LEVEL,
        };
  const k = judgedIn.every((one) => one.k === first.k) ? first.k : 0;
  return { k, queries: first.queries, judged, summary, interval };
}

/** Each query counts once, however often it was asked. Null where fewer than two were. */
function overQueries(of: readonly RecallSummary[], mean: number): Interval | null {
  const judged = of.reduce((sum, one) => sum + one.judged, 0);
  const asked = Math.min(judged, of[0]!.queries);
  if (asked < 2) return null;
  const squares = of.reduce((sum, one) => sum + (one.deviation ?? 0) ** 2 * one.judged, 0);
  const reach = studentQuantile((1 + LEVEL) / 2, asked - 1) * Math.sqrt(squares / judged / asked);
  return { low: mean - reach, high: mean + reach, level: LEVEL };
}
