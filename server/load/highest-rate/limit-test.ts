/**
 * Tests whether the target kept or broke a limit, or whether this is undecided. The test uses batches of requests, because successive
 * requests wait in the same queue and are not independent.
 *
 * No published package is used, because none tests percentiles with batches and autocorrelation.
 */
import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { autocorrelation, varianceInflation } from '../../../common/analysis/autocorrelation';
import { allowedShare } from '../../../common/executors/highest-rate';
import type { Condition } from '../../../common/measurement/condition';
import type { Counts } from '../../../common/measurement/counts';

/**
 * Number of batches of equal length into which a step is divided. There are enough to estimate the standard error, and each one is still
 * long.
 */
const BATCHES = 20;
/** A request counts as near the limit if it takes more than this share of the limit. */
const NEAR = 0.5;

/**
 * Counts for one limit, one number per batch. The limited value is the sum of `over` divided by the sum of `of`:
 * - For a percentile: requests slower than the limit, and all requests.
 * - For a rate: rejected (or failed) documents, and all documents.
 * - For a mean: total time in ms, and requests.
 */
export interface LimitTally {
  over: number[];
  of: number[];
  /**
   * Only for a percentile, for each batch: number of requests that are slower than half the limit. These requests show whether slow
   * requests occur in clusters, even if none is too slow.
   */
  near: number[];
}

/** A limit on a time, with which each request is compared. */
interface TimeLimit {
  tally: LimitTally;
  isMean: boolean;
  slowFrom: number;
  nearFrom: number;
}

/** Counts the requests that are due in `[from, until)`, in ms since the start, for all limits. */
export class LimitTallies {
  private readonly tallies: LimitTally[];
  private readonly timeLimits: Record<'latency' | 'service_time', TimeLimit[]>;
  private readonly rejections: LimitTally[];
  private readonly errors: LimitTally[];
  private readonly batchMs: number;

  constructor(
    limits: readonly Condition[],
    private readonly from: number,
    until: number,
  ) {
    this.batchMs = (until - from) / BATCHES;
    const zeros = (): number[] => Array.from({ length: BATCHES }, () => 0);
    this.tallies = limits.map(() => ({ over: zeros(), of: zeros(), near: zeros() }));
    const those = (of: string): number[] =>
      limits.flatMap(({ metric: { figure } }, at) => (figure.startsWith(of) ? [at] : []));
    const times = (of: string): TimeLimit[] =>
      those(of).map((at) => {
        const { metric, value } = limits[at]!;
        const isMean = metric.figure.endsWith('.mean');
        return { tally: this.tallies[at]!, isMean, slowFrom: value, nearFrom: NEAR * value };
      });
    this.timeLimits = { latency: times('latency'), service_time: times('service_time') };
    this.rejections = those('rejection_rate').map((at) => this.tallies[at]!);
    this.errors = those('error_rate').map((at) => this.tallies[at]!);
  }

  count(due: number, { attempted, rejected, failed }: Counts): void {
    if (this.rejections.length + this.errors.length === 0) return;
    const batch = this.batchOf(due);
    for (const { over, of } of this.rejections) {
      over[batch]! += rejected;
      of[batch]! += attempted;
    }
    for (const { over, of } of this.errors) {
      over[batch]! += rejected + failed;
      of[batch]! += attempted;
    }
  }

  /**
   * Adds the latency or the service time of a request, `ms`, to the counts of all limits on this metric. `due` (in ms since the start of
   * the load) determines the batch.
   */
  timed(which: 'latency' | 'service_time', due: number, ms: number): void {
    const limits = this.timeLimits[which];
    if (limits.length === 0) return;
    const batch = this.batchOf(due);
    for (const { tally, isMean, slowFrom, nearFrom } of limits) {
      tally.of[batch]! += 1;
      if (isMean) tally.over[batch]! += ms;
      else if (ms > nearFrom) {
        tally.near[batch]! += 1;
        if (ms > slowFrom) tally.over[batch]! += 1;
      }
    }
  }

  report(): LimitTally[] {
    return this.tallies;
  }

  private batchOf(due: number): number {
    return Math.min(BATCHES - 1, Math.floor((due - this.from) / this.batchMs));
  }
}

export type LimitVerdict = 'kept' | 'broken' | 'undecided';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Returns the variance of the sum of `counts`. The expected count of a batch is proportional to its number of requests, `of`. Correlation
 * between successive batches increases the variance.
 */
function varianceOf(counts: readonly number[], of: readonly number[]): number {
  const ratio = sum(counts) / sum(of);
  const residuals = counts.map((value, batch) => value - ratio * of[batch]!);
  const n = residuals.length;
  const squares = residuals.reduce((total, value) => total + value ** 2, 0);
  return ((squares * n) / (n - 1)) * varianceInflation(autocorrelation(residuals, 1));
}

/**
 * Returns how strongly events, such as slow requests, occur in clusters: their variance divided by the variance of independent events
 * (Poisson). `events` and `of` are the numbers of events and of requests in each batch. The result is at least 1.
 */
const clusterOf = (events: readonly number[], of: readonly number[]): number => {
  const seen = sum(events);
  return seen === 0 ? 1 : Math.max(1, varianceOf(events, of) / seen);
};

/**
 * Tests whether a step kept a limit, with Student's t over the batches. `alpha`: probability of a wrong *kept*, and of a wrong *broken*, if
 * the true value is exactly at the limit. Returns null for a minimum or a maximum, which cannot be tested.
 *
 * Slow requests often occur in clusters, so a few lucky seconds must not be enough to pass. For a percentile, the test estimates the size
 * of a cluster from all requests that were near or above the limit. Without any slow request, a short step remains undecided, because it
 * may have missed the clusters by chance.
 *
 * A limit on rejections or errors is kept if none occurred.
 */
export function testLimit(
  limit: Condition,
  { over, of, near }: LimitTally,
  alpha: number,
): LimitVerdict | null {
  const { figure, unit } = limit.metric;
  const isMean = figure.endsWith('.mean');
  const bound = isMean || unit === 'share' ? limit.value : allowedShare(figure);
  if (bound === null) return null;
  const [seen, all] = [sum(over), sum(of)];
  if (all === 0) return 'undecided';
  if (unit === 'share' && seen === 0) return limit.operator === '<=' || bound > 0 ? 'kept' : 'broken';
  if (bound === 0) return 'broken';
  const allowed = bound * all;
  const reach = tQuantile(1 - alpha, over.length - 1);
  if (isMean) {
    const error = reach * Math.sqrt(varianceOf(over, of));
    return seen - allowed > error ? 'broken' : allowed - seen > error ? 'kept' : 'undecided';
  }
  if (seen - allowed > reach * Math.sqrt(Math.max(varianceOf(over, of), allowed))) return 'broken';
  const clusters = allowed / Math.max(clusterOf(over, of), clusterOf(near, of));
  const isKept =
    seen === 0 ? Math.exp(-clusters) <= alpha : (1 - seen / allowed) * Math.sqrt(clusters) > reach;
  return isKept ? 'kept' : 'undecided';
}

/** Adds up the counts of all load threads for each limit. */
export const mergeTallies = (parts: readonly (readonly LimitTally[])[]): LimitTally[] =>
  parts[0]!.map((_, at) => {
    const added = (key: keyof LimitTally): number[] =>
      parts[0]![at]![key].map((_value, batch) => sum(parts.map((part) => part[at]![key][batch]!)));
    return { over: added('over'), of: added('of'), near: added('near') };
  });
