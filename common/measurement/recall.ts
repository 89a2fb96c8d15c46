/**
 * Recall at k of a search for nearest neighbours: the share of a query's true neighbours that the response contains. It is calculated for
 * responses to queries whose true neighbours are known. These are the *judged* responses.
 */

/** Sums over the judged responses to one request. It is plain data that threads and trials can add up. */
export interface RecallRecord {
  k: number;
  /** Number of distinct query vectors that the requests can use. */
  queries: number;
  /** Number of judged responses. */
  judged: number;
  /** Sum of the recalls of the judged responses. */
  sum: number;
  /** Sum of the squared recalls of all judged responses. It is needed for their standard deviation. */
  squares: number;
}

/** Recall of a request, or of all requests of a task, in one trial. */
export interface RecallSummary {
  /** Number of neighbours that each request asks for; 0 if requests ask for different numbers. */
  k: number;
  queries: number;
  judged: number;
  /** Mean recall, in [0, 1]; null if no response was judged. */
  mean: number | null;
  /** Standard deviation of the recall between responses; null for fewer than two responses. */
  deviation: number | null;
}

export const noRecall = (k: number, queries: number): RecallRecord => ({
  k,
  queries,
  judged: 0,
  sum: 0,
  squares: 0,
});

/** Adds the recall of one response to `record`. `share`: share of the true neighbours that the response contained, in [0, 1]. */
export function noteRecall(record: RecallRecord, share: number): void {
  record.judged += 1;
  record.sum += share;
  record.squares += share * share;
}

/**
 * Adds up records; undefined if there are no records. `sameQueries`: whether all records use the same set of queries. `queries` of the
 * result then counts this set only once.
 */
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
