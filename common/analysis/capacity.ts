/**
 * Calculates how many nodes, clients or shards are needed for a rate, with the fitted scalability law. Also determines which measured cells
 * keep a limit.
 */
import { holds, type Condition } from '../measurement/condition';
import { mean, meanInterval } from './interval';
import type { ScaleCurvePoint, Scaling } from './scaling';

/** Numbers of nodes, clients or shards that are needed for a rate, rounded up. */
export interface Need {
  /** Number by the best fit. Null if the curve does not reach the rate. */
  best: number | null;
  /** Lower end of the 95% interval. Null if the rate is above the whole interval of the curve, so that no number reaches it. */
  low: number | null;
  /**
   * Upper end of the 95% interval. Null if the lower end of the curve's interval never reaches the rate, so that the interval has no upper
   * end.
   */
  high: number | null;
}

/** Returns the numbers at which the curve and both ends of its interval reach `rate`. */
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
 * Whether a limit is kept. `open`: the interval of the metric contains the limit, or there is no interval. `unknown`: there is no value.
 */
export type Kept = 'kept' | 'broken' | 'open' | 'unknown';

/** Value of a limited metric at one measured number of nodes, clients or shards. */
export interface LimitAt {
  n: number;
  /** Mean over the trials; null if no trial has a value. */
  value: number | null;
  low: number | null;
  high: number | null;
  kept: Kept;
}

/** Returns whether the trials of one cell keep a limit. With a single trial the answer is `open`. */
export function limitAt(n: number, values: readonly number[], condition: Condition): LimitAt {
  if (values.length === 0) return { n, value: null, low: null, high: null, kept: 'unknown' };
  const interval = meanInterval(values);
  const value = mean(values);
  if (interval === null) return { n, value, low: null, high: null, kept: 'open' };
  const { low, high } = interval;
  const [atLow, atHigh] = [holds(condition, low), holds(condition, high)];
  return { n, value, low, high, kept: atLow === atHigh ? (atLow ? 'kept' : 'broken') : 'open' };
}
