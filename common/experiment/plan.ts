/** The plan: every trial in its order, with an estimate, before anything starts. */
import type { Cell } from '../measurement/trial';

export interface PlannedTrial {
  order: number;
  /** Index into `cells`. */
  cell: number;
  repetition: number;
}

export interface Plan {
  cells: Cell[];
  /** The cell that the others are compared with. */
  baseline: number;
  trials: PlannedTrial[];
  estimate: {
    /** Measured and warm-up time of all trials and an allowance for preparing, ms; null when documents are counted and no rate is known. */
    ms: number | null;
    /** Documents over all trials; null when the duration, not their number, is given. */
    documents: number | null;
    /** Bytes of documents sent over all trials, an upper bound for the disk of one trial is a trial's share; null if unknown. */
    bytes: number | null;
  };
}
