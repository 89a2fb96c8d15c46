/**
 * Determines how many rare values of a field are generated in advance. They are stored in a table with one value per row. If more rare
 * values are needed, they are made from the same rows by changing letters or digits.
 */
import { mix } from '../../random';
import { countOf } from './levels';
import type { ProfiledDraw } from './profile';

const MOST_ROWS = 8192;
const LEAST_ROWS = 64;

/** Returns the number of rare values of a field that are generated in advance: 25% more than the user's data had, within limits. */
export const rareRowsOf = ({ rare }: ProfiledDraw): number =>
  Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.ceil(countOf(rare) * 1.25)));

/**
 * Returns for each row of rare values whether its value may occur in several documents. Such rows contain the rare texts that several
 * documents of the user's data had.
 */
export function sharedRows(draw: ProfiledDraw): boolean[] {
  const { told: shared = [], rare } = draw;
  const count = rareRowsOf(draw);
  const rows = Array.from(
    { length: Math.min(count, Math.max(shared.length, countOf(rare))) },
    (_, row) => row,
  );
  // The rows of shared values are scattered at random. With n load threads, each thread uses every n-th row. Without scattering, some
  // threads would get all shared values.
  const chosen = new Set(rows.sort((a, b) => mix(a + 1) - mix(b + 1)).slice(0, shared.length));
  return Array.from({ length: count }, (_, row) => chosen.has(row));
}
