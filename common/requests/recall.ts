/** Types for measuring the recall of a request: its settings, and the true neighbours of its queries. */

/** Recall settings of a request. */
export interface RecallAsked {
  /** Field of the vectors. */
  field: string;
  /** Name of the parameter whose values are the query vectors. */
  parameter: string;
  k: number;
  /** Filter that a document must match to be a neighbour; undefined without a filter. */
  filter: unknown;
  /** Minimum similarity of a neighbour, by the similarity function of the field; undefined without a minimum. */
  similarity: number | undefined;
  /** Share of the answers that are judged, in (0, 1]. */
  share: number;
}

/** Plain data for load threads and other machines. */
export interface RecallJob {
  parameter: string;
  k: number;
  share: number;
  queries: number;
  /** Numbers of the true neighbours of each query, packed by server/load/neighbours/lists.ts. */
  neighbours: string;
}
