import { differenceInterval, meanInterval, ratioInterval } from './interval';
import { summarise } from './summary';

describe('the interval of a mean', () => {
  test('does not exist for a single trial', () => {
    expect(meanInterval([12_000])).toBeNull();
    expect(summarise([12_000], 'higher')).toMatchObject({
      n: 1,
      mean: 12_000,
      interval: null,
      cv: null,
      best: 12_000,
    });
  });

  test("is Student's for few trials", () => {
    // mean 12, s = 2, t(0.975, 2) = 4.302653: 12 ± 4.302653 * 2 / sqrt(3)
    const { low, high } = meanInterval([10, 12, 14])!;
    expect(low).toBeCloseTo(7.0317, 3);
    expect(high).toBeCloseTo(16.9683, 3);
  });

  test('does not extend below 0, because metrics are never negative', () => {
    expect(meanInterval([1, 9])!.low).toBe(0);
  });

  test('is the same every time that it is bootstrapped', () => {
    const values = [9, 10, 11, 12, 9, 10, 11, 13, 10, 10, 12, 11];
    expect(meanInterval(values)).toEqual(meanInterval(values));
  });

  test('extends further towards the long tail if it is bootstrapped', () => {
    const { low, high } = meanInterval([10, 10, 10, 11, 11, 11, 12, 12, 13, 15, 20, 40])!;
    const centre = 175 / 12;
    expect(high - centre).toBeGreaterThan((centre - low) * 1.5);
  });

  test('is a point if all trials are equal', () => {
    expect(meanInterval(new Array(12).fill(5))).toEqual({ low: 5, high: 5, level: 0.95 });
  });
});

describe('the interval of a ratio', () => {
  test('is equivalent in both directions', () => {
    const [a, b] = [
      [110, 120, 130],
      [95, 100, 107],
    ];
    const [there, back] = [ratioInterval(a, b)!, ratioInterval(b, a)!];
    expect(there.low).toBeCloseTo(1 / back.high, 10);
    expect(there.high).toBeCloseTo(1 / back.low, 10);
  });

  test('does not exist if a mean is 0; the difference is used instead', () => {
    expect(ratioInterval([0.01, 0.02, 0.03], [0, 0, 0])).toBeNull();
    expect(differenceInterval([10, 12, 14], [0, 0, 0])!.low).toBeCloseTo(7.0317, 3);
  });
});

test('a summary knows which value is best', () => {
  expect(summarise([3, null, 1, 2], 'higher')).toMatchObject({
    n: 3,
    best: 3,
    worst: 1,
    median: 2,
    mean: 2,
    cv: 0.5,
  });
  expect(summarise([3, 1, 2], 'lower')).toMatchObject({ best: 1, worst: 3 });
  expect(summarise([], 'lower')).toMatchObject({ n: 0, mean: null, interval: null });
});
