/** Confidence intervals. */

/** A confidence interval, with its ends in the unit of the value. */
export interface Interval {
  low: number;
  high: number;
  /** Confidence, such as 0.95. */
  level: number;
}

/** Confidence of an interval for a single comparison. Intervals that are judged together are wider. */
export const LEVEL = 0.95;
