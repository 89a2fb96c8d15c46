/** `range`, `uniform`, `normal`, `zipf`, `counter`: numbers. */
import * as z from 'zod';
import type { Random } from '../random';
import { drawnNumber } from '../requests/template';
import { defineParameterKind } from './kind';

const whole = () => z.number().int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);
const decimals = () => z.number().int().min(0).max(15);

/** Returns a problem if `to` is less than `from`. */
const order = ({ from, to }: { from: number; to: number }) =>
  to >= from ? undefined : { key: 'to', message: `is below from (${from})`, allowed: `${from} or more` };

/** Returns a random whole number in [0, bound). `bound` can exceed 32 bits. */
const below = (random: Random, bound: number): number =>
  bound <= 2 ** 32
    ? random.below(bound)
    : Math.floor(((random.next() >>> 5) * 2 ** 26 + (random.next() >>> 6)) * 2 ** -53 * bound);

export const range = defineParameterKind({
  name: 'range',
  schema: z.strictObject({
    /** Smallest number. */
    from: whole().default(0),
    /**
     * Largest number.
     * @example 999
     */
    to: whole(),
  }),
  text: 'A random whole number from a range, all equally likely.',
  first: { to: 999 },
  problem: (given) =>
    order(given) ??
    (given.to - given.from < 2 ** 53
      ? undefined
      : { key: 'to', message: 'is too far from `from`', allowed: 'at most 2^53 numbers' }),
  drawer:
    ({ from, to }, { random }) =>
    () =>
      drawnNumber(String(from + below(random, to - from + 1))),
});

export const uniform = defineParameterKind({
  name: 'uniform',
  schema: z.strictObject({
    /** Smallest value. */
    from: z.number().default(0),
    /**
     * Largest value.
     * @example 90
     */
    to: z.number(),
    /**
     * Number of decimals.
     * @example 2
     */
    decimals: decimals().default(6),
  }),
  text: 'A random number between two limits, all equally likely.',
  first: { from: -90, to: 90 },
  problem: order,
  drawer:
    ({ from, to, decimals: digits }, { random }) =>
    () =>
      drawnNumber((from + random.unit() * (to - from)).toFixed(digits)),
});

export const normal = defineParameterKind({
  name: 'normal',
  schema: z.strictObject({
    /**
     * Mean.
     * @example 100
     */
    mean: z.number(),
    /**
     * Standard deviation.
     * @example 15
     */
    deviation: z.number().positive(),
    /**
     * Number of decimals. With 0, the values are whole numbers.
     * @example 0
     */
    decimals: decimals().default(6),
    /**
     * Minimum. If a drawn number is smaller, Dyno draws again.
     * @example 0
     */
    least: z.number().optional(),
    /**
     * Maximum. If a drawn number is larger, Dyno draws again.
     * @example 200
     */
    most: z.number().optional(),
  }),
  text: 'A random number with a normal distribution.',
  first: { mean: 100, deviation: 15 },
  problem: ({ mean, deviation, least = -Infinity, most = Infinity }) =>
    least < mean + 2 * deviation && most > mean - 2 * deviation && least < most
      ? undefined
      : {
          key: 'least',
          message: 'excludes almost the whole distribution',
          allowed: 'least and most around the likely values: mean +- 2 deviations',
        },
  drawer:
    ({ mean, deviation, decimals: digits, least = -Infinity, most = Infinity }, { random }) =>
    () => {
      for (;;) {
        // Box-Muller transform (1958). One of its two numbers is used.
        const radius = Math.sqrt(-2 * Math.log(1 - random.unit()));
        const value = mean + deviation * radius * Math.cos(2 * Math.PI * random.unit());
        if (value >= least && value <= most) return drawnNumber(value.toFixed(digits));
      }
    },
});

/**
 * Returns a function that draws ranks from 1 to `size` in constant time and memory. The probability of a rank is proportional to
 * rank^-exponent. The exponent must be above 0, and can be 1. Method: rejection-inversion (W. Hörmann, G. Derflinger, "Rejection-inversion
 * to generate variates from monotone discrete distributions", ACM TOMACS 6(3), 1996).
 */
export function zipfRanks(size: number, exponent: number, random: Random): () => number {
  /**
   * Integral of x^-exponent. It is calculated with {@link expm1Over}, because the plain formula loses precision if the exponent is close to
   * 1.
   */
  const h = (x: number): number => {
    const log = Math.log(x);
    return expm1Over((1 - exponent) * log) * log;
  };
  /** Inverse function of the integral of x^-exponent. */
  const inverse = (y: number): number => {
    const t = Math.max(-1, y * (1 - exponent));
    return Math.exp(log1pOver(t) * y);
  };
  const density = (x: number): number => Math.exp(-exponent * Math.log(x));
  const first = h(1.5) - 1;
  const last = h(size + 0.5);
  const squeeze = 2 - inverse(h(2.5) - density(2));
  return () => {
    for (;;) {
      const u = last + random.unit() * (first - last);
      const x = inverse(u);
      const rank = Math.min(size, Math.max(1, Math.round(x)));
      if (rank - x <= squeeze || u >= h(rank + 0.5) - density(rank)) return rank;
    }
  };
}

/** Returns (e^x - 1) / x. */
const expm1Over = (x: number): number => (Math.abs(x) > 1e-8 ? Math.expm1(x) / x : 1 + (x / 2) * (1 + x / 3));
/** Returns log(1 + x) / x. */
const log1pOver = (x: number): number =>
  Math.abs(x) > 1e-8 ? Math.log1p(x) / x : 1 - x * (1 / 2 - x * (1 / 3 - x / 4));

export const zipf = defineParameterKind({
  name: 'zipf',
  schema: z.strictObject({
    /** Smallest number, which is the most frequent one. */
    from: whole().default(1),
    /**
     * Largest number, which is the least frequent one.
     * @example 100000
     */
    to: whole(),
    /**
     * Skew of the distribution. The n-th number has a weight of n^-exponent.
     * @example 1.1
     */
    exponent: z.number().positive().max(20).default(1),
  }),
  text: 'A random whole number with a Zipf distribution: small numbers are much more frequent than large ones, similar to the requests of users.',
  first: { to: 100_000 },
  problem: order,
  drawer: ({ from, to, exponent }, { random }) => {
    const rank = zipfRanks(to - from + 1, exponent, random);
    return () => drawnNumber(String(from + rank() - 1));
  },
});

export const counter = defineParameterKind({
  name: 'counter',
  schema: z.strictObject({
    /** First number. */
    from: whole().default(0),
    /** Difference between two consecutive numbers. */
    step: z.number().int().min(1).max(1_000_000).default(1),
  }),
  text: 'A counter. Each number is sent only once in a trial, also with several load threads.',
  first: {},
  drawer: ({ from, step }, { share }) => {
    let next = from + step * share.index;
    return () => {
      const own = next;
      next += step * share.of;
      return drawnNumber(String(own));
    };
  },
});
