/** Draws for inputs that are made at random; from one seed the same ones. */
import type { Random } from '../../common/random';

export type { Random };

/** A whole number from `least` to `most`, both included. */
export const wholeBetween = (random: Random, least: number, most: number): number =>
  least + random.below(most - least + 1);

export const oneOf = <T>(random: Random, from: readonly T[]): T => from[random.below(from.length)]!;

/** One to `most` of them, any more than once. */
export const someOf = <T>(random: Random, from: readonly T[], most: number): T[] =>
  Array.from({ length: wholeBetween(random, 1, most) }, () => oneOf(random, from));
