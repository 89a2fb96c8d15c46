/** `values`: one value from a list, with equal or different weights. */
import * as z from 'zod';
import { drawnValue } from '../requests/template';
import { defineParameterKind } from './kind';

const MOST_VALUES = 10_000;

export const values = defineParameterKind({
  name: 'values',
  schema: z.array(z.unknown()).min(1).max(MOST_VALUES),
  text: 'A random value from a list, all equally likely. A value is a number, a text, a list or an object.',
  first: ['java', 'python'],
  drawer: (given, { random }) => {
    const all = given.map(drawnValue);
    return () => all[random.below(all.length)]!;
  },
});

export const weighted = defineParameterKind({
  name: 'weighted',
  schema: z
    .array(
      z.strictObject({
        /**
         * The value.
         * @example error
         */
        value: z.unknown(),
        /**
         * Relative frequency of the value.
         * @example 3
         */
        weight: z.number().positive().max(1_000_000),
      }),
    )
    .min(1)
    .max(MOST_VALUES),
  text: 'A random value from a list, by weight.',
  first: [
    { value: 'java', weight: 3 },
    { value: 'python', weight: 1 },
  ],
  drawer: (given, { random }) => {
    const all = given.map(({ value }) => drawnValue(value));
    const until: number[] = [];
    given.reduce((sum, { weight }, place) => (until[place] = sum + weight), 0);
    const total = until.at(-1)!;
    return () => {
      const point = random.unit() * total;
      let low = 0;
      let high = until.length - 1;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (until[middle]! > point) high = middle;
        else low = middle + 1;
      }
      return all[low]!;
    };
  },
});
