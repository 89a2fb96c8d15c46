/**
 * Creates JSON texts as people and programs write them. They contain everything that JavaScript loses when it parses and writes JSON, such
 * as large integers.
 */
import type { Random } from '../../common/random';

const NUMBERS = [
  ...['-0.0', '-0', '0', '1.0', '2.50', '1e400', '-1E+5', '1e3', '0.000000100', '1e-7', '9007199254740993'],
  ...['-9223372036854775808', '0.1234567890123456789012345678', '123456789012345678901234567890'],
];
const STRINGS = [
  ...[
    '"a"',
    '"\\u0041"',
    '"\\/"',
    '"é"',
    '"\\u00e9"',
    '"\\ud83d\\ude00"',
    '"😀"',
    '"\\n\\t"',
    '"\\u2028"',
    '""',
  ],
  ...[
    '"\\ud800"',
    '"\ufdd0"',
    '"\ufdd01.0"',
    '"\\ufdd0x"',
    '"a \\"b\\" \\\\"',
    '"1.0"',
    '"null"',
    '" - # : , "',
  ],
];
const KEYS = [
  ...['"a"', '"b"', '"0"', '"1"', '"2"', '"10"', '"01"', '"4294967295"', '"-1"', '"1.0"', '"\\u0061"', '"é"'],
  ...['"__proto__"', '"constructor"', '"x y"', '""', '"true"', '"a.b"', '"\ufdd0k"', '"hits"'],
];

const pick = <Value>(values: readonly Value[], random: Random): Value => values[random.below(values.length)]!;

/** Returns a positive or negative integer with an absolute value up to 2^80, as text. */
const integer = (random: Random): string => {
  const bits = BigInt(1 + random.below(80));
  const value =
    ((BigInt(random.next()) << 64n) | (BigInt(random.next()) << 32n) | BigInt(random.next())) % 2n ** bits;
  return String(random.below(2) === 0 ? value : -value);
};

/** Returns the JSON text of a number or a string. */
export function madeScalar(random: Random): string {
  const kind = random.below(3);
  if (kind === 0) return integer(random);
  return pick(kind === 1 ? NUMBERS : STRINGS, random);
}

/** Returns the JSON text of a random value, without spaces between its tokens. Some objects contain the same key twice. */
export function madeJson(random: Random, depth = 0): string {
  const kind = random.below(depth > 3 ? 5 : 9);
  if (kind < 4) return madeScalar(random);
  if (kind === 4) return pick(['true', 'false', 'null', '{}', '[]'], random);
  const many = random.below(4);
  if (kind < 7) return `[${Array.from({ length: many }, () => madeJson(random, depth + 1)).join()}]`;
  return madeObject(random, depth);
}

export function madeObject(random: Random, depth = 0): string {
  const members = Array.from(
    { length: random.below(4) },
    () => `${pick(KEYS, random)}:${madeJson(random, depth + 1)}`,
  );
  return `{${members.join()}}`;
}

/** Returns the JSON text of an object inside `levels` objects and lists. */
export const nested = (inner: string, levels: number): string =>
  `${'{"a":['.repeat(levels)}${inner}${']}'.repeat(levels)}`;

/** Returns `count` JSON objects. One in a hundred is nested deeply. */
export function madeBodies(random: Random, count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    at % 100 === 99 ? nested(madeObject(random, 3), 10 + random.below(25)) : madeObject(random),
  );
}
