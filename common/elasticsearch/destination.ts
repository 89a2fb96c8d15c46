/** Where the documents of a load must be stored, and whether anything can drop or redirect them. */
export interface Destination {
  /** Names of the tested indices in answers. For an alias or a data stream, these are the names of its indices. Empty if unknown. */
  names: string[];
  /** Prefixes of new indices of an alias or a data stream. A date or a number follows. */
  series: string[];
  /** The indices have an ingest pipeline, or may have one, so every item of every answer is read. */
  hasPipeline: boolean;
}
