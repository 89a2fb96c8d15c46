/** Quantiles of Student's t and of the normal distribution; kept, for one takes long enough to be felt in a simulation. */
import tQuantile from '@stdlib/stats-base-dists-t-quantile';

/** The normal distribution is Student's with so many degrees of freedom that no digit tells. */
const AS_NORMAL = 1e9;
const MOST_KEPT = 2000;
const kept = new Map<string, number>();

/** `p` in (0, 1); `degrees` above 0, not necessarily whole. */
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
