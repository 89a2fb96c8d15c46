/** Types for measuring the recall of a request: the settings, and the true neighbours of the query vectors. */

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
  /** Share of the responses for which recall is measured, in (0, 1]. */
  share: number;
}

/** Data that a load thread needs to measure recall. It is plain data, which can be sent to other threads and machines. */
export interface RecallJob {
  parameter: string;
  k: number;
  share: number;
  queries: number;
  /**
   * True neighbours of each query, packed into a text by `server/load/neighbours/lists.ts`. A neighbour is represented by the number of its
   * document. The numbers of a query are in ascending order.
   */
  neighbours: string;
}
