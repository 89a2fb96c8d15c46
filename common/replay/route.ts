/** To which of several indices a recorded search goes, or under which routing, decided by a value in its body. */
import { exactText, plainValue, stringifyExact } from '../json/exact';
import { asArray, isObject, type Json } from './constructs';

export interface RouteRule {
  /** A field that the body asks for by `term`, `terms` or `match`, or a key of the body itself. */
  field: string;
  modulo: number;
  /** `remainder` of a whole number; `hash` of any text or number, as `index.route` has it for documents. */
  by: 'remainder' | 'hash';
}

/** Place among the indices, or why there is none. */
export type Routed = { place: number } | { refused: string };

/** Clauses that name the value of a field. */
const CLAUSES: ReadonlySet<string> = new Set(['term', 'terms', 'match', 'match_phrase']);
/** What stands here excludes. */
const EXCLUDING: ReadonlySet<string> = new Set([
  'must_not',
  'not',
  'negative',
  'aggs',
  'aggregations',
  'facets',
]);

/** The values that the body asks for in `field`, each once. */
export function valuesAskedFor(body: Json, field: string): unknown[] {
  const found = new Set<unknown>();
  const own = body[field];
  if (own !== undefined && !isObject(own)) for (const value of asArray(own)) found.add(value);
  collect(body, field, found);
  return [...found];
}

function collect(node: unknown, field: string, found: Set<unknown>): void {
  if (Array.isArray(node)) {
    for (const each of node) collect(each, field, found);
    return;
  }
  if (!isObject(node)) return;
  for (const [key, value] of Object.entries(node)) {
    if (EXCLUDING.has(key)) continue;
    if (CLAUSES.has(key) && isObject(value) && value[field] !== undefined) {
      const asked = value[field];
      for (const each of asArray(
        isObject(asked) ? (asked['value'] ?? asked['query'] ?? asked['term']) : asked,
      ))
        found.add(each);
    } else collect(value, field, found);
  }
}

/** Of a value divided by the modulo: 0 is the first index. A body whose values lead apart goes nowhere. */
export function routeOf(body: Json, { field, modulo, by }: RouteRule): Routed {
  const values = valuesAskedFor(body, field);
  if (values.length === 0) return { refused: `does not ask for ${field}` };
  const places = new Set<number>();
  for (const value of values) {
    const number = by === 'hash' ? hashOf(value) : wholeNumber(value);
    if (number === null)
      return {
        refused: `${field} is no ${by === 'hash' ? 'text or number' : 'whole number'}: ${stringifyExact(value).slice(0, 50)}`,
      };
    // Without its sign, as documents are divided.
    places.add(Math.abs(number) % modulo);
  }
  const [place, ...more] = places;
  return more.length === 0
    ? { place: place! }
    : { refused: `asks for values of ${field} that lie in several indices` };
}

/** The routing by the values that a body asks for in `field`, as documents that hold them have it; or why there is none. */
export function routingOf(body: Json, field: string): { routing: string } | { refused: string } {
  const values = valuesAskedFor(body, field);
  if (values.length === 0) return { refused: `does not ask for ${field}` };
  const wrong = values.find((value) => typeof value !== 'string' && typeof value !== 'number');
  if (wrong !== undefined)
    return { refused: `${field} is no text or number: ${stringifyExact(wrong).slice(0, 50)}` };
  const texts = (values as (string | number)[]).map(exactText);
  // The parameter is a list, and there is no way to write a value that has a comma.
  const parted = texts.find((text) => text.includes(','));
  return parted === undefined
    ? { routing: texts.join() }
    : { refused: `${field} has a comma, at which Elasticsearch parts a routing: ${parted.slice(0, 50)}` };
}

function wholeNumber(written: unknown): number | null {
  const value: unknown = plainValue(written);
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

const UTF8 = new TextEncoder();

/** FNV-1a, 32 bits, of the value as JSON writes it, without quotes: what the load does to documents as bytes. */
function hashOf(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = stringifyExact(value);
  let hash = 0x811c9dc5;
  for (const byte of UTF8.encode(text.startsWith('"') ? text.slice(1, -1) : text))
    hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
