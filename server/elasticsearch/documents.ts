/** APIs of documents and searches. */
import * as z from 'zod';
import type { ElasticsearchRequest } from '../../common/elasticsearch/client';
import type { Engine } from '../../common/elasticsearch/engine';
import { POINTS_IN_TIME } from '../../common/elasticsearch/point-in-time';
import { changes, counter, having, reads, type Change, type Endpoint, type Query } from './ask';

/** Name of an index or an alias, a pattern, or a list of names and patterns. */
export type Names = string | readonly string[];

/** Returns the names as the first part of a request's path. */
export const pathOf = (names: Names): string => `/${encodeURIComponent([names].flat().join())}`;

const documentPath = (index: string, id: string): string => `${pathOf(index)}/_doc/${encodeURIComponent(id)}`;

/** Identifies one version of a document. A write can require that the document still has this version. */
export interface Sequence {
  _seq_no: number;
  _primary_term: number;
}

export interface StoredDocument<T> extends Sequence {
  _id: string;
  _source: T;
}

/** Query parameters that let a write succeed only if the document has not changed since it was read. */
export const unchanged = ({ _seq_no, _primary_term }: Sequence): Query => ({
  if_seq_no: _seq_no,
  if_primary_term: _primary_term,
});

export const getDocument = <T>(index: string, id: string): Endpoint<StoredDocument<T>> =>
  reads(documentPath(index, id), having('_source'), { ceiling: 'documents' });

export const documentVersion = (index: string, id: string): Endpoint<{ _version?: number }> =>
  reads(documentPath(index, id), having(), { query: { _source: false } });

/** Stores a document. `query` may contain `refresh` and conditions such as `if_seq_no`. */
export const putDocument = (
  index: string,
  id: string,
  body: unknown,
  query: Query = {},
): Endpoint<Sequence> => ({
  method: 'PUT',
  path: documentPath(index, id),
  query,
  body,
  answer: having(),
});

export const updateDocument = (index: string, id: string, doc: object, query: Query): Change =>
  changes('POST', `${pathOf(index)}/_update/${encodeURIComponent(id)}`, {
    query,
    body: { doc },
    repeatable: false,
  });

export const deleteDocument = (index: string, id: string, query: Query): Change =>
  changes('DELETE', documentPath(index, id), { query, repeatable: false });

/** One document in the response to a multi-get request. */
export interface Got<T> extends Partial<StoredDocument<T>> {
  _version?: number;
  found?: boolean;
  error?: { type?: string };
}

const getMany = <T>(path: string, body: object, query: Query = {}): Endpoint<{ docs: Got<T>[] }> => ({
  ...{ method: 'POST', path, query, body, repeatable: true, ceiling: 'documents' },
  answer: having('docs[]'),
});

/** Reads documents of one index by their ids. The documents in the response have the order of `ids`. */
export const getDocuments = <T>(index: string, ids: readonly string[]): Endpoint<{ docs: Got<T>[] }> =>
  getMany(`${pathOf(index)}/_mget`, { ids });

/**
 * Reads the metadata of documents in any indices, such as `_version` and `_seq_no`, without `_source`. The results have the order of
 * `documents`.
 */
export const documentVersions = (
  documents: readonly { index: string; id: string }[],
): Endpoint<{ docs: Got<never>[] }> =>
  getMany(
    '/_mget',
    { docs: documents.map(({ index, id }) => ({ _index: index, _id: id })) },
    { _source: false },
  );

/** Result of one action of a bulk request. */
export interface BulkItem {
  status: number;
  error?: unknown;
}

/**
 * Sends a bulk request in which all actions are `action`, such as `index`. `lines`: action lines and lines with documents. Each line ends
 * with a line break. The response only contains the status and the error of each item.
 */
export const bulk = <Action extends string>(
  action: Action,
  lines: string,
  timeoutMs: number,
): Endpoint<{ items?: { [one in Action]: BulkItem }[] } | null> => ({
  method: 'POST',
  path: '/_bulk',
  query: { filter_path: `items.${action}.status,items.${action}.error,error,status` },
  body: lines,
  timeoutMs,
  ceiling: 'documents',
  answer: having(),
});

/** Sends a bulk request for one index. `lines` has the same form as in {@link bulk}. The response contains all fields of the items. */
export const bulkInto = (
  index: string,
  lines: string,
  { timeoutMs, pipeline }: { timeoutMs: number; pipeline?: string | undefined },
): Endpoint<{
  errors: boolean;
  items: Record<string, { status: number; error?: { type?: string; reason?: string } }>[];
}> => ({
  method: 'POST',
  path: `${pathOf(index)}/_bulk`,
  query: pipeline === undefined ? {} : { pipeline },
  body: lines,
  timeoutMs,
  ceiling: 'documents',
  answer: having('items[]'),
});

/**
 * Options of a search: query parameters, and the time limit in ms. `isExact`: whether numbers in the response keep the notation in which
 * Elasticsearch sends them, such as `1.0`.
 */
type More = Pick<ElasticsearchRequest, 'query' | 'timeoutMs' | 'isExact'>;

const searches = <T>(path: string, body: object, answer: z.ZodType<T>, more: More = {}): Endpoint<T> =>
  reads(path, answer, { method: 'POST', body, repeatable: true, ceiling: 'documents', ...more });

export const search = <T>(names: Names, body: object, answer: z.ZodType<T>, more?: More): Endpoint<T> =>
  searches(`${pathOf(names)}/_search`, body, answer, more);

/**
 * Sends the search at `path` (without its query string) with `profile: true`. The response contains only the profile. Numbers in `body` keep
 * their notation, so `body` must be an exact value (`common/json/exact.ts`).
 */
export const profiledSearch = <T>(
  path: string,
  query: Query,
  body: object,
  answer: z.ZodType<T>,
): Endpoint<T> =>
  searches(path, { ...body, profile: true }, answer, {
    query: { ...query, filter_path: 'profile' },
    isExact: true,
  });

/** Searches a point in time. Its id must be in `body`. */
export const searchPointInTime = <T>(body: object, answer: z.ZodType<T>, more: More): Endpoint<T> =>
  searches('/_search', body, answer, more);

/** Part of a search's body that selects a page. */
export interface Page {
  size: number;
  search_after?: unknown[];
}

/**
 * Yields all hits of a search in pages of `size` hits. The sort values of each hit must be unique. `after`: sort values of the hit after
 * which the first page begins.
 */
export async function* pages<Hit extends { sort?: unknown[] }>(
  size: number,
  read: (page: Page) => Promise<readonly Hit[]>,
  after?: unknown[],
): AsyncGenerator<readonly Hit[]> {
  let last = after;
  do {
    const hits = await read({ size, ...(last && { search_after: last }) });
    yield hits;
    last = hits.length < size ? undefined : hits.at(-1)?.sort;
  } while (last !== undefined);
}

/**
 * Opens a point in time of the index. `keepAlive` (such as `5m`): the point in time expires after this time without a search. `engine`:
 * Elasticsearch or OpenSearch, whose APIs differ.
 */
export const openPointInTime = (index: string, keepAlive: string, engine: Engine): Endpoint<string> => {
  const { open, takes } = POINTS_IN_TIME[engine];
  return {
    method: 'POST',
    path: `${pathOf(index)}/${open}`,
    query: { keep_alive: keepAlive },
    answer: having<Record<string, string>>(takes).transform((answer) => answer[takes]!),
  };
};

export const closePointInTime = (id: string, engine: Engine): Change => {
  const { close, body } = POINTS_IN_TIME[engine];
  return changes('DELETE', close, { body: body(id) });
};

const counted = z.looseObject({
  count: counter().int(),
  _shards: z.looseObject({ total: counter(), failed: counter() }).optional(),
});

/** Counts the documents that are visible to searches. */
export const count = (names: Names): Endpoint<z.output<typeof counted>> =>
  reads(`${pathOf(names)}/_count`, counted);
