import { frontier, lessIsBetter, type Estimate } from './frontier';
import { cellRecall } from './recall';

const at = (mean: number, reach = 0): Estimate => ({
  mean,
  interval: { low: mean - reach, high: mean + reach, level: 0.95 },
});

test('a choice is unbeaten if no other is better in both, and two equal choices do not beat each other', () => {
  const choices = [
    { one: at(1), other: at(10) },
    { one: at(2), other: at(5) },
    { one: at(2), other: at(5) },
    { one: at(1), other: at(4) },
    { one: at(3), other: at(1) },
  ];
  expect(frontier(choices)).toEqual({ unbeaten: [0, 1, 2, 4], unsure: [] });
});

test('a choice that is beaten only within the intervals is marked as unsure', () => {
  const best = { one: at(2, 0.5), other: at(5, 1) };
  expect(frontier([best, { one: at(1.8, 0.5), other: at(4.5, 1) }])).toEqual({ unbeaten: [0], unsure: [1] });
  // The intervals overlap in one metric, so the order in that metric is unknown.
  expect(frontier([best, { one: at(1.8, 0.5), other: at(2, 1) }]).unsure).toEqual([1]);
  expect(frontier([best, { one: at(0.5, 0.5), other: at(2, 1) }]).unsure).toEqual([]);
  expect(
    frontier([
      { ...best, one: at(1) },
      { one: at(1), other: at(2, 1) },
    ]).unsure,
  ).toEqual([]);
  // Without intervals, no order is certain.
  const alone = { one: { mean: 1, interval: null }, other: { mean: 1, interval: null } };
  expect(frontier([best, alone]).unsure).toEqual([1]);
});

test('lower is better once the sign is negated', () => {
  expect(lessIsBetter(at(5, 1))).toEqual({ mean: -5, interval: { low: -6, high: -4, level: 0.95 } });
});

test('trials that give the same answers to the same queries have the interval over queries', () => {
  const trial = { k: 10, queries: 100, judged: 400, mean: 0.9, deviation: 0.2 };
  const { interval, summary, judged } = cellRecall([trial, trial, trial])!;
  expect(summary.interval).toMatchObject({ low: 0.9, high: 0.9 });
  expect(judged).toBe(1200);
  // The half width is 1.98 × 0.2 / √100: each query counts once.
  expect(interval!.low).toBeCloseTo(0.8603, 3);
  expect(interval!.high).toBeCloseTo(0.9397, 3);
});

test('the interval over trials is used if it is wider, and its ends are within 0 and 1', () => {
  const trial = (mean: number) => ({ k: 10, queries: 100, judged: 400, mean, deviation: 0.01 });
  const { interval } = cellRecall([trial(0.9), trial(0.99)])!;
  expect(interval).toMatchObject({ high: 1 });
  expect(interval!.low).toBeLessThan(0.8);
  expect(cellRecall([])).toBeUndefined();
});
