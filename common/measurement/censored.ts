/**
 * Censored requests: requests that were never answered or never sent. Only a lower bound of their time is known. The latencies contain
 * these lower bounds. Some percentiles of the latencies are therefore lower bounds too. The functions in this file find out which
 * percentiles these are.
 */
import {
  decodeHistogram,
  mergeHistograms,
  PERCENTILES,
  summariseHistogram,
  type EncodedHistogram,
  type Histogram,
  type LatencySummary,
  type PercentileKey,
} from './histogram';

/** Summary and histogram of the times of some requests, as a trial stores them. */
export type KeptTimes = LatencySummary & { histogram: EncodedHistogram };

export interface Censored {
  /** Times of requests that were sent and never answered, up to the moment when the connection broke or the request timed out. */
  unanswered: KeptTimes;
  /** Times of requests that were due and never sent, from the due time to the end of the measured phase. */
  neverSent: KeptTimes;
}

export type BoundKey = PercentileKey | 'max';

/** Censored requests of several trials, and their effect on the latencies of these trials. */
export interface CensoredTimes {
  unanswered: LatencySummary;
  neverSent: LatencySummary;
  /** Latency percentiles that are lower bounds: they would be more than 1% higher if the censored requests had taken forever. */
  lowerBounds: BoundKey[];
}

/** Minimum relative increase from which a percentile is reported as a lower bound. */
const NOTABLE = 0.01;

/**
 * Returns the censored requests with their effect on the percentiles; null if no requests were censored. `all` contains the latencies of
 * all requests of the same trials, including the censored ones.
 */
export function censoredTimes(
  all: Histogram,
  censored: readonly (Censored | undefined)[],
): CensoredTimes | null {
  const known = censored.filter((one) => one !== undefined);
  if (known.length === 0) return null;
  const unanswered = mergeHistograms(known.map((one) => decodeHistogram(one.unanswered.histogram)));
  const neverSent = mergeHistograms(known.map((one) => decodeHistogram(one.neverSent.histogram)));
  const answered = mergeHistograms([all]);
  answered.subtract(unanswered);
  answered.subtract(neverSent);
  // The value that the percentile would have if the censored requests had taken forever: the time of an answered request, or infinity.
  const highest = (percentile: number): number => {
    const rank = (percentile / 100) * all.totalCount;
    return rank > answered.totalCount
      ? Infinity
      : answered.getValueAtPercentile((100 * rank) / answered.totalCount);
  };
  const whole = summariseHistogram(all);
  const lowerBounds: BoundKey[] = PERCENTILES.filter(
    ({ key, percentile }) =>
      whole[key] !== null && highest(percentile) > all.getValueAtPercentile(percentile) * (1 + NOTABLE),
  ).map(({ key }) => key);
  // The maximum is a lower bound if any censored request is among the longest.
  if (answered.totalCount === 0 || all.getValueAtPercentile(100) > answered.getValueAtPercentile(100))
    lowerBounds.push('max');
  return {
    unanswered: summariseHistogram(unanswered),
    neverSent: summariseHistogram(neverSent),
    lowerBounds,
  };
}
