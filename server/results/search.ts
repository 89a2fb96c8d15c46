/** Asks the indices of one kind of results; where there are none yet, nothing is found. */
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
  /** Of a search that asks for `docvalue_fields`; fields without values are missing. */
  fields?: Record<string, unknown[]>;
}

export interface Found<Source, Aggregations> {
  hits: Hit<Source>[];
  /** All that were asked, in the form in which Elasticsearch answers them; absent where no index stands. */
  aggregations: Aggregations | undefined;
  /** How many there are; 0 unless the search asks to `track_total_hits`. */
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

/** What of an answer is read; it leaves out what is empty. */
const FILTER = [
  '_shards.total',
  'hits.total',
  ...['_index', '_id', '_source', 'sort', 'fields'].map((part) => `hits.hits.${part}`),
  'aggregations',
  'error',
  'status',
].join(',');

/** Asks again where shards are missing: those of an index that is being made are there after some 100 ms. */
const UNTIL_SHARDS: NonNullable<Endpoint<unknown>['retry']> = {
  when: ({ status, body }) => status === 503 && errorType(body) === 'search_phase_execution_exception',
  pausesMs: [50, 100, 200, 400, 800],
};

/**
 * `kind`: `dyno-samples` asks `dyno-samples-*`. Rejects with a DynoError `results.unauthorised`, `results.forbidden` or
 * `results.refused` (which an answer is too that lacks what was asked), or as the client does.
 */
export const search = <Source = never, Aggregations = never>(
  client: ElasticsearchClient,
  kind: string,
  body: SearchBody,
): Promise<Found<Source, Aggregations>> => searchIndex(client, { index: `${kind}-*`, what: kind }, body);

/** Yields all hits of {@link search} page by page; `size`: hits of a page. `after`: the sort values to begin after. */
export const searchPages = <Source = never>(
  client: ElasticsearchClient,
  kind: string,
  { size, ...body }: SearchBody & { size: number; sort: unknown },
  after?: unknown[],
): AsyncGenerator<readonly Hit<Source>[]> =>
  api.pages(size, async (page) => (await search<Source>(client, kind, { ...body, ...page })).hits, after);

/** As {@link search}, of one index; `what` completes "could not read ...". */
export async function searchIndex<Source = never, Aggregations = never>(
  client: ElasticsearchClient,
  { index, what }: { index: string; what: string },
  body: SearchBody,
): Promise<Found<Source, Aggregations>> {
  const doing = `read ${what}`;
  const query = {
    ignore_unavailable: true,
    // Rather no answer than one of some shards only: what they do not hold would seem not to have happened.
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

/** The part that a successful answer lacks. Where no index stands, there are no aggregations either. */
function missingOf({ aggs }: SearchBody, answer: Answer<unknown, unknown> | null): string | undefined {
  const shards = answer?._shards?.total;
  if (typeof shards !== 'number') return '_shards.total';
  if (shards === 0 || aggs === undefined) return undefined;
  const wrong = unlikeAsked(aggs, answer?.aggregations);
  return wrong === undefined ? undefined : `aggregations.${wrong}`;
}

/** What was written a moment ago is found only after this; whoever may not do it reads a little later. */
export async function refresh(client: ElasticsearchClient, kind: string): Promise<void> {
  await ask(client, api.refresh(`${kind}-*`, { ignore_unavailable: true }), 'refresh the results', {
    notOffered: () => undefined,
  });
}
