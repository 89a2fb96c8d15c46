/**
 * Mann-Whitney's rank test, and Holm's correction for several tests that are judged together.
 *
 * They are implemented here because simple-statistics contains the rank sum without its distribution, and because Holm's correction has
 * only eight lines.
 */
import normalCdf from '@stdlib/stats-base-dists-normal-cdf';

export interface RankTest {
  /** Number of pairs (one value from each sample) in which the value from the first sample is larger. Ties count as a half. */
  u: number;
  /** Two-sided p value. */
  p: number;
  /** `exact`: counts all arrangements. `normal`: approximation with corrections for ties and continuity. */
  method: 'exact' | 'normal';
  /**
   * Smallest possible p value for samples of these sizes. For two samples of 3 values it is 0.1, so this test never finds a difference
   * between them.
   */
  least: number;
}

/** Number of pairs of values up to which the distribution is exact. */
const EXACT_PAIRS = 2500;

/**
 * Returns the two-sided Mann-Whitney test (Mann and Whitney 1947). Null if a sample is empty.
 *
 * Without ties, the test is exact: arrangements are counted by the recursion in that paper. With ties, it is the normal approximation, and
 * its variance is corrected for ties (Lehmann 1975, section 1.4).
 */
export function mannWhitney(a: readonly number[], b: readonly number[]): RankTest | null {
  const pairs = a.length * b.length;
  if (pairs === 0) return null;
  let u = 0;
  for (const x of a) for (const y of b) u += x > y ? 1 : x === y ? 0.5 : 0;
  const ties = tieSizes([...a, ...b]);
  const exact = pairs <= EXACT_PAIRS;
  const least = exact ? Math.min(1, 2 / arrangements(a.length, b.length).total) : 0;
  if (exact && ties.every((size) => size === 1)) {
    const { counts, total } = arrangements(a.length, b.length);
    const extreme = Math.min(u, pairs - u);
    let tail = 0;
    for (let value = 0; value <= extreme; value += 1) tail += counts[value]!;
    return { u, p: Math.min(1, (2 * tail) / total), method: 'exact', least };
  }
  const n = a.length + b.length;
  const tied = ties.reduce((sum, size) => sum + size ** 3 - size, 0);
  const variance = (pairs / 12) * (n + 1 - tied / (n * (n - 1)));
  const distance = Math.max(0, Math.abs(u - pairs / 2) - 0.5);
  const p = variance <= 0 ? 1 : Math.min(1, 2 * normalCdf(-distance / Math.sqrt(variance), 0, 1));
  return { u, p, method: 'normal', least };
}

function tieSizes(values: readonly number[]): number[] {
  const sizes = new Map<number, number>();
  for (const value of values) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  return [...sizes.values()];
}

/**
 * Returns the distribution of the Mann-Whitney statistic U for samples of m and n values without ties. `counts[u]`: number of ways to
 * divide the ranks between the two samples with U = u. `total`: number of all ways. The counts are the coefficients of the Gaussian
 * binomial of m + n over m.
 */
function arrangements(m: number, n: number): { counts: number[]; total: number } {
  const degree = m * n;
  const counts = new Array<number>(degree + 1).fill(0);
  counts[0] = 1;
  for (let i = 1; i <= m; i += 1) {
    // Multiplies by (1 - q^(n+i)) / (1 - q^i). The product over i is the Gaussian binomial.
    for (let at = degree; at >= n + i; at -= 1) counts[at]! -= counts[at - n - i]!;
    for (let at = i; at <= degree; at += 1) counts[at]! += counts[at - i]!;
  }
  return { counts, total: counts.reduce((sum, count) => sum + count, 0) };
}

/**
 * Returns the p values, adjusted by Holm's step-down method (Holm 1979), in the given order. Each result can be compared with 0.05
 * directly.
 */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(ps.length);
  let highest = 0;
  order.forEach(({ p, index }, rank) => {
    highest = Math.max(highest, Math.min(1, p * (ps.length - rank)));
    adjusted[index] = highest;
  });
  return adjusted;
}
