/** Published figures: what a seed account printed, carried as it is, with what does not add up said beside it. */

export interface PublishedRow {
  /** The levels of the cell that it belongs to, by factor path. */
  levels: Record<string, unknown>;
  /** As printed, by metric; null where the account gives none. */
  figures: Record<string, number | null>;
}

export interface Published {
  /** Name of the account: `sematext-refresh`, `azure-ingestion`. */
  seed: string;
  title: string;
  /** What stood under the measurement: version, machines, duration. */
  conditions: string[];
  /** The column of `figures` that is the throughput, and what its number counts. */
  throughput: string;
  units: Record<string, string>;
  rows: PublishedRow[];
  /** What does not add up in the account, and what had to change since. */
  notes: string[];
}
