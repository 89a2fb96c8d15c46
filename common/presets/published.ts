/** Published benchmarks: their figures exactly as printed, with notes about figures that are inconsistent. */
import type { AccountFile, FiguresFile, PresetFile } from './schema';

export type { PrintedFigure, PublishedRow } from './schema';

/** A printed column that can be compared with a metric of a run. */
export interface ComparedFigure {
  /** Name of the column, as in the `figures` of a row. */
  figure: string;
  /** Name of the metric with which the column is compared, such as `ingest.throughput`. */
  metric: string;
}

/** A note about some of the published figures. */
export interface FigureNote {
  note: string;
  /** Columns to which the note applies; empty for all columns. */
  figures: readonly string[];
  /**
   * Rows to which the note applies, by factor levels. The key is the path of a factor, the value lists levels of it. A row must have one of
   * the levels for each path. Empty for all rows.
   */
  levels: Readonly<Record<string, readonly unknown[]>>;
}

/** The published benchmark of one preset. If the publication gives advice without figures, `units` and `rows` are empty. */
export interface Published
  extends
    Pick<AccountFile, 'title' | 'url' | 'repeated' | 'own'>,
    Pick<PresetFile, 'conditions' | 'changes'>,
    FiguresFile {
  /** Name of the published benchmark, such as `azure-ingestion`, which is also the name of its folder. */
  seed: string;
  /** If the preset is a variant: name of the preset that has the same figures. */
  variantOf?: string;
  /** Sentences about missing information and inconsistencies in the published benchmark. */
  notes: string[];
  /** Notes on certain figures, which reports show next to these figures. */
  doubts: FigureNote[];
  /** Columns that are compared with metrics of a run, the most important one first. */
  compared: ComparedFigure[];
}
