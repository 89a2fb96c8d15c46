/** Makes values for a zod schema. Most of them are valid. */
import type * as z from 'zod';
import { oneOf, wholeBetween, type Random } from './random';

/** Values that are invalid for most schemas. */
const ODD: readonly unknown[] = [
  null,
  '',
  ' ',
  '0',
  'NaN',
  '-1',
  '1e999',
  'new',
  'local',
  '../..',
  '%00',
  '\u0000',
  '\ud800',
  '__proto__',
  'constructor',
  '😀'.repeat(500),
  'x'.repeat(5000),
  -1,
  0,
  1.5,
  1e308,
  2 ** 53,
  true,
  [],
  {},
  [[[[]]]],
  { __proto__: null, toString: 1 },
];

const ODD_KEYS = ['', 'other', '__proto__', 'toString', 'x'.repeat(5000), '\u0000', 'a.b[0]'];

interface Def {
  type: string;
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  values?: readonly unknown[];
  entries?: Record<string, unknown>;
}

const defOf = (schema: z.core.$ZodType): Def => schema._zod.def as unknown as Def;

/** Returns a random value for the schema. One in twenty values is invalid. */
export function valueFor(schema: z.core.$ZodType, random: Random): unknown {
  if (random.below(20) === 0) return oneOf(random, ODD);
  const { type, shape = {}, element, innerType, in: input, options, values, entries } = defOf(schema);
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(shape)
          .filter(() => random.below(10) > 0)
          .map(([key, inner]) => [key, valueFor(inner, random)])
          .concat(random.below(20) === 0 ? [[oneOf(random, ODD_KEYS), oneOf(random, ODD)]] : []),
      );
    case 'array':
      return Array.from({ length: wholeBetween(random, 0, random.below(30) === 0 ? 5000 : 3) }, () =>
        valueFor(element!, random),
      );
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return random.below(2) === 0 ? undefined : valueFor(innerType!, random);
    case 'pipe':
      return valueFor(input!, random);
    case 'union':
      return valueFor(oneOf(random, options!), random);
    case 'literal':
      return oneOf(random, values!);
    case 'enum':
      return oneOf(random, Object.values(entries!));
    case 'number':
      return wholeBetween(random, 0, 100);
    case 'boolean':
      return random.below(2) === 0;
    case 'string':
      return oneOf(random, ['a', 'local', 'http://127.0.0.1:1', '2026-01-01T00:00:00Z', 'run-1', '1h']);
    default:
      return oneOf(random, ODD);
  }
}

/** Returns a copy of `value` in which some values are missing, duplicated or of another type. */
export function damaged(value: unknown, random: Random): unknown {
  if (random.below(6) === 0) return oneOf(random, ODD);
  if (Array.isArray(value)) {
    const left = value.filter(() => random.below(8) > 0).map((inner) => damaged(inner, random));
    return random.below(8) === 0 ? [...left, ...left] : left;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(() => random.below(8) > 0)
      .map(([key, inner]) => [key, damaged(inner, random)]),
  );
}
