/** Types for measuring the recall of a request: its settings, and the true neighbours of its queries. */

/** Recall settings of a request. */
export interface RecallAsked {
  /** Field of the vectors. */
  field: string;
  /** Parameter with the queries. */
  parameter: string;
  k: number;
  /** Filter of the documents that can be neighbours; undefined without one. */
  filter: unknown;
  /** Smallest similarity of a neighbour, in the field's similarity function; undefined without a limit. */
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
