/**
 * Calculates a confidence interval of a function of means with the BCa bootstrap, widened for small samples. The random numbers are seeded,
 * so the same trials always give the same interval.
 *
 * It is implemented here because neither simple-statistics nor @stdlib has a BCa bootstrap.
 */
import normalCdf from '@stdlib/stats-base-dists-normal-cdf';
import { createRandom } from '../random';
import type { Interval } from './confidence';
import { normalQuantile, studentQuantile } from './student';

interface BootstrapInput {
  /** Independent samples. Each is resampled separately. */
  groups: readonly (readonly number[])[];
  /** Calculates the statistic from the mean of each group. */
  statistic: (means: readonly number[]) => number;
  /**
   * For each group, the influence of each of its values on the statistic (the derivative of the statistic by this value). The skewness of
   * the influences corrects the interval.
   */
  influences: readonly (readonly number[])[];
  /** Degrees of freedom of the statistic's standard error. */
  degrees: number;
  level: number;
}

const LEAST_RESAMPLES = 4000;
/**
 * Expected number of resamples whose statistic is beyond each end of the interval. A higher confidence therefore needs more resamples in
 * total.
 */
const RESAMPLES_BEYOND = 50;
const MOST_RESAMPLES = 100_000;
const SEED = 20_150_401;

/**
 * Returns the bias-corrected and accelerated interval (Efron 1987; for several samples: Davison and Hinkley 1997, section 5.3.2).
 *
 * For small samples, a plain bootstrap interval is too narrow. It underestimates the variance by (n - 1)/n, and uses a normal quantile
 * although the variance is estimated (Hesterberg 2015, section 4.3.3). This function uses Student's quantile and the corrected variance.
 */
export function bootstrapInterval({
  groups,
  statistic,
  influences,
  degrees,
  level,
}: BootstrapInput): Interval {
  const tail = (1 - level) / 2;
  const resamples = Math.min(MOST_RESAMPLES, Math.max(LEAST_RESAMPLES, Math.ceil(RESAMPLES_BEYOND / tail)));
  const random = createRandom(SEED);
  const resampledMean = (values: readonly number[]): number => {
    let sum = 0;
    for (let i = 0; i < values.length; i += 1) sum += values[(random.unit() * values.length) | 0]!;
    return sum / values.length;
  };
  const figures = new Float64Array(resamples);
  for (let i = 0; i < resamples; i += 1) figures[i] = statistic(groups.map(resampledMean));
  figures.sort();

  const found = statistic(
    groups.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length),
  );
  let below = 0;
  for (const figure of figures) below += figure < found ? 1 : figure === found ? 0.5 : 0;
  const bias = normalQuantile(Math.min(1 - 1 / resamples, Math.max(1 / resamples, below / resamples)));
  const acceleration = accelerationOf(influences);
  const reach = studentQuantile(1 - tail, degrees) * smallSampleFactor(influences);
  const end = (z: number): number => {
    const shifted = bias + (bias + z) / (1 - acceleration * (bias + z));
    return quantile(figures, normalCdf(shifted, 0, 1));
  };
  return { low: end(-reach), high: end(reach), level };
}

/** Returns the quantile for `p` in [0, 1], with linear interpolation between the values. */
function quantile(sorted: Float64Array, p: number): number {
  const at = p * (sorted.length - 1);
  const low = Math.floor(at);
  const below = sorted[low]!;
  return below + (at - low) * ((sorted[low + 1] ?? below) - below);
}

const moment = (influences: BootstrapInput['influences'], power: number, exponent: number): number =>
  influences.reduce(
    (sum, group) => sum + group.reduce((inner, u) => inner + u ** power, 0) / group.length ** exponent,
    0,
  );

/** Acceleration: a = (1/6) Σ u³/n³ / (Σ u²/n²)^(3/2), over the values of all groups. */
const accelerationOf = (influences: BootstrapInput['influences']): number =>
  moment(influences, 3, 3) / (6 * moment(influences, 2, 2) ** 1.5);

/**
 * Returns the unbiased standard error divided by the standard error of a plain bootstrap: sqrt(n / (n - 1)) if all groups have the same
 * size.
 */
const smallSampleFactor = (influences: BootstrapInput['influences']): number => {
  const unbiased = influences.reduce(
    (sum, group) => sum + group.reduce((inner, u) => inner + u * u, 0) / (group.length * (group.length - 1)),
    0,
  );
  return Math.sqrt(unbiased / moment(influences, 2, 2));
};
