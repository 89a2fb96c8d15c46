/**
 * Latency histograms: HdrHistogram, three significant digits, microseconds from 1 µs to one hour.
 * Merging is lossless; percentiles are read from merged histograms only, never averaged.
 */
import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
} from 'hdr-histogram-js';

export type { Histogram };

/** Longest latency that is told apart, in microseconds; a longer one is recorded as this. */
export const HIGHEST_US = 3_600_000_000;

/** A histogram as text: HdrHistogram V2, compressed, base64; any HdrHistogram library reads it. */
export type EncodedHistogram = string;

export const createHistogram = (): Histogram =>
  build({
    bitBucketSize: 32,
    lowestDiscernibleValue: 1,
    highestTrackableValue: HIGHEST_US,
    numberOfSignificantValueDigits: 3,
  });

/** Records `ms` milliseconds; values outside the range are clamped to it. */
export function recordMs(histogram: Histogram, ms: number): void {
  histogram.recordValue(Math.min(HIGHEST_US, Math.max(1, Math.round(ms * 1000))));
}

export const encodeHistogram = (histogram: Histogram): EncodedHistogram =>
  encodeIntoCompressedBase64(histogram);

/** Throws if `encoded` is no HdrHistogram. */
export const decodeHistogram = (encoded: EncodedHistogram): Histogram =>
  decodeFromCompressedBase64(encoded, 32, false);

/** One histogram that holds all values of `parts`. */
export function mergeHistograms(parts: Iterable<Histogram>): Histogram {
  const merged = createHistogram();
  for (const part of parts) merged.add(part);
  return merged;
}

/** So many values lie beyond a percentile before it is shown: with fewer, one odd value moves it. */
const VALUES_BEYOND = 10;

/** How many values a percentile, in (0, 100), needs so that `beyond` of them lie beyond it: p99 a thousand by default. */
export const valuesNeeded = (percentile: number, beyond = VALUES_BEYOND): number =>
  Math.max(2, Math.round((beyond * 100) / (100 - percentile)));

/** The percentiles that Dyno shows. */
export const PERCENTILES = (
  [
    ['p50', 50],
    ['p90', 90],
    ['p95', 95],
    ['p99', 99],
    ['p99_9', 99.9],
    ['p99_99', 99.99],
  ] as const
).map(([key, percentile]) => ({ key, percentile }));

export type PercentileKey = (typeof PERCENTILES)[number]['key'];

/** All in ms; null where too few values stand behind the figure. */
export type LatencySummary = {
  count: number;
  mean: number | null;
  min: number | null;
  max: number | null;
} & Record<PercentileKey, number | null>;

/** Reads `histogram`; a percentile without `beyond` values beyond it is null. */
export function summariseHistogram(histogram: Histogram, beyond = VALUES_BEYOND): LatencySummary {
  const count = histogram.totalCount;
  const ms = (us: number): number => us / 1000;
  const summary: Partial<LatencySummary> = {
    count,
    mean: count === 0 ? null : ms(histogram.mean),
    min: count === 0 ? null : ms(histogram.minNonZeroValue),
    // As a percentile, so that it is the same before and after it was written: the top of its bucket.
    max: count === 0 ? null : ms(histogram.getValueAtPercentile(100)),
  };
  for (const { key, percentile } of PERCENTILES) {
    const isKnown = count >= valuesNeeded(percentile, beyond);
    summary[key] = isKnown ? ms(histogram.getValueAtPercentile(percentile)) : null;
  }
  return summary as LatencySummary;
}

/** Of a standard normal value, two-sided 95%. */
const Z = 1.96;

/** The 95% intervals of the percentiles, ms; null where the summary has no figure either. */
export type PercentileIntervals = Record<PercentileKey, { low: number; high: number } | null>;

/**
 * Order-statistic intervals: of n values, the one at rank np lies with 95% between those at np ± 1.96 √(np(1 − p)), whatever
 * their distribution (Hahn and Meeker, Statistical Intervals, 5.2, normal approximation). Requests of one trial depend on
 * each other, so the truth may lie further off: these say how much chance alone moves the figure.
 */
export function percentileIntervals(histogram: Histogram): PercentileIntervals {
  const count = histogram.totalCount;
  const at = (rank: number): number =>
    histogram.getValueAtPercentile((100 * Math.min(count, Math.max(1, rank))) / count) / 1000;
  const intervals: Partial<PercentileIntervals> = {};
  for (const { key, percentile } of PERCENTILES) {
    const share = percentile / 100;
    const reach = Z * Math.sqrt(count * share * (1 - share));
    intervals[key] =
      count < valuesNeeded(percentile)
        ? null
        : { low: at(Math.floor(count * share - reach)), high: at(Math.ceil(count * share + reach) + 1) };
  }
  return intervals as PercentileIntervals;
}
