/** How many of what was varied a rate takes, from the fitted law, and where measured cells keep a limit. */
import { holds, type Condition } from '../measurement/condition';
import { mean, meanInterval } from './interval';
import type { ScaleCurvePoint, Scaling } from './scaling';

/** How many it takes; whole numbers, for nobody has half a node. */
export interface Need {
  /** By the best fit; null where that does not reach the rate as far as the law is drawn. */
  best: number | null;
  /** Fewest that the 95% intervals allow; null where not even those reach it. */
  low: number | null;
  /** From here on the rate is reached for certain; null where that is nowhere so. */
  high: number | null;
}

/** From which number on the law, and the ends of its interval, reach `rate`. */
export const needFor = ({ curve }: Pick<Scaling, 'curve'>, rate: number): Need => ({
  best: firstAt(curve, ({ rate: own }) => own, rate),
  low: firstAt(curve, ({ high }) => high ?? Infinity, rate),
  high: firstAt(curve, ({ low }) => low, rate),
});

/** Straight between the points of the curve, which lie so close that the law is no further from a line. */
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
  // So that rounding does not make 4 nodes of what 3 deliver exactly.
  return Math.ceil(before.n + share * (point.n - before.n) - 1e-9);
}

/** `open`: its interval holds the limit, or there is none. */
export type Kept = 'kept' | 'broken' | 'open' | 'unknown';

/** A limited figure at one number that was measured. */
export interface LimitAt {
  n: number;
  /** Null where no trial tells it. */
  value: number | null;
  low: number | null;
  high: number | null;
  kept: Kept;
}

/** Over the trials of one cell; one trial decides nothing. */
export function limitAt(n: number, values: readonly number[], condition: Condition): LimitAt {
  if (values.length === 0) return { n, value: null, low: null, high: null, kept: 'unknown' };
  const interval = meanInterval(values);
  const value = mean(values);
  if (interval === null) return { n, value, low: null, high: null, kept: 'open' };
  const { low, high } = interval;
  const [atLow, atHigh] = [holds(condition, low), holds(condition, high)];
  return { n, value, low, high, kept: atLow === atHigh ? (atLow ? 'kept' : 'broken') : 'open' };
}
