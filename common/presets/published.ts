/** Published figures: what an account printed, carried as it is, with what does not add up said beside it. */
import type { AccountFile, FiguresFile, PresetFile } from './schema';

export type { PrintedFigure, PublishedRow } from './schema';

/** A printed column that a run has a figure of its own for. */
export interface ComparedFigure {
  /** Column of the rows' `figures`. */
  figure: string;
  /** What stands beside it: `ingest.throughput`. */
  metric: string;
}

/** A note that concerns figures of an account. */
export interface Doubt {
  note: string;
  /** Columns; empty for all of a row. */
  figures: readonly string[];
  /** Of its rows, any of a list of levels for each path; empty for all rows. */
  levels: Readonly<Record<string, readonly unknown[]>>;
}

/** `units` and `rows` are empty where the account advises without printing figures. */
export interface Published
  extends
    Pick<AccountFile, 'title' | 'url' | 'repeated' | 'own'>,
    Pick<PresetFile, 'conditions' | 'changes'>,
    FiguresFile {
  /** Name of the account: `sematext-refresh`, `azure-ingestion`. */
  seed: string;
  /** Another preset of the account, whose figures these are. */
  variantOf?: string;
  /** What the account leaves open, and what in it does not add up. */
  notes: string[];
  /** Those of the notes that concern single figures, with which. */
  doubts: Doubt[];
  /** The columns that are set beside a run's own figures, the one that matters most first. */
  compared: ComparedFigure[];
}
