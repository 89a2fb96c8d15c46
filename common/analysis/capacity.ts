/** How many nodes, clients or shards a rate needs, from the fitted scalability law, and which measured cells keep a limit. */
import { holds, type Condition } from '../measurement/condition';
import { mean, meanInterval } from './interval';
import type { ScaleCurvePoint, Scaling } from './scaling';

/** Numbers of nodes, clients or shards that a rate needs, rounded up. */
export interface Need {
  /** By the best fit; null if the curve does not reach the rate. */
  best: number | null;
  /** Lower bound by the 95% interval; null if not even its upper end reaches the rate. */
  low: number | null;
  /** Upper bound by the 95% interval; null if its lower end never reaches the rate. */
  high: number | null;
}

/** Returns the numbers at which the curve and the ends of its interval reach `rate`. */
export const needFor = ({ curve }: Pick<Scaling, 'curve'>, rate: number): Need => ({
  best: firstAt(curve, ({ rate: own }) => own, rate),
  low: firstAt(curve, ({ high }) => high ?? Infinity, rate),
  high: firstAt(curve, ({ low }) => low, rate),
});

/** Interpolates linearly between the points of the curve, which are close to each other. */
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
  // The tolerance avoids that a rounding error turns exactly 3 into 4.
  return Math.ceil(before.n + share * (point.n - before.n) - 1e-9);
}

/** Whether a limit is kept. `open`: the interval contains the limit, or no interval exists. */
export type Kept = 'kept' | 'broken' | 'open' | 'unknown';

/** A metric with a limit, at one measured number of nodes, clients or shards. */
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
