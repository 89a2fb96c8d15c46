/**
 * Determines how many rare values of a field are generated in advance. Each is a *row*. If more rare values are needed, the rows are used
 * again with other letters or digits.
 */
import { mix } from '../../random';
import { countOf } from './levels';
import type { ProfiledDraw } from './profile';

const MOST_ROWS = 8192;
const LEAST_ROWS = 64;

/** Returns the number of rows of a field: 25% more than the number of rare values that were learned, within limits. */
export const rareRowsOf = ({ rare }: ProfiledDraw): number =>
  Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.ceil(countOf(rare) * 1.25)));

/** Returns for each row whether its value occurs in several documents. Such a row contains a text of `told` in the profile. */
export function sharedRows(draw: ProfiledDraw): boolean[] {
  const { told: shared = [], rare } = draw;
  const count = rareRowsOf(draw);
  const rows = Array.from(
    { length: Math.min(count, Math.max(shared.length, countOf(rare))) },
    (_, row) => row,
  );
  // Such rows are scattered at random. Otherwise, they would all belong to some of the load threads, because n threads use every n-th row
  // each.
  const chosen = new Set(rows.sort((a, b) => mix(a + 1) - mix(b + 1)).slice(0, shared.length));
  return Array.from({ length: count }, (_, row) => chosen.has(row));
}
