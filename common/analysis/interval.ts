/**
 * Intervals of a mean, and of a ratio of two means, over trials. With few trials, they use Student's t; with more trials, a BCa bootstrap.
 */
import { meanSimple, variance as populationVariance } from 'simple-statistics';
import { bootstrapInterval } from './bootstrap';
import { LEVEL, type Interval } from './confidence';
import { studentQuantile } from './student';

/**
 * Minimum number of trials for the bootstrap. With fewer trials, there are only few distinct resamples, which makes the intervals too
 * narrow (Hesterberg 2015, "What Teachers Should Know About the Bootstrap", section 4). Student's t is then the better approximation.
 */
export const BOOTSTRAP_FROM = 10;

export const mean = (values: readonly number[]): number => meanSimple([...values]);

/** Returns the sample variance (divided by n - 1); 0 for a single value. */
export const sampleVariance = (values: readonly number[]): number =>
  values.length < 2 ? 0 : (populationVariance([...values]) * values.length) / (values.length - 1);

/**
 * Returns the interval of the mean of `values`. Null if there are fewer than two values. If all values are 0 or more, a lower end below 0
 * is set to 0. This does not reduce the coverage, because such metrics (counts, rates, shares, times) are never negative.
 */
export function meanInterval(values: readonly number[], level = LEVEL): Interval | null {
  const n = values.length;
  if (n < 2) return null;
  const centre = mean(values);
  const variance = sampleVariance(values);
  const degrees = n - 1;
  const interval =
    n < BOOTSTRAP_FROM || variance === 0
      ? around(centre, Math.sqrt(variance / n), degrees, level)
      : bootstrapInterval({
          groups: [values],
          statistic: ([resampled]) => resampled!,
          influences: [values.map((value) => value - centre)],
          degrees,
          level,
        });
  return values.some((value) => value < 0) ? interval : { ...interval, low: Math.max(0, interval.low) };
}

const around = (centre: number, error: number, degrees: number, level: number): Interval => {
  const reach = error === 0 ? 0 : studentQuantile((1 + level) / 2, degrees) * error;
  return { low: centre - reach, high: centre + reach, level };
};

/**
 * Returns the degrees of freedom of a difference of two independent means, from the variances of the two means (Welch 1947; Satterthwaite
 * 1946).
 */
export function welchDegrees(a: { square: number; n: number }, b: { square: number; n: number }): number {
  const below = a.square ** 2 / (a.n - 1) + b.square ** 2 / (b.n - 1);
  return below === 0 ? a.n + b.n - 2 : (a.square + b.square) ** 2 / below;
}

/**
 * Returns the interval of mean(values) / mean(against). Null if a side has fewer than two values, or if a mean is not positive.
 *
 * With few trials, the interval is calculated for the log of the ratio of means. It uses the delta-method variance s1²/(n1 m1²) + s2²/(n2
 * m2²) (Hedges, Gurevitch and Curtis 1999, "The meta-analysis of response ratios") and Welch-Satterthwaite degrees of freedom. On the log
 * scale, the ends of the interval are never negative, and a/b and b/a give equivalent intervals. With {@link BOOTSTRAP_FROM} or more trials
 * on both sides, the interval is the BCa bootstrap of the log ratio, and both sides are resampled.
 */
export function ratioInterval(
  values: readonly number[],
  against: readonly number[],
  level = LEVEL,
): Interval | null {
  if (values.length < 2 || against.length < 2) return null;
  const [top, bottom] = [mean(values), mean(against)];
  if (top <= 0 || bottom <= 0) return null;
  const relative = (side: readonly number[], centre: number): { square: number; n: number } => ({
    square: sampleVariance(side) / side.length / centre ** 2,
    n: side.length,
  });
  const [a, b] = [relative(values, top), relative(against, bottom)];
  const degrees = welchDegrees(a, b);
  const enough = Math.min(values.length, against.length) >= BOOTSTRAP_FROM && a.square > 0 && b.square > 0;
  const log = enough
    ? bootstrapInterval({
        groups: [values, against],
        statistic: ([one, other]) => Math.log(one! / other!),
        influences: [values.map((value) => value / top - 1), against.map((value) => 1 - value / bottom)],
        degrees,
        level,
      })
    : around(Math.log(top / bottom), Math.sqrt(a.square + b.square), degrees, level);
  return { low: Math.exp(log.low), high: Math.exp(log.high), level };
}

/**
 * Returns the interval of mean(values) - mean(against) by Welch's t. It is used for means without a ratio. Null if one of the two samples
 * has fewer than two values.
 */
export function differenceInterval(
  values: readonly number[],
  against: readonly number[],
  level = LEVEL,
): Interval | null {
  if (values.length < 2 || against.length < 2) return null;
  const side = (of: readonly number[]): { square: number; n: number } => ({
    square: sampleVariance(of) / of.length,
    n: of.length,
  });
  const [a, b] = [side(values), side(against)];
  return around(mean(values) - mean(against), Math.sqrt(a.square + b.square), welchDegrees(a, b), level);
}
