import { createRandom } from '../random';
import {
  addCounted,
  correctedForOmission,
  countedValues,
  createHistogram,
  decodeHistogram,
  encodeHistogram,
  joinCounted,
  mergeHistograms,
  percentileIntervals,
  recordMs,
  summariseHistogram,
} from './histogram';

const of = (...values: number[]): ReturnType<typeof createHistogram> => {
  const histogram = createHistogram();
  for (const value of values) recordMs(histogram, value);
  return histogram;
};

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('latency histograms', () => {
  it('have percentiles with an error of at most 0.1%', () => {
    const { p50, p99, max } = summariseHistogram(of(...upTo(1000)));
    expect(p50).toBeCloseTo(500, -0.5);
    expect(Math.abs(p99! - 990)).toBeLessThan(1);
    expect(Math.abs(max! - 1000)).toBeLessThan(1);
  });

  it('lose nothing when their buckets are copied and added to another histogram', () => {
    const one = of(0, 0.001, 4.999, 5, 5, 777, 3_600_000);
    const both = addCounted(addCounted(createHistogram(), countedValues(one)), countedValues(of(0.5)));
    expect(encodeHistogram(both)).toBe(encodeHistogram(mergeHistograms([one, of(0.5)])));
    expect(summariseHistogram(addCounted(createHistogram(), countedValues(createHistogram()))).count).toBe(0);
    const joined = joinCounted([one, of(0.5), of(), of(900, 0.5)].map(countedValues));
    expect(joined).toEqual(countedValues(mergeHistograms([one, of(0.5), of(900, 0.5)])));
    expect(joinCounted([])).toEqual(countedValues(of()));
  });

  it('have no percentile that too few values exceed', () => {
    const { p50, p99, p99_9 } = summariseHistogram(of(...upTo(999)));
    expect(p50).not.toBeNull();
    expect(p99).toBeNull();
    expect(p99_9).toBeNull();
    expect(summariseHistogram(of(...upTo(1000))).p99).not.toBeNull();
    expect(summariseHistogram(of(...upTo(19))).p50).toBeNull();
    expect(summariseHistogram(of()).mean).toBeNull();
  });

  it('lose nothing when they are merged, encoded and decoded', () => {
    const parts = [of(1, 2, 3), of(1000, 2000), of(0.001)];
    const merged = mergeHistograms(parts.map((part) => decodeHistogram(encodeHistogram(part))));
    expect(summariseHistogram(merged)).toEqual(summariseHistogram(of(1, 2, 3, 1000, 2000, 0.001)));
  });

  it('have the same mean and the same correction for omission as the library', () => {
    const random = createRandom(11);
    const times = Array.from(
      { length: 3000 },
      () => Math.exp(6 * random.unit()) * (random.unit() < 0.01 ? 50 : 1),
    );
    for (const histogram of [of(...times), decodeHistogram(encodeHistogram(of(...times))), of(0.001), of()]) {
      expect((summariseHistogram(histogram).mean ?? 0) * 1000).toBeCloseTo(histogram.mean, 6);
      for (const intervalUs of [7919, 10_000_000])
        expect(encodeHistogram(correctedForOmission(histogram, intervalUs))).toBe(
          encodeHistogram(histogram.copyCorrectedForCoordinatedOmission(intervalUs)),
        );
    }
  });

  it('clamp values to their range', () => {
    const { min, max } = summariseHistogram(of(0, 10 * 3_600_000));
    expect(min).toBe(0.001);
    expect(max).toBeGreaterThanOrEqual(3_600_000 * 0.999);
  });

  it('have intervals that contain the true percentile in 95 of 100 samples', () => {
    const random = createRandom(7);
    const { p50, p90, p99 } = { p50: Math.LN2, p90: Math.log(10), p99: Math.log(100) };
    const held = { p50: 0, p90: 0, p99: 0 };
    const samples = 400;
    for (let at = 0; at < samples; at += 1) {
      // Exponential distribution with a mean of one second.
      const values = Array.from({ length: 1500 }, () => -1000 * Math.log(1 - random.unit()));
      const intervals = percentileIntervals(of(...values));
      for (const [key, truth] of Object.entries({ p50, p90, p99 }) as [keyof typeof held, number][]) {
        const { low, high } = intervals[key]!;
        if (low <= truth * 1000 && truth * 1000 <= high) held[key] += 1;
      }
      expect(intervals.p99_9).toBeNull();
    }
    for (const share of Object.values(held).map((count) => count / samples)) {
      expect(share).toBeGreaterThan(0.92);
      expect(share).toBeLessThan(0.995);
    }
  });
});
