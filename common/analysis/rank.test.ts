import { holm, mannWhitney } from './rank';

describe('Mann-Whitney', () => {
  test('is exact for few values without ties', () => {
    // Tables of Mann and Whitney 1947: 2 / C(6, 3) and 2 / C(10, 5).
    expect(mannWhitney([1, 2, 3], [4, 5, 6])).toEqual({ u: 0, p: 0.1, method: 'exact', least: 0.1 });
    expect(mannWhitney([6, 7, 8, 9, 10], [1, 2, 3, 4, 5])!.p).toBeCloseTo(2 / 252, 12);
    // U = 1 for samples of 4 and 5: (1 + 1) of C(9, 4) = 126 arrangements on each side.
    expect(mannWhitney([1, 2, 3, 5], [4, 6, 7, 8, 9])).toMatchObject({ u: 1, p: 4 / 126 });
  });

  test('never finds a difference with three trials on each side, and says so', () => {
    expect(mannWhitney([1, 1.1, 1.2], [100, 101, 102])!.least).toBeGreaterThan(0.05);
  });

  test('uses the normal approximation if values are tied', () => {
    const test = mannWhitney([1, 2, 2, 3, 3, 4], [3, 4, 5, 5, 6, 7])!;
    expect(test.method).toBe('normal');
    // Calculated manually: U = 2.5 of 36, ties 2, 3, 2, 2: variance 3 (13 - 42/132), z = (15.5 - 0.5) / 6.168 = 2.432
    expect(test.u).toBe(2.5);
    expect(test.p).toBeCloseTo(0.01502, 4);
  });

  test('finds nothing between samples of one value, and returns null for an empty sample', () => {
    expect(mannWhitney([5, 5, 5], [5, 5, 5])!.p).toBe(1);
    expect(mannWhitney([], [1])).toBeNull();
  });
});

test("Holm's adjusted p values never fall below a smaller one's", () => {
  const adjusted = holm([0.01, 0.04, 0.03, 0.5]);
  [0.04, 0.09, 0.09, 0.5].forEach((p, at) => expect(adjusted[at]).toBeCloseTo(p, 12));
});
