/** How the engines open, read and close a point in time. */
import { isSince, type Engine } from './engine';

export const POINTS_IN_TIME = {
  elasticsearch: { open: '_pit', takes: 'id', close: '/_pit', body: (id: string) => ({ id }) },
  opensearch: {
    open: '_search/point_in_time',
    takes: 'pit_id',
    close: '/_search/point_in_time',
    body: (id: string) => ({ pit_id: [id] }),
  },
} as const satisfies Readonly<
  Record<Engine, { open: string; takes: string; close: string; body: (id: string) => object }>
>;

export const TIEBREAK = '_shard_doc';

/**
 * Returns the sort for a page of hits. For OpenSearch, a tiebreak is added. Otherwise, if several hits have equal sort values, OpenSearch
 * would skip some of them at the end of a page. Elasticsearch adds a tiebreak itself.
 */
export function sortedPage(sort: unknown, engine: Engine): unknown {
  if (sort === undefined) return [TIEBREAK];
  if (engine === 'elasticsearch') return sort;
  const keys: unknown[] = Array.isArray(sort) ? sort : [sort];
  const isTiebreak = (key: unknown): boolean =>
    key === TIEBREAK || (typeof key === 'object' && key !== null && TIEBREAK in key);
  return keys.some(isTiebreak) ? keys : [...keys, TIEBREAK];
}

/** Whether the engine can sort the pages of a point in time with a tiebreak. Older versions of OpenSearch cannot. */
export const breaksTies = ({ engine, version }: { engine: Engine; version: string }): boolean =>
  engine === 'elasticsearch' || isSince(version, '3.3');
