/** How many rare values of a field are made before they come again with other letters or digits. */
import { countOf } from '../../../../common/generators/profile/levels';
import type { ProfiledDraw } from '../../../../common/generators/profile/profile';
import { mix } from './dice';

/** Rows that rare values are made from; after so many they come again with other letters. */
const MOST_ROWS = 8192;
const LEAST_ROWS = 64;
/** Attempts at a value that is not there yet. */
export const TRIES = 50;

export const rowsOf = ({ rare }: ProfiledDraw): number =>
  Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.ceil(countOf(rare) * 1.25)));

/** Of each row whether several documents have its value, which then has the words of `told`: spread over as many rows as there are rare values. */
export function toldRows(profiled: ProfiledDraw): Uint8Array {
  const rows = new Uint8Array(rowsOf(profiled));
  const { told = [], rare } = profiled;
  const places = Array.from(
    { length: Math.min(rows.length, Math.max(told.length, countOf(rare))) },
    (_, row) => row,
  );
  // In no order that load threads, each of which takes every so many rows, could share.
  places.sort((a, b) => mix(a + 1) - mix(b + 1));
  for (const row of places.slice(0, told.length)) rows[row] = 1;
  return rows;
}

export const encodedOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
