import { createHistogram, recordMs, summariseHistogram, type LatencySummary } from '../measurement/histogram';
import { transactionTimes } from './transaction';

const times = (...values: number[]): LatencySummary => {
  const histogram = createHistogram();
  for (const value of values) recordMs(histogram, value);
  return summariseHistogram(histogram);
};

test('parts and gaps add up to the whole', () => {
  const found = transactionTimes([times(100, 300), times(50, 50)], times(250, 450), 100)!;
  expect(found).toMatchObject({ gapsMs: 100, addsUp: true });
  expect(found.partsMs[0]).toBeCloseTo(200, 0);
  expect(found.partsMs[1]).toBeCloseTo(50, 0);
  expect(found.wholeMs).toBeCloseTo(350, 0);
});

test('unexplained time is reported in ms', () => {
  const found = transactionTimes([times(100), times(50)], times(200), 20)!;
  expect(found.addsUp).toBe(false);
  expect(found.differenceMs).toBeCloseTo(30, 0);
});

test('a part that was not sent in every transaction counts as often as it was', () => {
  const found = transactionTimes([times(100, 100), times(60)], times(160, 100), 0)!;
  expect(found.partsMs[1]).toBeCloseTo(30, 0);
  expect(found.addsUp).toBe(true);
});

test('there is no result without a time of the whole, or if no part has times', () => {
  expect(transactionTimes([times(1)], times(), 0)).toBeNull();
  expect(transactionTimes([null, null], times(1), 0)).toBeNull();
});
