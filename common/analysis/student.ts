/** Quantiles of Student's t and of the normal distribution. They are cached because simulations need many of them. */
import tQuantile from '@stdlib/stats-base-dists-t-quantile';

/** Number of degrees of freedom from which Student's t is calculated as the normal distribution, because all digits are equal. */
const AS_NORMAL = 1e9;
const MOST_KEPT = 2000;
const kept = new Map<string, number>();

/** Returns a quantile of Student's t. `p`: in (0, 1). `degrees`: degrees of freedom, above 0, not necessarily an integer. */
export function studentQuantile(p: number, degrees: number): number {
  const key = `${p}:${degrees}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const found = tQuantile(p, degrees);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, found);
  return found;
}

export const normalQuantile = (p: number): number => studentQuantile(p, AS_NORMAL);
