import { clipped, spanOf } from './axes';

const mark = (mean: number, low: number, high: number, values: number[]) => ({ mean, low, high, values });

describe('the span of a chart of intervals', () => {
  test('holds every trial, mean and narrow interval', () => {
    const { min, max } = spanOf([mark(100, 95, 105, [97, 103]), mark(200, 190, 210, [195, 205])]);
    expect(min).toBeLessThanOrEqual(95);
    expect(max).toBeGreaterThanOrEqual(210);
  });

  test('is not stretched by an interval of two trials that tells nothing', () => {
    const { max } = spanOf([mark(100, -4000, 4200, [90, 110])]);
    expect(max).toBeLessThan(150);
  });

  test('does not go below zero for what cannot', () => {
    expect(spanOf([mark(1, -3, 5, [0.5, 1.5])]).min).toBe(0);
  });

  test('begins at zero when asked to', () => {
    expect(spanOf([mark(100, 95, 105, [97, 103])], { fromZero: true }).min).toBe(0);
  });

  test('an interval that leaves the picture is cut at its edge', () => {
    expect(clipped(-10, 10, { min: 0, max: 5 })).toEqual({ low: 0, high: 5 });
    expect(clipped(null, null, { min: 0, max: 5 })).toBeNull();
  });
});
