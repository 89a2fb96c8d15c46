/** The indices in which the documents of a load must be stored, and whether an ingest pipeline can drop or redirect documents. */
export interface Destination {
  /**
   * Names of the tested indices as they occur in answers. For an alias or a data stream, these are the names of its indices. Empty if the
   * names are unknown.
   */
  names: string[];
  /**
   * Prefixes of the names of indices that a rollover of an alias or a data stream may create during the load. A date or a number follows
   * the prefix.
   */
  series: string[];
  /** Whether the indices have or may have an ingest pipeline. In this case, every item of every answer must be read. */
  hasPipeline: boolean;
}
