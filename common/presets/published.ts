/** Published figures: what a seed account printed, carried as it is, with what does not add up said beside it. */
import type { Environment } from '../experiment/environment';

/** A number in the unit of its column, a text such as the shard layout `2-2-1`, or null where the account gives none. */
export type PrintedFigure = number | string | null;

export interface PublishedRow {
  /** The levels of the cell that it belongs to, by factor path. */
  levels: Record<string, unknown>;
  /**
   * Labels of the environment, `machine: DS4`, where the account measured the same cells in several: the row stands beside
   * runs of the same label. Where the run has none of that name, the first of such rows does.
   */
  labels?: Environment;
  /** As printed, by column. */
  figures: Record<string, PrintedFigure>;
}

/** A printed column that a run has a figure of its own for. */
export interface ComparedFigure {
  /** Column of the rows' `figures`. */
  figure: string;
  /** What stands beside it: `ingest.throughput`. */
  metric: string;
}

export interface Published {
  /** Name of the account: `sematext-refresh`, `azure-ingestion`. */
  seed: string;
  title: string;
  /** What stood under the measurement: version, machines, load, duration. */
  conditions: string[];
  /** How often each cell was measured, to stand in a sentence: `one trial of each cell`. Its figures have no interval. */
  repeated: string;
  /** What the number of each column counts. */
  units: Record<string, string>;
  /** None where the account advises without printing figures. */
  rows: PublishedRow[];
  /** The columns that are set beside a run's own figures, the one that matters most first. */
  compared: ComparedFigure[];
  /** What the account leaves open, and what in it does not add up. */
  notes: string[];
  /** What had to change since, and where the experiment departs from the account on purpose. */
  changes: string[];
}
