/** Selects the index, or the routing, of a recorded search by a value in its body. */
import { exactText, plainValue, stringifyExact } from '../json/exact';
import { asArray, isObject, type Json } from './constructs';

export interface RouteRule {
  /** Field that the body queries by `term`, `terms` or `match`, or a key of the body. */
  field: string;
  modulo: number;
  /**
   * Rule by which the position of the index follows from the value. `remainder`: the value is a whole number, and the position is the
   * remainder of dividing it by `modulo`. `hash`: the position is the remainder of dividing the hash of the text or number, as
   * `index.route` does for documents.
   */
  by: 'remainder' | 'hash';
}

/**
 * The result of selecting an index: the position of the index (`place`), from 0, or the reason why no index can be selected (`refused`).
 */
export type Routed = { place: number } | { refused: string };

/** Kinds of queries that contain a value of a field. */
const CLAUSES: ReadonlySet<string> = new Set(['term', 'terms', 'match', 'match_phrase']);
/** Keys of a body that are skipped in the search for values. Their queries exclude documents, or belong to aggregations. */
const EXCLUDING: ReadonlySet<string> = new Set([
  'must_not',
  'not',
  'negative',
  'aggs',
  'aggregations',
  'facets',
]);

/** Returns the different values of `field` for which the body searches. */
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

/**
 * Returns the position, from 0, of the index to which a search is sent. It is the field's value, or the hash of this value, modulo
 * `modulo`. If the body has values that belong to different indices, returns the reason why no index can be selected.
 */
export function routeOf(body: Json, { field, modulo, by }: RouteRule): Routed {
  const values = valuesAskedFor(body, field);
  if (values.length === 0) return { refused: `does not ask for ${field}` };
  const places = new Set<number>();
  for (const value of values) {
    const number = by === 'hash' ? hashOf(value) : wholeNumber(value);
    if (number === null)
      return {
        refused: `${field} is not a ${by === 'hash' ? 'text or number' : 'whole number'}: ${stringifyExact(value).slice(0, 50)}`,
      };
    // The sign is ignored, as for documents.
    places.add(Math.abs(number) % modulo);
  }
  const [place, ...more] = places;
  return more.length === 0
    ? { place: place! }
    : { refused: `asks for values of ${field} that are in several indices` };
}

/**
 * Returns the routing of a search, made of the values of `field` for which the body searches. This assumes that each document was indexed
 * with its value of this field as the routing. If the body has no usable values, returns the reason.
 */
export function routingOf(body: Json, field: string): { routing: string } | { refused: string } {
  const values = valuesAskedFor(body, field);
  if (values.length === 0) return { refused: `does not ask for ${field}` };
  const wrong = values.find((value) => typeof value !== 'string' && typeof value !== 'number');
  if (wrong !== undefined)
    return { refused: `${field} is not a text or number: ${stringifyExact(wrong).slice(0, 50)}` };
  const texts = (values as (string | number)[]).map(exactText);
  // The URL parameter `routing` is a comma-separated list, in which a comma cannot be escaped.
  const parted = texts.find((text) => text.includes(','));
  return parted === undefined
    ? { routing: texts.join() }
    : { refused: `${field} has a comma, at which Elasticsearch splits a routing: ${parted.slice(0, 50)}` };
}

function wholeNumber(written: unknown): number | null {
  const value: unknown = plainValue(written);
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : null;
}

const UTF8 = new TextEncoder();

/**
 * Returns the 32-bit FNV-1a hash of a text or number in JSON, without quotes; null for other values. The load generator computes the same
 * hash from the bytes of documents.
 */
function hashOf(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = stringifyExact(value);
  let hash = 0x811c9dc5;
  for (const byte of UTF8.encode(text.startsWith('"') ? text.slice(1, -1) : text))
    hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
