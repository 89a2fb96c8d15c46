/** How many rare values of a field are made before they come again with other letters or digits. */
import { countOf } from '../../../../common/generators/profile/levels';
import type { ProfiledDraw } from '../../../../common/generators/profile/profile';

/** Rows that rare values are made from; after so many they come again with other letters. */
const MOST_ROWS = 8192;
const LEAST_ROWS = 64;
/** Attempts at a value that is not there yet. */
export const TRIES = 50;

export const rowsOf = ({ rare }: ProfiledDraw): number =>
  Math.min(MOST_ROWS, Math.max(LEAST_ROWS, Math.ceil(countOf(rare) * 1.25)));

export const encodedOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
