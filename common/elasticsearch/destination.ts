/** The indices in which the documents of a load must be stored. Also states whether an ingest pipeline may drop or redirect documents. */
export interface Destination {
  /**
   * Names of the tested indices, as responses contain them. For an alias or a data stream, these are the names of its indices. Empty if the
   * names are unknown.
   */
  names: string[];
  /**
   * Prefixes of the names of indices that the rollover of an alias or a data stream may create during the load. In these names, a date or a
   * number follows the prefix.
   */
  series: string[];
  /** Whether the indices have, or may have, an ingest pipeline. If so, every item of every bulk response must be read. */
  hasPipeline: boolean;
}
