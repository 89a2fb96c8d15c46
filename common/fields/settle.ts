/**
 * Converts parsed values to the values that a schema expects. In parsed values, all texts and numbers keep the author's notation
 * (`common/json/exact.ts`). The conversion keeps it only where the schema accepts any JSON. All other values become ordinary JavaScript
 * values.
 */
import type * as z from 'zod';
import { hasMarks, plainKey, plainValue } from '../json/exact';
import { isExact } from './schema';

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns a copy of an object. Its values are the results of `change`. Its keys become ordinary strings, without the marks that keep the
 * author's notation.
 */
export const withFields = (value: Fields, change: (inner: unknown, key: string) => unknown): Fields =>
  Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [plainKey(key), change(inner, plainKey(key))]),
  );

/** Returns `value` with the author's notation where `schema` accepts any JSON. All other values become ordinary JavaScript values. */
export function settledBy(schema: z.core.$ZodType, value: unknown): unknown {
  if (!hasMarks(value) || isExact(schema)) return value;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'unknown':
    case 'any':
      return value;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return settledBy(def.innerType, value);
    case 'lazy':
      return settledBy(def.getter(), value);
    case 'pipe':
      return settledBy(def.in, value);
    case 'union': {
      for (const option of def.options) {
        const own = settledBy(option, value);
        if ((option as z.ZodType).safeParse(own).success) return own;
      }
      return plainValue(value);
    }
    case 'array':
      return Array.isArray(value)
        ? value.map((one: unknown) => settledBy(def.element, one))
        : plainValue(value);
    case 'object':
      return isFields(value)
        ? withFields(value, (inner, key) =>
            Object.hasOwn(def.shape, key) ? settledBy(def.shape[key]!, inner) : plainValue(inner),
          )
        : plainValue(value);
    case 'record': {
      if (!isFields(value)) return plainValue(value);
      const { type } = (def.valueType as z.core.$ZodTypes)._zod.def;
      return type === 'unknown' ? value : withFields(value, (inner) => settledBy(def.valueType, inner));
    }
    default:
      return plainValue(value);
  }
}
