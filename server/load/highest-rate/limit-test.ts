/**
 * Whether a limit was kept, broken, or neither can be said: a test on batches of requests, since requests that follow each
 * other wait in the same queue and are not independent. Pure.
 *
 * By hand: no package tests a percentile on batches that allows for autocorrelation.
 */
import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { autocorrelation, varianceInflation } from '../../../common/analysis/autocorrelation';
import { allowedShare } from '../../../common/executors/highest-rate';
import type { Condition } from '../../../common/measurement/condition';
import type { Counts } from '../../../common/measurement/counts';

/** A step is cut into so many batches of equal length: enough to estimate their error, and each as long as can be. */
const BATCHES = 20;
/** Share of a limit from which on a request is near it. */
const NEAR = 0.5;

/**
 * What a limit bounds, batch by batch: the bounded figure is the sum of `over` by the sum of `of`. Of a percentile, requests
 * slower than the limit by all; of a rate, rejected (or failed) documents by those sent; of a mean, ms by requests.
 */
export interface LimitTally {
  over: number[];
  of: number[];
  /** Of a percentile: requests slower than half the limit, which show how slow ones come in clusters before any is too slow. */
  near: number[];
}

/** A limit on a time, as each request is held against it. */
interface TimeLimit {
  tally: LimitTally;
  isMean: boolean;
  slowFrom: number;
  nearFrom: number;
}

/** Counts for the limits what was due in `[from, until)`, ms since the start. */
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

  /** `which` of its times a request took. */
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

/** Variance of the sum of `counts` beyond what their sum by that of `of` explains, widened by their autocorrelation. */
function varianceOf(counts: readonly number[], of: readonly number[]): number {
  const ratio = sum(counts) / sum(of);
  const residuals = counts.map((value, batch) => value - ratio * of[batch]!);
  const n = residuals.length;
  const squares = residuals.reduce((total, value) => total + value ** 2, 0);
  return ((squares * n) / (n - 1)) * varianceInflation(autocorrelation(residuals, 1));
}

/**
 * How many events come together: their variance by that of as many that are independent of each other (Poisson). At least 1:
 * they are never taken for more regular than chance alone would make them.
 */
const clusterOf = (events: readonly number[], of: readonly number[]): number => {
  const seen = sum(events);
  return seen === 0 ? 1 : Math.max(1, varianceOf(events, of) / seen);
};

/**
 * Student's t over the batches; `alpha` is the chance of a wrong *kept*, and of a wrong *broken*, at the very limit. To keep a
 * percentile's limit, the slow requests allowed by it are taken to be as clustered as those that were seen, near the limit or
 * beyond: a few lucky seconds do not pass. Where none was too slow, as many clusters must have been expected at the limit that none is
 * rarer than `alpha`. Of rejections and errors none is enough. Null for figures that are no sum (`min`, `max`).
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

/** What all shares counted. */
export const mergeTallies = (parts: readonly (readonly LimitTally[])[]): LimitTally[] =>
  parts[0]!.map((_, at) => {
    const added = (key: keyof LimitTally): number[] =>
      parts[0]![at]![key].map((_value, batch) => sum(parts.map((part) => part[at]![key][batch]!)));
    return { over: added('over'), of: added('of'), near: added('near') };
  });
