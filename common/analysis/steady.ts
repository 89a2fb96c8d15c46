/**
 * Steady state: determines when the start-up of a load ends, and whether its throughput has a trend over the measured phase.
 *
 * It is implemented here because statistics packages contain no rule for the end of a warm-up, and no trend test that accounts for
 * autocorrelation.
 */
import type { SteadyState } from '../measurement/trial';
import { autocorrelation, varianceInflation } from './autocorrelation';

/** Length of a batch in s, as in MSER-5. Means of batches are less correlated than values of single seconds. */
const BATCH = 5;
/** Minimum number of batches: one minute. With fewer batches, a trend cannot be distinguished from chance. */
const LEAST_BATCHES = 12;
/**
 * Distance of a slope from 0, in standard errors, above which it counts as a trend. By chance alone, one of fifty loads without a trend
 * exceeds it.
 */
const TREND_ERRORS = 2.3;
/**
 * Size of a trend, in standard errors, that the test finds in four of five cases: {@link TREND_ERRORS} plus the 80% quantile of the normal
 * distribution.
 */
const FOUND_ERRORS = TREND_ERRORS + 0.84;
/** Latest time at which a start-up can end, as a share of the measured phase. */
const LATEST_START = 0.25;

/** Largest change over the phase that does not count as a trend, as a share of the mean. */
const MARGIN = 0.05;

/**
 * Number of measured seconds below which the test is weak. The number comes from simulated trials whose throughput drifts by {@link
 * WEAK_CHANGE} and varies by 5% to 10% from second to second (`npm run bench -- steady`). The test flags at least 95% of such trials of 300
 * s or more, 72% to 100% of trials of 120 s, and 46% to 92% of trials of 60 s.
 */
export const WEAK_BELOW_S = 300;
export const WEAK_CHANGE = 0.1;

/**
 * Tests whether the throughput of a load is steady: whether it has no trend over the measured phase. A line is fitted through the means of
 * batches of seconds. There is a trend if the slope of the line is more than {@link TREND_ERRORS} standard errors from 0, and if the line
 * changes by more than {@link MARGIN}. The standard error allows for autocorrelation. A rise that falls back again is not a trend.
 *
 * If there is a trend, the test is repeated without the start-up of the load, which may be its cause. MSER-5 determines the end of the
 * start-up, within the warm-up and the first quarter of the measured phase (White 1997, "An effective truncation heuristic for bias
 * reduction in simulation output"; White, Cobb and Spratt 2000). It is the point after which the standard error of the mean is smallest.
 *
 * @param values accepted documents (or searches) in each second, from the start of the load
 * @param warmupSeconds number of those seconds that belong to the warm-up
 * @returns null if there are fewer than 60 values after the warm-up
 */
export function steadyState(values: readonly number[], warmupSeconds: number): Required<SteadyState> | null {
  const batches = batchMeans(values);
  const warmup = Math.ceil(warmupSeconds / BATCH);
  const measured = batches.length - warmup;
  if (measured < LEAST_BATCHES) return null;
  const latest = warmup + Math.floor(LATEST_START * measured);
  const start = truncationPoint(batches, latest);
  const isTrend = ({ change, error }: Trend): boolean =>
    Math.abs(change) > TREND_ERRORS * error && Math.abs(change) > MARGIN;
  const whole = trendOf(batches.slice(warmup));
  const behind = isTrend(whole) && start > warmup ? trendOf(batches.slice(start), measured) : whole;
  return {
    settled: !isTrend(behind),
    // Without a trend, the start-up is not needed. The MSER-5 point would then only reflect chance.
    afterSeconds: BATCH * (behind === whole ? Math.min(start, warmup) : start),
    change: behind.change,
    findsFrom: FOUND_ERRORS * behind.error,
  };
}

/** Change along a line over a phase, and the standard error of this change; both as shares of the mean. */
interface Trend {
  change: number;
  error: number;
}

/** Returns the trend of `values`. `length`: length of the phase to which the change refers, in batches. */
function trendOf(values: readonly number[], length = values.length): Trend {
  const n = values.length;
  const middle = (n - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  if (mean === 0) return { change: 0, error: 0 };
  const spread = (n * (n * n - 1)) / 12;
  const slope = values.reduce((sum, value, at) => sum + value * (at - middle), 0) / spread;
  const residuals = values.map((value, at) => value - mean - slope * (at - middle));
  const variance = squares(residuals) / (n - 2);
  const rho = autocorrelation(lessOf(residuals, aroundStep(values)), 2);
  const error = Math.sqrt((variance / spread) * varianceInflation(rho));
  return { change: (slope * length) / mean, error: (error * length) / mean };
}

const squares = (values: readonly number[]): number => values.reduce((sum, value) => sum + value ** 2, 0);

const lessOf = (a: number[], b: number[]): number[] => (squares(b) < squares(a) ? b : a);

/**
 * Returns the residuals around the best step function with two levels, from which autocorrelation is estimated. Residuals around a line are
 * unsuitable if the level changes suddenly: they would have the same sign for a long time, which looks like autocorrelation.
 */
function aroundStep(values: readonly number[]): number[] {
  const n = values.length;
  const total = values.reduce((sum, value) => sum + value, 0);
  let best = { gain: -1, before: 0, low: 0, high: 0 };
  let sum = 0;
  for (let before = 1; before < n; before += 1) {
    sum += values[before - 1]!;
    const [low, high] = [sum / before, (total - sum) / (n - before)];
    const gain = (before * (n - before) * (high - low) ** 2) / n;
    if (gain > best.gain) best = { gain, before, low, high };
  }
  return values.map((value, at) => value - (at < best.before ? best.low : best.high));
}

/**
 * Returns how many batches to leave out at the beginning, at most `latest`. The mean of the remaining batches then has the smallest
 * standard error.
 */
function truncationPoint(batches: readonly number[], latest: number): number {
  let best = { dropped: 0, error: Infinity };
  for (let dropped = 0; dropped <= latest; dropped += 1) {
    const left = batches.slice(dropped);
    const mean = left.reduce((sum, value) => sum + value, 0) / left.length;
    const error = Math.sqrt(squares(left.map((value) => value - mean))) / left.length;
    if (error < best.error) best = { dropped, error };
  }
  return best.dropped;
}

/** Returns the mean of each batch. An incomplete last batch is left out. */
function batchMeans(values: readonly number[]): number[] {
  return Array.from({ length: Math.floor(values.length / BATCH) }, (_, batch) => {
    let sum = 0;
    for (let i = 0; i < BATCH; i += 1) sum += values[batch * BATCH + i]!;
    return sum / BATCH;
  });
}
