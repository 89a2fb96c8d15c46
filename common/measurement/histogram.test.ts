import {
  addCounted,
  countedValues,
  createHistogram,
  decodeHistogram,
  encodeHistogram,
  mergeHistograms,
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
  it('tell percentiles within a thousandth', () => {
    const { p50, p99, max } = summariseHistogram(of(...upTo(1000)));
    expect(p50).toBeCloseTo(500, -0.5);
    expect(Math.abs(p99! - 990)).toBeLessThan(1);
    expect(Math.abs(max! - 1000)).toBeLessThan(1);
  });

  it('lose nothing when their counts are taken and added to another', () => {
    const one = of(0, 0.001, 4.999, 5, 5, 777, 3_600_000);
    const both = addCounted(addCounted(createHistogram(), countedValues(one)), countedValues(of(0.5)));
    expect(encodeHistogram(both)).toBe(encodeHistogram(mergeHistograms([one, of(0.5)])));
    expect(summariseHistogram(addCounted(createHistogram(), countedValues(createHistogram()))).count).toBe(0);
  });

  it('say nothing where too few values stand behind a percentile', () => {
    const { p50, p99, p99_9 } = summariseHistogram(of(...upTo(99)));
    expect(p50).not.toBeNull();
    expect(p99).toBeNull();
    expect(p99_9).toBeNull();
    expect(summariseHistogram(of(...upTo(100))).p99).not.toBeNull();
    expect(summariseHistogram(of()).mean).toBeNull();
  });

  it('lose nothing when they are merged, written and read', () => {
    const parts = [of(1, 2, 3), of(1000, 2000), of(0.001)];
    const merged = mergeHistograms(parts.map((part) => decodeHistogram(encodeHistogram(part))));
    expect(summariseHistogram(merged)).toEqual(summariseHistogram(of(1, 2, 3, 1000, 2000, 0.001)));
  });

  it('keep values beyond their range at its ends', () => {
    const { min, max } = summariseHistogram(of(0, 10 * 3_600_000));
    expect(min).toBe(0.001);
    expect(max).toBeGreaterThanOrEqual(3_600_000 * 0.999);
  });
});
