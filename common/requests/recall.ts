/** What is needed to judge the recall of a request: what was asked for, and the true neighbours of its queries. */

/** What a definition asks of the neighbours of a query. */
export interface RecallAsked {
  /** The field of the vectors. */
  field: string;
  /** The parameter that queries are drawn from. */
  parameter: string;
  k: number;
  /** Of the documents that may be neighbours; undefined for all of them. */
  filter: unknown;
  /** Least similarity of a neighbour, as the field's similarity has it; undefined for any. */
  similarity: number | undefined;
  /** Of the answers, those that are judged, in (0, 1]. */
  share: number;
}

/** Plain data: load threads get it, and other machines. */
export interface RecallJob {
  parameter: string;
  k: number;
  share: number;
  queries: number;
  /** The numbers of the true neighbours by query, as server/load/neighbours/lists.ts packs them. */
  neighbours: string;
}
