/** Searches the indices of one kind of results. Missing indices count as empty. */
import { errorType } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { having, type Endpoint } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { unlikeAsked } from './aggregations';
import { ask, badAnswer } from './answer';

interface Hit<Source> {
  _index: string;
  _id: string;
  _source: Source;
  sort: unknown[];
  /** Values of `docvalue_fields`, if the search requested any. Fields without values are missing. */
  fields?: Record<string, unknown[]>;
}

export interface Found<Source, Aggregations> {
  hits: Hit<Source>[];
  /** All requested aggregations as Elasticsearch returned them; undefined if no index exists. */
  aggregations: Aggregations | undefined;
  /** Number of all matching documents; 0 unless the search sets `track_total_hits`. */
  total: number;
}

interface Answer<Source, Aggregations> {
  _shards?: { total?: number };
  hits?: { total?: { value?: number }; hits?: Hit<Source>[] };
  aggregations?: Aggregations;
}

interface SearchBody {
  aggs?: object;
  [part: string]: unknown;
}

/** `filter_path` with the parts of a search response that Dyno reads. Elasticsearch omits empty parts. */
const FILTER = [
  '_shards.total',
  'hits.total',
  ...['_index', '_id', '_source', 'sort', 'fields'].map((part) => `hits.hits.${part}`),
  'aggregations',
  'error',
  'status',
].join(',');

/**
 * Repeats a search if shards are missing. The shards of a new index become available after a few hundred ms, or after seconds on a busy
 * machine. All pauses together are 6.35 s long.
 */
const UNTIL_SHARDS: NonNullable<Endpoint<unknown>['retry']> = {
  when: ({ status, body }) => status === 503 && errorType(body) === 'search_phase_execution_exception',
  pausesMs: [50, 100, 200, 400, 800, 1600, 3200],
};

/**
 * Searches one kind of results: for the kind `dyno-samples`, the indices `dyno-samples-*`. Rejects with a DynoError `results.unauthorised`,
 * `results.forbidden` or `results.refused`, or with the errors of the client. A response that lacks requested parts also causes
 * `results.refused`.
 */
export const search = <Source = never, Aggregations = never>(
  client: ElasticsearchClient,
  kind: string,
  body: SearchBody,
): Promise<Found<Source, Aggregations>> => searchIndex(client, { index: `${kind}-*`, what: kind }, body);

/** Yields all hits of {@link search}, page by page. `size`: number of hits per page. `after`: sort values after which the search begins. */
export const searchPages = <Source = never>(
  client: ElasticsearchClient,
  kind: string,
  { size, ...body }: SearchBody & { size: number; sort: unknown },
  after?: unknown[],
): AsyncGenerator<readonly Hit<Source>[]> =>
  api.pages(size, async (page) => (await search<Source>(client, kind, { ...body, ...page })).hits, after);

/** Searches one index. Repeats the search like {@link search}. `what`: completes the error message "could not read ...". */
export async function searchIndex<Source = never, Aggregations = never>(
  client: ElasticsearchClient,
  { index, what }: { index: string; what: string },
  body: SearchBody,
): Promise<Found<Source, Aggregations>> {
  const doing = `read ${what}`;
  const query = {
    ignore_unavailable: true,
    // An error is better than an answer from only some shards, because documents in the other shards would seem not to exist.
    allow_partial_search_results: false,
    filter_path: FILTER,
  };
  const form = having<Answer<Source, Aggregations> | null>();
  const answer = await ask(
    client,
    { ...api.search(index, { track_total_hits: false, ...body }, form, { query }), retry: UNTIL_SHARDS },
    doing,
    { missing: () => undefined, garbled: () => null },
  );
  if (answer === undefined) return { hits: [], aggregations: undefined, total: 0 };
  const missing = missingOf(body, answer);
  if (missing !== undefined) throw badAnswer(doing, `${missing} is missing`);
  const { hits, aggregations } = answer!;
  return { hits: hits?.hits ?? [], aggregations, total: hits?.total?.value ?? 0 };
}

/**
 * Checks that a response with a 2xx status contains all requested parts. Returns the name of a missing part; undefined if the response is
 * complete. If no index matched the search, the response contains no aggregations, which is valid.
 */
function missingOf({ aggs }: SearchBody, answer: Answer<unknown, unknown> | null): string | undefined {
  const shards = answer?._shards?.total;
  if (typeof shards !== 'number') return '_shards.total';
  if (shards === 0 || aggs === undefined) return undefined;
  const wrong = unlikeAsked(aggs, answer?.aggregations);
  return wrong === undefined ? undefined : `aggregations.${wrong}`;
}

/**
 * Makes recent writes visible to searches. If the credentials may not refresh, does nothing; searches then miss the writes of the last
 * second.
 */
export async function refresh(client: ElasticsearchClient, kind: string): Promise<void> {
  await ask(client, api.refresh(`${kind}-*`, { ignore_unavailable: true }), 'refresh the results', {
    notOffered: () => undefined,
  });
}
