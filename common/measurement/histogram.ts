/**
 * Latency histograms: HdrHistogram with three significant digits, from 1 µs to one hour. Histograms can be merged without loss. A
 * percentile over several histograms is always read from the merged histogram, and never averaged.
 */
import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
  type JsHistogram,
} from 'hdr-histogram-js';

export type { Histogram };

/** Maximum latency that a histogram records, in microseconds. A longer latency is recorded as this value. */
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

/** Records `ms` milliseconds. A value outside of the range counts as the nearest value in the range. */
export function recordMs(histogram: Histogram, ms: number): void {
  histogram.recordValue(Math.min(HIGHEST_US, Math.max(1, Math.round(ms * 1000))));
}

export const encodeHistogram = (histogram: Histogram): EncodedHistogram =>
  encodeIntoCompressedBase64(histogram);

/**
 * The non-empty buckets of a histogram, ascending, as a list of pairs: index, count, index, count. A load thread can copy them in a few µs.
 * Encoding the histogram takes milliseconds, so another thread does that.
 */
export type CountedValues = Uint32Array;

/**
 * Returns the same object with the type `JsHistogram`, which gives access to the buckets. The library's general type `Histogram` hides the
 * buckets, but every histogram that does not use WebAssembly has them.
 */
const inMemory = (histogram: Histogram): JsHistogram => histogram as JsHistogram;

/** Returns the non-empty buckets of `histogram`. */
export function countedValues(histogram: Histogram): CountedValues {
  if (histogram.totalCount === 0) return new Uint32Array(0);
  const kept = inMemory(histogram);
  const first = kept.countsArrayIndex(kept.minNonZeroValue);
  const last = kept.countsArrayIndex(kept.maxValue);
  // Upper bound of the number of non-empty buckets: the number of buckets in the range, and the number of values.
  const counted = new Uint32Array(2 * Math.min(last - first + 1, histogram.totalCount));
  let at = 0;
  for (let place = first; place <= last; place += 1) {
    const count = kept.getCountAtIndex(place);
    if (count === 0) continue;
    counted[at++] = place;
    counted[at++] = count;
  }
  return counted.slice(0, at);
}

/** Adds up the buckets of several histograms without building a histogram. */
export function joinCounted(parts: readonly CountedValues[]): CountedValues {
  if (parts.length <= 1) return parts[0] ?? new Uint32Array(0);
  const sums = new Map<number, number>();
  for (const part of parts)
    for (let at = 0; at < part.length; at += 2)
      sums.set(part[at]!, (sums.get(part[at]!) ?? 0) + part[at + 1]!);
  const places = Uint32Array.from(sums.keys()).sort();
  const joined = new Uint32Array(2 * places.length);
  for (const [at, place] of places.entries()) {
    joined[2 * at] = place;
    joined[2 * at + 1] = sums.get(place)!;
  }
  return joined;
}

/** Adds buckets to a histogram. They must come from {@link countedValues}. */
export function addCounted(histogram: Histogram, counted: CountedValues): Histogram {
  const kept = inMemory(histogram);
  for (let at = 0; at < counted.length; at += 2)
    kept.recordValueWithCount(kept.valueFromIndex(counted[at]!), counted[at + 1]!);
  return histogram;
}

/**
 * Calls `visit` for each recorded value with its count, in ascending order. A value is the upper end of its bucket, in µs. The library's
 * iterator would be ten times slower, because it calculates more than Dyno needs, and also visits empty buckets.
 */
function forEachValue(histogram: Histogram, visit: (us: number, count: number) => void): void {
  if (histogram.totalCount === 0) return;
  const kept = inMemory(histogram);
  const last = kept.countsArrayIndex(kept.maxValue);
  for (let place = kept.countsArrayIndex(kept.minNonZeroValue); place <= last; place += 1) {
    const count = kept.getCountAtIndex(place);
    if (count > 0) visit(kept.highestEquivalentValue(kept.valueFromIndex(place)), count);
  }
}

/** Returns the recorded values with their counts, ascending. A value is the upper end of its bucket, in ms. */
export function recordedMs(histogram: Histogram): { ms: number; count: number }[] {
  const values: { ms: number; count: number }[] = [];
  forEachValue(histogram, (us, count) => values.push({ ms: us / 1000, count }));
  return values;
}

/** Returns the mean in µs; 0 for an empty histogram. Like the library's `mean`, it is calculated from the middles of the buckets. */
function meanUs(histogram: Histogram): number {
  let sum = 0;
  forEachValue(histogram, (us, count) => (sum += inMemory(histogram).medianEquivalentValue(us) * count));
  return histogram.totalCount === 0 ? 0 : sum / histogram.totalCount;
}

/**
 * Returns a histogram that is corrected for coordinated omission, with the same result as the library's
 * `copyCorrectedForCoordinatedOmission`. `intervalUs`: expected interval between requests in µs, above 0.
 */
export function correctedForOmission(histogram: Histogram, intervalUs: number): Histogram {
  const corrected = createHistogram();
  forEachValue(histogram, (us, count) => {
    corrected.recordValueWithCount(us, count);
    for (let missing = us - intervalUs; missing >= intervalUs; missing -= intervalUs)
      corrected.recordValueWithCount(missing, count);
  });
  return corrected;
}

/** Decodes a histogram. Throws if `encoded` is not an HdrHistogram. */
export const decodeHistogram = (encoded: EncodedHistogram): Histogram =>
  decodeFromCompressedBase64(encoded, 32, false);

/** Returns a histogram of all values of `parts`. */
export function mergeHistograms(parts: Iterable<Histogram>): Histogram {
  const merged = createHistogram();
  for (const part of parts) merged.add(part);
  return merged;
}

/**
 * Minimum number of values that must be above a percentile. With fewer values, a single outlier would visibly change the percentile. Dyno
 * then does not show it.
 */
const VALUES_BEYOND = 10;

/**
 * Returns how many values are required so that `beyond` of them are above a percentile in (0, 100). For example, p99 requires 1,000 values
 * if `beyond` has its default of 10.
 */
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

/** Percentiles and other summary values, in ms; a value is null if there are too few times for it. */
export type LatencySummary = {
  count: number;
  mean: number | null;
  min: number | null;
  max: number | null;
} & Record<PercentileKey, number | null>;

/** Summarises `histogram`. A percentile is null if fewer than `beyond` values are above it. */
export function summariseHistogram(histogram: Histogram, beyond = VALUES_BEYOND): LatencySummary {
  const count = histogram.totalCount;
  const ms = (us: number): number => us / 1000;
  const summary: Partial<LatencySummary> = {
    count,
    mean: count === 0 ? null : ms(meanUs(histogram)),
    min: count === 0 ? null : ms(histogram.minNonZeroValue),
    // The maximum is read as p100, which is the upper end of a bucket. It is then the same before and after encoding.
    max: count === 0 ? null : ms(histogram.getValueAtPercentile(100)),
  };
  for (const { key, percentile } of PERCENTILES) {
    const isKnown = count >= valuesNeeded(percentile, beyond);
    summary[key] = isKnown ? ms(histogram.getValueAtPercentile(percentile)) : null;
  }
  return summary as LatencySummary;
}

/** Number of standard deviations on each side of a 95% confidence interval, for a normal distribution. */
const Z = 1.96;

/** The 95% confidence intervals of the percentiles, in ms. An interval is null if the summary has no value for the percentile. */
export type PercentileIntervals = Record<PercentileKey, { low: number; high: number } | null>;

/**
 * Returns 95% confidence intervals of the percentiles. With independent requests, the p-quantile of n values is between the values at the
 * ranks np ± 1.96 √(np(1 − p)) (Hahn and Meeker, Statistical Intervals, 5.2, normal approximation).
 *
 * The requests of one trial are not independent. The true value is therefore outside of the interval in more than 5% of the cases. The
 * interval shows only how much the percentile varies by chance.
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
