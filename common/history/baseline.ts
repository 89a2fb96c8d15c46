/**
 * Compares the newest runs of each series (one metric of one combination of factor levels) with the baseline of the experiment.
 *
 * The level of the newest runs (`noise.level`) is compared with the mean of the baseline's runs. The variance of the baseline's runs is
 * estimated from the whole history of the series, because the baseline may be a single run. If the baseline's runs themselves vary more
 * than this estimate, their variance is used instead.
 *
 * The intervals are widened for the number of series (Bonferroni). With 95% confidence, the results for all series are correct together.
 */
import { LEVEL, type Interval } from '../analysis/confidence';
import { studentQuantile } from '../analysis/student';
import type { SeriesAnswer } from './changes';
import type { RunColumns } from './columns';

/**
 * Result of comparing the newest runs of a series with the baseline.
 * - `worse`, `better`: with 95% confidence, the difference is larger than the margin.
 * - `same`: the difference is within the margin.
 * - `not-worse`: the newest runs are not worse by more than the margin; it is undecided whether they are better.
 * - `cannot-tell`: undecided, because the runs vary too much or are too few.
 */
export type BaselineAnswer = 'worse' | 'better' | 'same' | 'not-worse' | 'cannot-tell';

export interface AgainstBaseline {
  /** Number of the baseline's runs that have a value of the series and are not outliers. */
  nights: number;
  /** Mean of the baseline's runs, in the unit of the metric. */
  baseline: number;
  /** Mean of the newest runs, in the unit of the metric. The newest runs are those since the last change of the series. */
  newest: number;
  /** `newest` divided by `baseline`. Null if the series contains values of 0 or below; only `difference` is meaningful then. */
  ratio: number | null;
  /** 95% interval of the ratio, for this comparison alone. Null without a ratio, or if the noise is unknown. */
  interval: Interval | null;
  /**
   * Interval that decides `answer`. It is wider than `interval`, because all series are judged together. If there is no ratio, it is an
   * interval of the difference, in the metric's unit; otherwise, of the ratio. Null if the noise is unknown.
   */
  adjusted: Interval | null;
  /** `newest` minus `baseline`, in the metric's unit. */
  difference: number;
  /** 95% interval of the difference, for this comparison alone. Null if the noise is unknown. */
  differenceInterval: Interval | null;
  answer: BaselineAnswer;
}

/** Those results of the analysis of a series that the comparison with the baseline uses. */
export interface ComparedSeries extends Pick<SeriesAnswer, 'scale' | 'segments' | 'outliers' | 'noise'> {
  better: 'higher' | 'lower';
  means: RunColumns['means'];
  trials: RunColumns['trials'];
}

/**
 * Estimated mean of the baseline's runs, and its difference from the newest runs. If all values of the series are above 0, both are
 * logarithms; otherwise, they are in the metric's unit.
 */
interface Estimate {
  baseline: number;
  runs: number;
  difference: number;
  /** Standard error of the difference; null if the noise is unknown. */
  error: number | null;
}

/**
 * Compares all series with the baseline. `points`: indices of the baseline's runs. Returns one result per series, in the order of the
 * series. A result is null if the runs of the baseline, or the newest runs, have no value of the series.
 */
export function againstBaseline(
  series: readonly ComparedSeries[],
  points: readonly number[],
  { margin }: { margin: number },
): (AgainstBaseline | null)[] {
  const estimates = series.map((one) => estimate(one, points));
  const family = estimates.filter((one) => one?.error != null).length;
  return series.map((one, at) => {
    const found = estimates[at];
    return found ? judge(one, found, margin, Math.max(1, family)) : null;
  });
}

const levelNow = ({ noise, segments }: Pick<ComparedSeries, 'noise' | 'segments'>): number | undefined =>
  noise?.level ?? segments.at(-1)?.level;

function estimate(
  { scale, segments, outliers, noise, means, trials }: ComparedSeries,
  points: readonly number[],
): Estimate | null {
  const level = levelNow({ noise, segments });
  const measured = points.filter((point) => !Number.isNaN(means[point] ?? NaN));
  const out = new Set(outliers);
  // If the baseline has a single run, the run counts even if it is an outlier.
  const own = measured.length === 1 ? measured : measured.filter((point) => !out.has(point));
  if (level === undefined || own.length === 0) return null;
  const onScale = (value: number): number => (scale === 'ratio' ? Math.log(value) : value);
  // The weight of a run is relative to a usual run. Reciprocals of variances cannot be used as weights, because a run without noise has a
  // variance of 0.
  const usual = noise === null ? 1 : varianceOf(noise, 1);
  const weigh = (point: number): number => (noise === null ? 1 : usual / varianceOf(noise, trials[point]!));
  const weights = own.map(weigh);
  const weight = weights.reduce((sum, one) => sum + one, 0);
  const values = own.map((point) => onScale(means[point]!));
  const baseline = values.reduce((sum, value, at) => sum + weights[at]! * value, 0) / weight;
  const difference = onScale(level) - baseline;
  if (noise === null) return { baseline, runs: own.length, difference, error: null };
  const spread =
    own.length < 2
      ? 0
      : values.reduce((sum, value) => sum + (value - baseline) ** 2, 0) / (own.length - 1) / own.length;
  // If all values are equal, for example because no run had rejections, the difference is certain.
  if (isSilent(noise) && spread === 0) return { baseline, runs: own.length, difference, error: 0 };
  const newest = varianceOf(noise, noise.trials) / noise.nights;
  const error = Math.sqrt(Math.max(usual / weight, spread) + newest);
  return { baseline, runs: own.length, difference, error };
}

/**
 * Returns the variance of the mean of a run with `trials` trials. If all values of the series are above 0, it is the variance of
 * logarithms; otherwise, it is in the squared unit of the metric.
 */
const varianceOf = ({ between, within }: NonNullable<SeriesAnswer['noise']>, trials: number): number =>
  Math.max(Number.MIN_VALUE, between + within / Math.max(1, trials));

const isSilent = (noise: NonNullable<SeriesAnswer['noise']>): boolean =>
  varianceOf(noise, 1) === Number.MIN_VALUE;

function judge(
  { scale, better, noise, segments }: ComparedSeries,
  { baseline: centre, runs, difference, error }: Estimate,
  margin: number,
  family: number,
): AgainstBaseline {
  const isRatio = scale === 'ratio';
  const baseline = isRatio ? Math.exp(centre) : centre;
  const around = (level: number): Interval | null => {
    if (error === null || noise === null) return null;
    const reach = studentQuantile(1 - (1 - level) / 2, noise.degrees) * error;
    return { low: difference - reach, high: difference + reach, level };
  };
  const as = (interval: Interval | null, convert: (value: number) => number): Interval | null =>
    interval && { ...interval, low: convert(interval.low), high: convert(interval.high) };
  const inUnit = (value: number): number => (isRatio ? baseline * Math.expm1(value) : value);
  const own = around(LEVEL);
  const wide = around(1 - (1 - LEVEL) / family);
  return {
    nights: runs,
    baseline,
    newest: levelNow({ noise, segments })!,
    ratio: isRatio ? Math.exp(difference) : null,
    interval: isRatio ? as(own, Math.exp) : null,
    adjusted: isRatio ? as(wide, Math.exp) : wide,
    difference: inUnit(difference),
    differenceInterval: as(own, inUnit),
    answer: answerOf(wide, better, marginsOf(isRatio, margin, baseline)),
  };
}

/**
 * Returns how far the newest level may be below the baseline (`down`, negative) and above it (`up`) without counting as different. Both are
 * logarithms of ratios, or in the metric's unit if the series has no ratios.
 */
const marginsOf = (isRatio: boolean, margin: number, baseline: number): { down: number; up: number } =>
  isRatio
    ? { down: Math.log(Math.max(Number.MIN_VALUE, 1 - margin)), up: Math.log1p(margin) }
    : { down: -margin * Math.abs(baseline), up: margin * Math.abs(baseline) };

function answerOf(
  interval: Interval | null,
  better: 'higher' | 'lower',
  { down, up }: { down: number; up: number },
): BaselineAnswer {
  if (interval === null) return 'cannot-tell';
  const { low, high } = interval;
  const isUp = better === 'higher';
  if (low > up) return isUp ? 'better' : 'worse';
  if (high < down) return isUp ? 'worse' : 'better';
  const [belowUp, aboveDown] = [high <= up, low >= down];
  if (belowUp && aboveDown) return 'same';
  return (isUp ? aboveDown : belowUp) ? 'not-worse' : 'cannot-tell';
}
