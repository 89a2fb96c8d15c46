/**
 * Document templates: a sequence of parts, and the random numbers on which the parts depend.
 *
 * No package is used: packages such as faker create strings, but at the rates of a load, documents must be copied as bytes.
 */
import type { Random } from '../random';

/** Format of a time. `iso`: 2013-12-11T08:01:45.000Z. `clf`: 11/Dec/2013:08:01:45 +0000, as in web server logs. */
export type TimeFormat = 'iso' | 'clf';

/** A draw: a random number on which one or more parts of a document depend. */
export interface Draw {
  name: string;
  /** Upper end of the random number: it is in [0, size). */
  size: number;
  /** Only for unequal probabilities: 65,536 places, each of which contains a number. */
  wheel?: Uint16Array;
}

/** Writes `texts[i]` if the drawn number is i. Parts with the same draw object get the same number. */
export interface Choice {
  kind: 'choice';
  draw: Draw;
  texts: readonly string[];
}

export type Part =
  | { kind: 'text'; text: string }
  | Choice
  /** Part that writes the time at which the batch is rendered. */
  | { kind: 'time'; format: TimeFormat }
  /** Part that writes a random UUID, version 4. */
  | { kind: 'uuid' }
  /** Anything else: writes at most `longest` bytes of ASCII at offset `at`, and returns the offset after them. */
  | { kind: 'written'; longest: number; write: Write };

export type Write = (random: Random, out: Uint8Array, at: number) => number;

export const text = (value: string): Part => ({ kind: 'text', text: value });

export const choice = (draw: Draw, texts: readonly string[]): Part => ({ kind: 'choice', draw, texts });

/** Returns a draw with `size` equally likely numbers. */
export const evenDraw = (name: string, size: number): Draw => ({ name, size });

const WHEEL = 65_536;

/**
 * Returns a draw with unequal probabilities. The probability of number i is `weights[i]` divided by the sum of all weights, rounded to
 * 1/65536.
 */
export function weightedDraw(name: string, weights: readonly number[]): Draw {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const wheel = new Uint16Array(WHEEL);
  let reached = 0;
  let position = 0;
  weights.forEach((weight, number) => {
    reached += weight;
    const until = number === weights.length - 1 ? WHEEL : Math.round((reached / total) * WHEEL);
    wheel.fill(number, position, until);
    position = Math.max(position, until);
  });
  return { name, size: weights.length, wheel };
}
