/** Intervals of a mean and of a ratio of two means, over trials: Student's t for few, a BCa bootstrap for more. */
import { meanSimple, variance as populationVariance } from 'simple-statistics';
import { bootstrapInterval } from './bootstrap';
import { LEVEL, type Interval } from './confidence';
import { studentQuantile } from './student';

/**
 * Fewest trials that a bootstrap can carry. Below, the few distinct resamples make its intervals too narrow
 * (Hesterberg 2015, "What Teachers Should Know About the Bootstrap", section 4), and Student's t is the better guess.
 */
export const BOOTSTRAP_FROM = 10;

export const mean = (values: readonly number[]): number => meanSimple([...values]);

/** Sample variance (n - 1 below the line); 0 for a single value. */
export const sampleVariance = (values: readonly number[]): number =>
  values.length < 2 ? 0 : (populationVariance([...values]) * values.length) / (values.length - 1);

/**
 * Interval of the mean of `values`; null for fewer than two. All figures of Dyno are counts, rates, shares or times and
 * cannot be negative, so an end below 0 is cut to 0 unless a value itself is negative; that loses no coverage.
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

/** Degrees of freedom of a sum of two independent variances of means (Welch 1947; Satterthwaite 1946). */
export function welchDegrees(a: { square: number; n: number }, b: { square: number; n: number }): number {
  const below = a.square ** 2 / (a.n - 1) + b.square ** 2 / (b.n - 1);
  return below === 0 ? a.n + b.n - 2 : (a.square + b.square) ** 2 / below;
}

/**
 * Interval of mean(values) / mean(against); null with fewer than two values on a side or a mean that is not positive.
 *
 * Few trials: the log of the ratio of means with its delta-method error, s1²/(n1 m1²) + s2²/(n2 m2²) (Hedges, Gurevitch
 * and Curtis 1999, "The meta-analysis of response ratios"), on Welch-Satterthwaite degrees of freedom. On the log scale
 * the interval is never negative and reads the same in both directions (a/b and b/a).
 * From {@link BOOTSTRAP_FROM} trials on both sides: BCa bootstrap of the log ratio, both sides resampled.
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

/** Interval of mean(values) - mean(against), Welch's t: where a mean is 0 and no ratio exists. Null below two values. */
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
