/**
 * Calculates with the fitted scalability law how many nodes, clients or shards are needed for a rate. Also determines which measured cells
 * meet a condition, such as a latency below 50 ms.
 */
import { holds, type Condition } from '../measurement/condition';
import { mean, meanInterval } from './interval';
import type { ScaleCurvePoint, Scaling } from './scaling';

/** Numbers of nodes, clients or shards that are needed for a rate, rounded up. */
export interface Need {
  /** Number by the best fit; null if the fitted rate never reaches the requested rate. */
  best: number | null;
  /**
   * Lower end of the 95% interval of the needed number. Null if even the upper end of the fitted rate's interval never reaches the
   * requested rate.
   */
  low: number | null;
  /**
   * Upper end of the 95% interval of the needed number. Null if the lower end of the fitted rate's interval never reaches the requested
   * rate.
   */
  high: number | null;
}

/** Returns the numbers at which the fitted rate and both ends of its interval reach `rate`. */
export const needFor = ({ curve }: Pick<Scaling, 'curve'>, rate: number): Need => ({
  best: firstAt(curve, ({ rate: own }) => own, rate),
  low: firstAt(curve, ({ high }) => high ?? Infinity, rate),
  high: firstAt(curve, ({ low }) => low, rate),
});

/**
 * Returns the first number at which a curve reaches a rate. Interpolates linearly between the points of the curve, which are close to each
 * other.
 */
function firstAt(
  curve: readonly ScaleCurvePoint[],
  of: (point: ScaleCurvePoint) => number,
  rate: number,
): number | null {
  const at = curve.findIndex((point) => of(point) >= rate);
  if (at < 0) return null;
  const point = curve[at]!;
  const before = curve[at - 1];
  if (before === undefined || !Number.isFinite(of(point))) return point.n;
  const share = (rate - of(before)) / (of(point) - of(before));
  // The tolerance prevents a rounding error from turning exactly 3 into 4.
  return Math.ceil(before.n + share * (point.n - before.n) - 1e-9);
}

/**
 * Whether a metric meets a condition: `kept` if it does, `broken` if it does not. `open`: undecided, because the interval of the metric
 * contains the limit or there is only one trial. `unknown`: there is no value.
 */
export type Kept = 'kept' | 'broken' | 'open' | 'unknown';

/** Value of a metric with a condition at one measured number of nodes, clients or shards. */
export interface LimitAt {
  n: number;
  /** Mean over the trials; null if no trial has a value. */
  value: number | null;
  low: number | null;
  high: number | null;
  kept: Kept;
}

/**
 * Returns the mean and interval of a metric over the trials of one cell, and whether they meet a condition. With a single trial, the result
 * is `open` (undecided).
 */
export function limitAt(n: number, values: readonly number[], condition: Condition): LimitAt {
  if (values.length === 0) return { n, value: null, low: null, high: null, kept: 'unknown' };
  const interval = meanInterval(values);
  const value = mean(values);
  if (interval === null) return { n, value, low: null, high: null, kept: 'open' };
  const { low, high } = interval;
  const [atLow, atHigh] = [holds(condition, low), holds(condition, high)];
  return { n, value, low, high, kept: atLow === atHigh ? (atLow ? 'kept' : 'broken') : 'open' };
}
