/** Where the documents of a load must be stored, and whether anything may drop them or send them elsewhere. */
export interface Destination {
  /** Names that answers give the indices under test: of an alias or a data stream, those behind it. Empty where nobody knows them. */
  names: string[];
  /** Indices that an alias or a data stream may get while the load runs: such a name, then a date or a number. */
  series: string[];
  /** An ingest pipeline is set for the indices, or that is not known: each item of each answer is read. */
  hasPipeline: boolean;
}
