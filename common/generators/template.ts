/**
 * Templates of documents. A template is a sequence of parts, some of which depend on random numbers.
 *
 * No package such as faker is used, because packages create strings. Under load, Dyno must copy documents as bytes to be fast enough.
 */
import type { Random } from '../random';

/** Format of a time. `iso`: 2013-12-11T08:01:45.000Z. `clf`: 11/Dec/2013:08:01:45 +0000, as in web server logs. */
export type TimeFormat = 'iso' | 'clf';

/** A random number that is drawn for each document. One or more parts of the document depend on it. */
export interface Draw {
  name: string;
  /** Number of possible values: the drawn number is from 0 to `size` - 1. */
  size: number;
  /**
   * Table that makes some numbers more likely than others. To draw a number, a random entry of its 65,536 entries is read. Absent if all
   * numbers are equally likely.
   */
  wheel?: Uint16Array;
}

/** A part that writes `texts[i]` if the drawn number is i. Parts with the same `draw` object use the same number. */
export interface Choice {
  kind: 'choice';
  draw: Draw;
  texts: readonly string[];
}

export type Part =
  | { kind: 'text'; text: string }
  | Choice
  /** Writes the time at which the documents of a bulk request are generated. */
  | { kind: 'time'; format: TimeFormat }
  /** Writes a random UUID, version 4. */
  | { kind: 'uuid' }
  /** Writes text that the function `write` creates, such as a random number. `longest`: maximum length of this text, in bytes. */
  | { kind: 'written'; longest: number; write: Write };

/** Writes ASCII text to `out`, from index `at` on. Returns the index after the text. */
export type Write = (random: Random, out: Uint8Array, at: number) => number;

export const text = (value: string): Part => ({ kind: 'text', text: value });

export const choice = (draw: Draw, texts: readonly string[]): Part => ({ kind: 'choice', draw, texts });

/** Returns a draw with `size` equally likely numbers. */
export const evenDraw = (name: string, size: number): Draw => ({ name, size });

const WHEEL = 65_536;

/**
 * Returns a draw with unequal probabilities. The probability of number i is `weights[i]` divided by the sum of all weights, rounded to
 * 1/65,536.
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
