/**
 * Censored requests: only a lower bound of their time is known, because they were never answered or never sent. The latency
 * includes them with that bound. This file decides which percentiles are therefore lower bounds.
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

/** Summary and histogram of some times. */
export type KeptTimes = LatencySummary & { histogram: EncodedHistogram };

export interface Censored {
  /** Requests that were sent and never answered: time until the connection broke or the request timed out. */
  unanswered: KeptTimes;
  /** Requests that were due and never sent: time until the end of the measured phase. */
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

/** A percentile that would rise by less than this share is not called a lower bound. */
const NOTABLE = 0.01;

/** Returns null if no requests were censored. `all` holds the latencies of the same trials, censored requests included. */
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
  // If the censored requests had taken forever, a percentile would be a time of an answered request, or infinite.
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
  // The maximum is a lower bound as soon as a censored request is among the longest.
  if (answered.totalCount === 0 || all.getValueAtPercentile(100) > answered.getValueAtPercentile(100))
    lowerBounds.push('max');
  return {
    unanswered: summariseHistogram(unanswered),
    neverSent: summariseHistogram(neverSent),
    lowerBounds,
  };
}
