/**
 * Latency histograms: HdrHistogram, three significant digits, microseconds from 1 µs to one hour.
 * Merging is lossless; percentiles are read from merged histograms only, never averaged.
 */
import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
  type JsHistogram,
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

/**
 * The counts of a histogram as they stand in memory, from the first place that holds any. Taking them costs a load thread
 * some µs; packing them, which takes ms, is for whoever keeps nobody waiting.
 */
export interface CountedValues {
  from: number;
  counts: Uint32Array;
}

/** `build` makes no other kind unless WebAssembly is asked for; the interface leaves out how it keeps its counts. */
const inMemory = (histogram: Histogram): JsHistogram => histogram as JsHistogram;

/** What `histogram` holds. */
export function countedValues(histogram: Histogram): CountedValues {
  if (histogram.totalCount === 0) return { from: 0, counts: new Uint32Array(0) };
  const kept = inMemory(histogram);
  const from = kept.countsArrayIndex(kept.minNonZeroValue);
  const counts = new Uint32Array(kept.countsArrayIndex(kept.maxValue) - from + 1);
  for (let place = 0; place < counts.length; place += 1) counts[place] = kept.getCountAtIndex(from + place);
  return { from, counts };
}

/** Adds to `histogram` what {@link countedValues} took of another. */
export function addCounted(histogram: Histogram, { from, counts }: CountedValues): Histogram {
  const kept = inMemory(histogram);
  for (let place = 0; place < counts.length; place += 1) {
    const count = counts[place]!;
    if (count > 0) kept.recordValueWithCount(kept.valueFromIndex(from + place), count);
  }
  return histogram;
}

/** The values that were recorded, ascending, in ms (the top of each place), with how often. */
export function recordedMs(histogram: Histogram): { ms: number; count: number }[] {
  const kept = inMemory(histogram);
  const { from, counts } = countedValues(histogram);
  const values: { ms: number; count: number }[] = [];
  counts.forEach((count, place) => {
    if (count > 0)
      values.push({ ms: kept.highestEquivalentValue(kept.valueFromIndex(from + place)) / 1000, count });
  });
  return values;
}

/** Throws if `encoded` is no HdrHistogram. */
export const decodeHistogram = (encoded: EncodedHistogram): Histogram =>
  decodeFromCompressedBase64(encoded, 32, false);

/** One histogram that holds all values of `parts`. */
export function mergeHistograms(parts: Iterable<Histogram>): Histogram {
  const merged = createHistogram();
  for (const part of parts) merged.add(part);
  return merged;
}

/** The percentiles that Dyno shows, with how many values each needs before it says anything. */
export const PERCENTILES = [
  { key: 'p50', percentile: 50, needs: 2 },
  { key: 'p90', percentile: 90, needs: 10 },
  { key: 'p95', percentile: 95, needs: 20 },
  { key: 'p99', percentile: 99, needs: 100 },
  { key: 'p99_9', percentile: 99.9, needs: 1000 },
  { key: 'p99_99', percentile: 99.99, needs: 10_000 },
] as const;

export type PercentileKey = (typeof PERCENTILES)[number]['key'];

/** All in ms; null where too few values stand behind the figure. */
export type LatencySummary = {
  count: number;
  mean: number | null;
  min: number | null;
  max: number | null;
} & Record<PercentileKey, number | null>;

/** Reads `histogram`; a percentile without enough values behind it is null. */
export function summariseHistogram(histogram: Histogram): LatencySummary {
  const count = histogram.totalCount;
  const ms = (us: number): number => us / 1000;
  const summary: Partial<LatencySummary> = {
    count,
    mean: count === 0 ? null : ms(histogram.mean),
    min: count === 0 ? null : ms(histogram.minNonZeroValue),
    // As a percentile, so that it is the same before and after it was written: the top of its bucket.
    max: count === 0 ? null : ms(histogram.getValueAtPercentile(100)),
  };
  for (const { key, percentile, needs } of PERCENTILES) {
    summary[key] = count < needs ? null : ms(histogram.getValueAtPercentile(percentile));
  }
  return summary as LatencySummary;
}
