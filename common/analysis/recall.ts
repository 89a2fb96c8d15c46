/** Recall of vector searches in one cell (share of the true nearest neighbours that the hits contain), with its interval. */
import type { RecallSummary } from '../measurement/recall';
import { LEVEL, type Interval } from './confidence';
import { studentQuantile } from './student';
import { summarise, type Summary } from './summary';

export interface CellRecall {
  /** Number of requested neighbours; 0 if requests asked for different numbers of neighbours. */
  k: number;
  /** Number of queries in the set from which the requests take their queries. */
  queries: number;
  /** Number of judged responses, over all trials. */
  judged: number;
  /** Summary of the mean recall of each trial. */
  summary: Summary;
  /**
   * Interval of the mean recall. It is calculated twice: from the spread between trials, and from the spread between queries. The wider of
   * the two is used. The spread between trials alone would be too small, because trials on the same index return the same hits.
   */
  interval: Interval | null;
}

/** Returns the recall of a cell. `of`: the summary of each trial. Undefined if no responses were judged. */
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

/**
 * Returns the interval of the mean recall, from the spread between queries. Each query counts once, however often it was sent. Null with
 * fewer than two queries.
 */
function overQueries(of: readonly RecallSummary[], mean: number): Interval | null {
  const judged = of.reduce((sum, one) => sum + one.judged, 0);
  const asked = Math.min(judged, of[0]!.queries);
  if (asked < 2) return null;
  const squares = of.reduce((sum, one) => sum + (one.deviation ?? 0) ** 2 * one.judged, 0);
  const reach = studentQuantile((1 + LEVEL) / 2, asked - 1) * Math.sqrt(squares / judged / asked);
  return { low: mean - reach, high: mean + reach, level: LEVEL };
}
