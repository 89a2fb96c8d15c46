/** Recall at k: the share of a query's true nearest neighbours that its answer contained, over the judged answers. */

/** Sums of one request. Plain data that threads and trials can add up. */
export interface RecallRecord {
  k: number;
  /** Number of distinct queries in the set. */
  queries: number;
  /** Number of judged answers. */
  judged: number;
  /** Sum of the shares of these answers, and sum of the squares. */
  sum: number;
  squares: number;
}

/** Recall of a request, or of all requests of a task, in one trial. */
export interface RecallSummary {
  /** Number of neighbours that requests ask for; 0 if requests ask for different numbers. */
  k: number;
  queries: number;
  judged: number;
  /** Mean recall, in [0, 1]; null if no answer was judged. */
  mean: number | null;
  /** Standard deviation between answers; null for fewer than two. */
  deviation: number | null;
}

export const noRecall = (k: number, queries: number): RecallRecord => ({
  k,
  queries,
  judged: 0,
  sum: 0,
  squares: 0,
});

/** Adds an answer that contained this share of the neighbours. */
export function noteRecall(record: RecallRecord, share: number): void {
  record.judged += 1;
  record.sum += share;
  record.squares += share * share;
}

/** Adds up records; undefined without any. Set `sameQueries` for records of the same request. */
export function joinRecall(
  parts: readonly RecallRecord[],
  { sameQueries }: { sameQueries: boolean },
): RecallRecord | undefined {
  const [first, ...rest] = parts;
  if (first === undefined) return undefined;
  return rest.reduce(
    (all, part) => ({
      k: all.k === part.k ? all.k : 0,
      queries: sameQueries ? Math.max(all.queries, part.queries) : all.queries + part.queries,
      judged: all.judged + part.judged,
      sum: all.sum + part.sum,
      squares: all.squares + part.squares,
    }),
    first,
  );
}

export function recallSummary({ k, queries, judged, sum, squares }: RecallRecord): RecallSummary {
  const mean = judged === 0 ? null : sum / judged;
  const variance = judged < 2 ? null : Math.max(0, (squares - (sum * sum) / judged) / (judged - 1));
  return { k, queries, judged, mean, deviation: variance === null ? null : Math.sqrt(variance) };
}
