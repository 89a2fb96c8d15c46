/** The indices in which the documents of a load must be stored, and whether an ingest pipeline can drop or redirect documents. */
export interface Destination {
  /** Names of the tested indices in answers. For an alias or a data stream, these are the names of its indices. Empty if unknown. */
  names: string[];
  /** Prefixes of new indices of an alias or a data stream. A date or a number follows. */
  series: string[];
  /** Whether the indices have, or may have, an ingest pipeline. If so, every item of every answer is read. */
  hasPipeline: boolean;
}
