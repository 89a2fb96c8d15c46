/** Published benchmarks: their figures exactly as printed, with notes about figures that are inconsistent. */
import type { AccountFile, FiguresFile, PresetFile } from './schema';

export type { PrintedFigure, PublishedRow } from './schema';

/** A printed column that can be compared with a metric of a run. */
export interface ComparedFigure {
  /** Column of the rows' `figures`. */
  figure: string;
  /** Name of the metric with which the column is compared, such as `ingest.throughput`. */
  metric: string;
}

/** A note about some of the published figures. */
export interface FigureNote {
  note: string;
  /** Columns to which the note applies; empty for all columns. */
  figures: readonly string[];
  /** Rows to which the note applies: the rows that have, for each path, one of the listed levels. Empty for all rows. */
  levels: Readonly<Record<string, readonly unknown[]>>;
}

/** The published benchmark of one preset. If the publication gives advice without figures, `units` and `rows` are empty. */
export interface Published
  extends
    Pick<AccountFile, 'title' | 'url' | 'repeated' | 'own'>,
    Pick<PresetFile, 'conditions' | 'changes'>,
    FiguresFile {
  /** Name of the published benchmark: `sematext-refresh`, `azure-ingestion`. */
  seed: string;
  /** If the preset is a variant: name of the preset that has the same figures. */
  variantOf?: string;
  /** Missing information and inconsistencies in the published benchmark. */
  notes: string[];
  /** The notes that concern certain figures, with those figures. */
  doubts: FigureNote[];
  /** Columns that are compared with metrics of a run, the most important one first. */
  compared: ComparedFigure[];
}
