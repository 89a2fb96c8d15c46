/**
 * The newest level of each series against the baseline of the experiment.
 *
 * The newest level (`noise.level`) is held against the mean of the baseline's runs. A run varies by the noise between runs and by
 * its trials, both as the history of the series tells them, so that a baseline of a single run has the noise of one run. Where the
 * baseline's runs vary by more than that, since they lie on several levels, their own variance counts. All series are one family: the
 * intervals that decide hold for all of them together (Bonferroni).
 */
import { LEVEL, type Interval } from '../analysis/confidence';
import { studentQuantile } from '../analysis/student';
import type { SeriesAnswer } from './changes';
import type { RunColumns } from './columns';

/**
 * `worse`, `better`: by more than the margin, confirmed. `same`: the difference is within the margin. `not-worse`: it may be better, and
 * is not worse by more than the margin. `cannot-tell`: the runs vary too much, or are too few.
 */
export type BaselineAnswer = 'worse' | 'better' | 'same' | 'not-worse' | 'cannot-tell';

export interface AgainstBaseline {
  /** Runs of the baseline that tell the series and are no outliers. */
  nights: number;
  /** Levels, in the unit of the metric. */
  baseline: number;
  newest: number;
  /** Newest to baseline; null where the series is on differences. */
  ratio: number | null;
  /** 95%, of the ratio by itself. */
  interval: Interval | null;
  /** As wide as the family asks for: the answer is read from it. Of the ratio, or of the difference in the figure's unit. */
  adjusted: Interval | null;
  /** In the figure's unit, with its 95% interval by itself. */
  difference: number;
  differenceInterval: Interval | null;
  answer: BaselineAnswer;
}

/** What of a series is compared. */
export interface ComparedSeries extends Pick<SeriesAnswer, 'scale' | 'segments' | 'outliers' | 'noise'> {
  better: 'higher' | 'lower';
  means: RunColumns['means'];
  trials: RunColumns['trials'];
}

/** On the scale of the series. */
interface Estimate {
  baseline: number;
  nights: number;
  difference: number;
  /** Null where the noise is not known. */
  error: number | null;
}

/** `nights`: numbers of the baseline's. In the order of the series; null where no run of the baseline tells it, or there is no level. */
export function againstBaseline(
  series: readonly ComparedSeries[],
  nights: readonly number[],
  { margin }: { margin: number },
): (AgainstBaseline | null)[] {
  const estimates = series.map((one) => estimate(one, nights));
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
  nights: readonly number[],
): Estimate | null {
  const level = levelNow({ noise, segments });
  const told = nights.filter((night) => !Number.isNaN(means[night] ?? NaN));
  const out = new Set(outliers);
  // A run that was named by itself is what it is.
  const own = told.length === 1 ? told : told.filter((night) => !out.has(night));
  if (level === undefined || own.length === 0) return null;
  const onScale = (value: number): number => (scale === 'ratio' ? Math.log(value) : value);
  // As parts of a usual run, since the reciprocal of what runs without any noise vary by is no number.
  const usual = noise === null ? 1 : varianceOf(noise, 1);
  const weigh = (night: number): number => (noise === null ? 1 : usual / varianceOf(noise, trials[night]!));
  const weights = own.map(weigh);
  const weight = weights.reduce((sum, one) => sum + one, 0);
  const values = own.map((night) => onScale(means[night]!));
  const baseline = values.reduce((sum, value, at) => sum + weights[at]! * value, 0) / weight;
  const difference = onScale(level) - baseline;
  if (noise === null) return { baseline, nights: own.length, difference, error: null };
  const spread =
    own.length < 2
      ? 0
      : values.reduce((sum, value) => sum + (value - baseline) ** 2, 0) / (own.length - 1) / own.length;
  // Runs that are all the same, such as those without a rejection, differ by nothing for certain.
  if (isSilent(noise) && spread === 0) return { baseline, nights: own.length, difference, error: 0 };
  const newest = varianceOf(noise, noise.trials) / noise.nights;
  const error = Math.sqrt(Math.max(usual / weight, spread) + newest);
  return { baseline, nights: own.length, difference, error };
}

/** What a run of so many trials varies by, on the scale of the series squared. */
const varianceOf = ({ between, within }: NonNullable<SeriesAnswer['noise']>, trials: number): number =>
  Math.max(Number.MIN_VALUE, between + within / Math.max(1, trials));

const isSilent = (noise: NonNullable<SeriesAnswer['noise']>): boolean =>
  varianceOf(noise, 1) === Number.MIN_VALUE;

function judge(
  { scale, better, noise, segments }: ComparedSeries,
  { baseline: centre, nights, difference, error }: Estimate,
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
  const as = (interval: Interval | null, said: (value: number) => number): Interval | null =>
    interval && { ...interval, low: said(interval.low), high: said(interval.high) };
  const inUnit = (value: number): number => (isRatio ? baseline * Math.expm1(value) : value);
  const own = around(LEVEL);
  const wide = around(1 - (1 - LEVEL) / family);
  return {
    nights,
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

/** How far down and up the margin reaches on the scale. */
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
