/** Recall at k: which share of the true nearest neighbours of a query its answer held, over the answers that were judged. */

/** What was judged of one request, so that threads and trials can be added up; plain data. */
export interface RecallRecord {
  k: number;
  /** In the set that queries are taken from. */
  queries: number;
  /** Answers that were judged. */
  judged: number;
  /** Of their shares, and of the squares of these. */
  sum: number;
  squares: number;
}

/** Of a request, or of all of a task, in one trial. */
export interface RecallSummary {
  /** Neighbours that were asked for; 0 where requests asked for different numbers. */
  k: number;
  queries: number;
  judged: number;
  /** In [0, 1]; null where no answer was judged. */
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

/** Adds an answer that held this share. */
export function noteRecall(record: RecallRecord, share: number): void {
  record.judged += 1;
  record.sum += share;
  record.squares += share * share;
}

/** Of all of them; undefined for none. Queries of different requests are different ones. */
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
