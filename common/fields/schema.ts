/** Schemas of values that occur in many places of a definition: durations, sizes, counts, and objects with exactly one key. */
import * as z from 'zod';
import { BYTES_FORM, parseBytes } from '../units/bytes';
import { DURATION_FORM, durationMs, parseDuration } from '../units/duration';

// Zod would use `new Function` to be faster, but Kibana's content security policy forbids it.
z.config({ jitless: true });

/**
 * Maximum of every duration in a definition. Some timers wait for the sum of several durations. This sum must be below 24 days, the maximum
 * of a timer of Node.js.
 */
export const LONGEST_DURATION = '7d';

/** Maximum of every count in a definition, such as a number of documents. */
export const LARGEST_COUNT = 100_000_000_000;

/**
 * Maximum of every size in a definition, such as that of a bulk request. It is ten times the size of a request that Elasticsearch accepts
 * by default (100 MB).
 */
export const LARGEST_SIZE = '1gb';
const LARGEST_BYTES = parseBytes(LARGEST_SIZE)!;

/** Maximum number of indices of a trial. A URL must be able to contain all their names. */
export const MOST_INDICES = 20;

/** Maximum length of a list in a definition, unless the list has its own limit. */
export const LONGEST_LIST = 100;

export const duration = (longest = LONGEST_DURATION) =>
  z
    .string({ error: DURATION_FORM })
    .refine((text) => parseDuration(text) !== undefined, { error: DURATION_FORM })
    .refine((text) => (parseDuration(text) ?? 0) <= durationMs(longest), { error: `at most ${longest}` })
    .meta({ format: 'duration' });

export const wholeSeconds = (longest?: string) =>
  duration(longest).refine((text) => (parseDuration(text) ?? 0) % 1000 === 0, {
    error: 'whole seconds: samples are taken once a second',
  });

export const bytes = () =>
  z
    .string({ error: BYTES_FORM })
    .refine((text) => (parseBytes(text) ?? 0) > 0, { error: BYTES_FORM })
    .refine((text) => (parseBytes(text) ?? 0) <= LARGEST_BYTES, { error: `at most ${LARGEST_SIZE}` });

export const count = (least = 1, most = LARGEST_COUNT) => z.number().int().min(least).max(most);

/** Returns the schema of an object with arbitrary keys. `most`: maximum number of keys. */
export const keysAtMost = <Value extends z.ZodType>(
  value: Value,
  most: number,
  key: z.ZodString = z.string(),
) =>
  z
    .record(key, value)
    .refine((given) => Object.keys(given).length <= most, { error: `at most ${most} keys` });

/** Returns a check for a schema: the object must have exactly one of `keys`. */
export const exactlyOne =
  (...keys: string[]) =>
  (value: Record<string, unknown>, context: z.RefinementCtx): void => {
    const given = keys.filter((key) => value[key] !== undefined);
    if (given.length === 1) return;
    context.addIssue({
      code: 'custom',
      message:
        given.length === 0
          ? `one of ${keys.join(', ')} is missing`
          : `only one of ${given.join(', ')} is allowed`,
      params: { allowed: `exactly one of ${keys.join(', ')}` },
    });
  };

const exactSchemas = new WeakSet<z.core.$ZodType>();

/**
 * Marks a schema whose values Dyno sends to Elasticsearch. Texts and numbers in these values keep the author's notation, such as `1.0`
 * (`common/json/exact.ts`). Returns the schema.
 */
export function exact<Schema extends z.ZodType>(schema: Schema): Schema {
  exactSchemas.add(schema);
  return schema;
}

export const isExact = (schema: z.core.$ZodType): boolean => exactSchemas.has(schema);
