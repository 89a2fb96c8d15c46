/** What an interval is, and how sure the shown ones are. */

/** Where a figure lies with probability `level`; the ends in the unit of the figure. */
export interface Interval {
  low: number;
  high: number;
  /** Confidence, e.g. 0.95. */
  level: number;
}

/** Confidence of every interval that is shown by itself. */
export const LEVEL = 0.95;
