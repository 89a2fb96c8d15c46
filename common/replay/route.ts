/** To which of several indices a recorded search goes, decided by a value in its body. */
import { asArray, isObject, type Json } from './constructs';

export interface RouteRule {
  /** A field that the body asks for by `term`, `terms` or `match`, or a key of the body itself. */
  field: string;
  modulo: number;
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

/** The remainder of the value divided by `modulo`: 0 is the first index. A body whose values lead apart goes nowhere. */
export function routeOf(body: Json, { field, modulo }: RouteRule): Routed {
  const values = valuesAskedFor(body, field);
  if (values.length === 0) return { refused: `does not ask for ${field}` };
  const places = new Set<number>();
  for (const value of values) {
    const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isSafeInteger(number))
      return { refused: `${field} is no whole number: ${JSON.stringify(value)?.slice(0, 50)}` };
    places.add(((number % modulo) + modulo) % modulo);
  }
  const [place, ...more] = places;
  return more.length === 0
    ? { place: place! }
    : { refused: `asks for values of ${field} that lie in several indices` };
}
