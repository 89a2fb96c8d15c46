/** Random choices for inputs. The same seed gives the same choices. */
import type { Random } from '../../common/random';

export type { Random };

/** Returns an integer from `least` to `most`, both included. */
export const wholeBetween = (random: Random, least: number, most: number): number =>
  least + random.below(most - least + 1);

export const oneOf = <T>(random: Random, from: readonly T[]): T => from[random.below(from.length)]!;

/** Returns one to `most` elements, possibly repeated. */
export const someOf = <T>(random: Random, from: readonly T[], most: number): T[] =>
  Array.from({ length: wholeBetween(random, 1, most) }, () => oneOf(random, from));
