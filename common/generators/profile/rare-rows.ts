/** Rows of rare values. If there are more rare values than rows, a row is used again with other letters or digits. */
import { mix } from '../../random';
import { countOf } from './levels';
import type { ProfiledDraw } from './profile';

const MOST_ROWS = 8192;
const LEAST_ROWS = 64;

export const rareRowsOf = ({ rare }: ProfiledDraw): number =>
  Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.ceil(countOf(rare) * 1.25)));

/** Returns for each row whether several documents have its value. Such a row contains the words of an element of `told`. */
export function sharedRows(draw: ProfiledDraw): boolean[] {
  const { told: shared = [], rare } = draw;
  const count = rareRowsOf(draw);
  const rows = Array.from(
    { length: Math.min(count, Math.max(shared.length, countOf(rare))) },
    (_, row) => row,
  );
  // The rows are scattered, because each load thread uses every n-th row.
  const chosen = new Set(rows.sort((a, b) => mix(a + 1) - mix(b + 1)).slice(0, shared.length));
  return Array.from({ length: count }, (_, row) => chosen.has(row));
}
