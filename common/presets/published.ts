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

/** `units` and `rows` are empty where the account advises without printing figures. */
export interface Published
  extends
    Pick<AccountFile, 'title' | 'repeated' | 'own'>,
    Pick<PresetFile, 'conditions' | 'notes' | 'changes'>,
    FiguresFile {
  /** Name of the account: `sematext-refresh`, `azure-ingestion`. */
  seed: string;
  /** The columns that are set beside a run's own figures, the one that matters most first. */
  compared: ComparedFigure[];
}
