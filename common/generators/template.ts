/**
 * Document templates: a row of parts, and the random numbers that they depend on.
 *
 * By hand: packages such as faker make strings; at these rates documents have to be copies of bytes.
 */
import type { Random } from '../random';

/** `iso`: 2013-12-11T08:01:45.000Z. `clf`: 11/Dec/2013:08:01:45 +0000, as web servers log it. */
export type TimeFormat = 'iso' | 'clf';

/** A random number that one or more parts of a document depend on. */
export interface Draw {
  name: string;
  /** It is in [0, size). */
  size: number;
  /** For numbers that are not equally likely: 65536 places, each with its number. */
  wheel?: Uint16Array;
}

/** `texts[i]` when the draw is i. Parts with the same draw object go together. */
export interface Choice {
  kind: 'choice';
  draw: Draw;
  texts: readonly string[];
}

export type Part =
  | { kind: 'text'; text: string }
  | Choice
  /** The time at which the batch is rendered. */
  | { kind: 'time'; format: TimeFormat }
  /** A random UUID, version 4. */
  | { kind: 'uuid' }
  /** Anything else: writes at most `longest` bytes of ASCII at `at` and returns where it ended. */
  | { kind: 'written'; longest: number; write: Write };

export type Write = (random: Random, out: Uint8Array, at: number) => number;

export const text = (value: string): Part => ({ kind: 'text', text: value });

export const choice = (draw: Draw, texts: readonly string[]): Part => ({ kind: 'choice', draw, texts });

/** `size` equally likely numbers. */
export const evenDraw = (name: string, size: number): Draw => ({ name, size });

const WHEEL = 65_536;

/** Number i comes with a probability of `weights[i]` over their sum, to within 1/65536. */
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
