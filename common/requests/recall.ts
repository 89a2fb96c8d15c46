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
  /** Share of the answers for which recall is measured, in (0, 1]. */
  share: number;
}

/** Data that a load thread needs to measure recall. It is plain data, so that it can be sent to other threads and machines. */
export interface RecallJob {
  parameter: string;
  k: number;
  share: number;
  queries: number;
  /**
   * True neighbours of each query, packed into a text by `server/load/neighbours/lists.ts`. Each neighbour is identified by the document's
   * number, in ascending order.
   */
  neighbours: string;
}
