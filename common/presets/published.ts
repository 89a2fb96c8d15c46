/** Published benchmarks: their figures exactly as printed, with notes about figures that are inconsistent. */
import type { AccountFile, FiguresFile, PresetFile } from './schema';

export type { PrintedFigure, PublishedRow } from './schema';

/** A printed column that can be compared with a metric of a run. */
export interface ComparedFigure {
  /** Column of the rows' `figures`. */
  figure: string;
  /** The metric: `ingest.throughput`. */
  metric: string;
}

/** A note about certain published figures. */
export interface FigureNote {
  note: string;
  /** Affected columns; empty for all columns. */
  figures: readonly string[];
  /** Affected rows: those with one of the listed levels for each path; empty for all rows. */
  levels: Readonly<Record<string, readonly unknown[]>>;
}

/** A published benchmark of one preset. `units` and `rows` are empty if it gives advice without figures. */
export interface Published
  extends
    Pick<AccountFile, 'title' | 'url' | 'repeated' | 'own'>,
    Pick<PresetFile, 'conditions' | 'changes'>,
    FiguresFile {
  /** Name of the published benchmark: `sematext-refresh`, `azure-ingestion`. */
  seed: string;
  /** Name of another preset with the same figures, if this is a variant of it. */
  variantOf?: string;
  /** Missing information and inconsistencies in the published benchmark. */
  notes: string[];
  /** The notes that concern certain figures, with those figures. */
  doubts: FigureNote[];
  /** Columns that are compared with metrics of a run, the most important one first. */
  compared: ComparedFigure[];
}
