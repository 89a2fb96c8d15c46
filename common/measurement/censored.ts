/**
 * Requests of which only is known that they took at least so long: those that were never answered, and those that were due
 * and never sent. They are in the latency with that time, and this file says which figures they turn into lower bounds.
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

/** Times with all that is known of them. */
export type KeptTimes = LatencySummary & { histogram: EncodedHistogram };

export interface Censored {
  /** Sent, and never answered: until the connection broke or the time ran out. */
  unanswered: KeptTimes;
  /** Due, and never sent: until the end of the measured phase. */
  neverSent: KeptTimes;
}

export type BoundKey = PercentileKey | 'max';

/** The same of several trials, with what follows for their latencies together. */
export interface CensoredTimes {
  unanswered: LatencySummary;
  neverSent: LatencySummary;
  /** Figures of the latency that are lower bounds: they would be more than 1% higher if those requests had taken for ever. */
  lowerBounds: BoundKey[];
}

/** A figure that rises by less than this share is no lower bound that anybody would notice. */
const NOTABLE = 0.01;

/** `all`: the latencies of the same trials, with those requests in them. Null where there are no such requests. */
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
  // As if they had taken for ever: a percentile is then one of the answered ones, or has no end.
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
  // The longest of all has no bound above as soon as one of them is among the longest.
  if (answered.totalCount === 0 || all.getValueAtPercentile(100) > answered.getValueAtPercentile(100))
    lowerBounds.push('max');
  return {
    unanswered: summariseHistogram(unanswered),
    neverSent: summariseHistogram(neverSent),
    lowerBounds,
  };
}
