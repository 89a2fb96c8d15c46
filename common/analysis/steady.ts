/**
 * Steady state: where the start-up of a load ends, and whether its throughput has a trend over the measured phase.
 *
 * By hand: the packages for statistics have no rule for the end of a warm-up, and no trend test that allows for autocorrelation.
 */
import type { SteadyState } from '../measurement/trial';
import { autocorrelation, varianceInflation } from './autocorrelation';

/** Seconds in a batch: the 5 of MSER-5. Means of batches are less correlated than seconds. */
const BATCH = 5;
/** Fewer batches than this (one minute) cannot tell a trend from chance. */
const LEAST_BATCHES = 12;
/** Standard errors that a slope lies from 0 before it counts as a trend: by chance in one of fifty. */
const TREND_ERRORS = 2.3;
/** Standard errors from which on four of five trends count: those above, and the 80% point of the normal distribution. */
const FOUND_ERRORS = TREND_ERRORS + 0.84;
/** A start-up that reaches beyond this share of the measured phase is no start-up. */
const LATEST_START = 0.25;

/** A change by this share of the mean, or less, does not matter. */
const MARGIN = 0.05;

/**
 * Below so many measured seconds the test is weak. In simulation (`npm run bench -- steady`), of trials that drift by
 * {@link WEAK_CHANGE} while their seconds vary by 5% to 10%, it doubts 95% and more from 300 s on, 72% to 100% of 120 s,
 * and 46% to 92% of 60 s.
 */
export const WEAK_BELOW_S = 300;
export const WEAK_CHANGE = 0.1;

/**
 * The load is settled where the throughput of the measured phase has no trend: where the slope of a line through its
 * batches lies at most {@link TREND_ERRORS} standard errors from 0, or changes it by at most {@link MARGIN} over the phase.
 * The error allows for the autocorrelation of the batches. What rises and falls back again is no trend.
 *
 * A trend that a start-up makes is none behind it, so the same is asked behind the point where the squared standard error
 * of the mean of what is left is smallest (MSER-5: White 1997, "An effective truncation heuristic for bias reduction in
 * simulation output"; in batches of five, White, Cobb and Spratt 2000), within the warm-up and the first quarter of the phase.
 *
 * @param values accepted documents (or searches) in each second, from the start of the load
 * @param warmupSeconds how many of them are of the warm-up
 * @returns null when there are fewer than 60 values behind the warm-up
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
    // A point within a phase without a trend is there by chance.
    afterSeconds: BATCH * (behind === whole ? Math.min(start, warmup) : start),
    change: behind.change,
    findsFrom: FOUND_ERRORS * behind.error,
  };
}

/** Shares of the mean: by how much a line changes over a phase, and the standard error of that. */
interface Trend {
  change: number;
  error: number;
}

/** `length` of the phase that the change is over, in batches. */
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
 * What is left around the two levels that fit best. A level that changed at once leaves long runs on one side of a line,
 * which are no autocorrelation.
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

/** The number of batches to leave out, at most `latest`, behind which the mean is known best. */
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

/** What is left of a last incomplete batch is dropped. */
function batchMeans(values: readonly number[]): number[] {
  return Array.from({ length: Math.floor(values.length / BATCH) }, (_, batch) => {
    let sum = 0;
    for (let i = 0; i < BATCH; i += 1) sum += values[batch * BATCH + i]!;
    return sum / BATCH;
  });
}
