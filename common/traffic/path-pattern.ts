/** Describes which API requests call and on which indices, so that requests of the same kind are counted together. */
import type { TrafficKind } from './kind';

/** Matches the parts of index names that vary, such as dates and generations. */
const NUMBERS = /\d+(?:[._-]\d+)*/g;

/** Second words of APIs such as `_search/scroll`. Other segments without an underscore are ids or other values. */
const WORDS = new Set(['scroll', 'template', 'point_in_time', 'query', 'search']);

/**
 * Returns the method and the path of a request with `{id}` instead of ids and other values, and `#` instead of numbers in names of indices:
 * `GET /logs-#/_doc/{id}`. `kind`: kind of the request.
 */
export function pathPattern(method: string, path: string, kind: TrafficKind): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const last = segments.length - 1;
  const pattern = segments.map((segment, at) => {
    if (at === 0 && kind.indices.length > 0) return kind.indices.join(',').replaceAll(NUMBERS, '#');
    if (kind.id !== undefined && at === last) return '{id}';
    return segment.startsWith('_') || WORDS.has(segment) ? segment : '{id}';
  });
  return `${method} /${pattern.join('/')}`;
}
