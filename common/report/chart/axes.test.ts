import { spanOf } from './axes';

const mark = (mean: number, low: number, high: number, values: number[]) => ({ mean, low, high, values });

describe('the span of a chart of intervals', () => {
  test('contains every trial, mean and interval, with 5% of room', () => {
    const { min, max } = spanOf([mark(100, 95, 105, [97, 103]), mark(200, 190, 210, [195, 205])]);
    expect(min).toBeCloseTo(95 - 0.05 * (210 - 95));
    expect(max).toBeCloseTo(210 + 0.05 * (210 - 95));
  });

  test('contains an interval that is much wider than its trials', () => {
    const { min, max } = spanOf([mark(100, -4000, 4200, [90, 110])]);
    expect(max).toBeCloseTo(4200 * 1.05);
    expect(min).toBe(0);
  });

  test('does not go below zero for values that are not negative', () => {
    expect(spanOf([mark(1, -3, 5, [0.5, 1.5])]).min).toBe(0);
    expect(spanOf([mark(-1, -3, 5, [-1.5, -0.5])]).min).toBeLessThan(-3);
  });

  test('begins at zero when asked to', () => {
    expect(spanOf([mark(100, 95, 105, [97, 103])], { fromZero: true })).toEqual({ min: 0, max: 110.25 });
  });

  test('does not magnify equal values or zeros', () => {
    const { min, max } = spanOf([mark(1000, 1000, 1000, [1000])]);
    expect(max - min).toBeGreaterThan(1);
    expect(spanOf([mark(0, 0, 0, [0, 0])])).toEqual({ min: 0, max: 1 });
    expect(spanOf([])).toEqual({ min: 0, max: 1 });
  });
});
