import { censoredTimes, type Censored } from './censored';
import { createHistogram, encodeHistogram, recordMs, summariseHistogram } from './histogram';

const all = (...ms: readonly number[]) => {
  const histogram = createHistogram();
  for (const value of ms) recordMs(histogram, value);
  return histogram;
};
const times = (...ms: readonly number[]) => {
  const histogram = all(...ms);
  return { ...summariseHistogram(histogram), histogram: encodeHistogram(histogram) };
};
const many = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms);

const of = (unanswered: readonly number[], neverSent: readonly number[], answered: readonly number[]) => {
  const censored: Censored = { unanswered: times(...unanswered), neverSent: times(...neverSent) };
  return censoredTimes(all(...answered, ...unanswered, ...neverSent), [undefined, censored]);
};

test('percentiles that would rise if censored requests had taken forever are lower bounds', () => {
  // 2% of the requests are censored, so the median does not change.
  const found = of(many(100, 50), many(100, 3), many(9800, 10))!;
  expect(found.unanswered.count).toBe(100);
  expect(found.neverSent.count).toBe(100);
  expect(found.lowerBounds).toEqual(['p99', 'p99_9', 'max']);
});

test('one request that was due a moment before the end changes no percentile', () => {
  expect(of([], [0.05], many(2000, 10))!.lowerBounds).toEqual([]);
});

test('if no request was answered, every percentile is a lower bound', () => {
  expect(of(many(1000, 500), [], [])!.lowerBounds).toEqual(['p50', 'p90', 'p95', 'p99', 'max']);
});

test('trials without censored requests have no lower bounds', () => {
  expect(censoredTimes(all(1, 2), [undefined])).toBeNull();
});
