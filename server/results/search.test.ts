import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { search } from './search';

const answering = (body: unknown, status = 200): ElasticsearchClient =>
  ({ request: () => Promise.resolve({ status, body }) }) as unknown as ElasticsearchClient;

const aggs = {
  runs: {
    terms: { field: 'run.id' },
    aggs: {
      last: { max: { field: '@timestamp' } },
      lost: { filter: { match_none: {} }, aggs: { n: { sum: { field: 'n' } } } },
    },
  },
  newest: { top_hits: { size: 1 } },
};
const bucket = { key: 'a', doc_count: 1, last: { value: null }, lost: { doc_count: 0, n: { value: 0 } } };
const newest = { hits: { hits: [{ _source: {} }] } };

test('an answer in the requested form is read', async () => {
  const aggregations = { runs: { buckets: [bucket] }, newest };
  const found = await search(answering({ _shards: { total: 1 }, aggregations }), 'dyno-runs', { aggs });
  expect(found).toEqual({ hits: [], aggregations, total: 0 });
});

test.each([
  ['no shards, because no index exists', 200, { _shards: { total: 0 } }],
  ['404', 404, { error: { type: 'index_not_found_exception' } }],
])('nothing is found: %s', async (_, status, body) => {
  const found = await search(answering(body, status), 'dyno-runs', { aggs });
  expect(found).toEqual({ hits: [], aggregations: undefined, total: 0 });
});

const MISSING = {
  status: 503,
  body: {
    error: {
      type: 'search_phase_execution_exception',
      reason: '',
      caused_by: {
        type: 'search_phase_execution_exception',
        reason: 'Search rejected due to missing shards [[dyno-runs][0]]',
      },
    },
    status: 503,
  },
};

/** Simulates a cluster that gives these answers one after the other, and then repeats the last one. */
function answeringInTurn(...answers: { status: number; body: unknown }[]): {
  client: ElasticsearchClient;
  asked: () => number;
} {
  let asked = 0;
  const request = () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)]);
  return { client: { request } as unknown as ElasticsearchClient, asked: () => asked };
}

test('a search while an index is being created waits for its shards', async () => {
  const there = { status: 200, body: { _shards: { total: 1 }, hits: { hits: [{ _id: 'a' }] } } };
  const { client, asked } = answeringInTurn(MISSING, MISSING, there);
  expect((await search(client, 'dyno-runs', {})).hits).toEqual([{ _id: 'a' }]);
  expect(asked()).toBe(3);
});

test('shards that remain missing are reported after some seconds', async () => {
  jest.useFakeTimers();
  const { client, asked } = answeringInTurn(MISSING);
  const found = search(client, 'dyno-runs', {}).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(3000);
  expect(asked()).toBe(6);
  await jest.advanceTimersByTimeAsync(5000);
  jest.useRealTimers();
  expect(String(await found)).toContain(
    'could not read dyno-runs: search_phase_execution_exception: Search rejected due to missing shards',
  );
  expect(asked()).toBe(8);
});

test('any other error is reported at once', async () => {
  const { client, asked } = answeringInTurn({ status: 503, body: { error: 'no master', status: 503 } });
  await expect(search(client, 'dyno-runs', {})).rejects.toThrow('no master');
  expect(asked()).toBe(1);
});

const shards = { _shards: { total: 1 } };
const withBucket = (more: object): object => ({
  ...shards,
  aggregations: { runs: { buckets: [bucket, { ...bucket, ...more }] }, newest },
});

test.each([
  ['a page of a gateway', '<html>', '_shards.total'],
  ['nothing', null, '_shards.total'],
  ['no aggregations', shards, 'aggregations.runs'],
  ['no aggregation of that name', { ...shards, aggregations: { newest } }, 'aggregations.runs'],
  ['no buckets', { ...shards, aggregations: { runs: {}, newest } }, 'aggregations.runs.buckets'],
  [
    'no inner hits',
    { ...shards, aggregations: { runs: { buckets: [] }, newest: {} } },
    'aggregations.newest.hits.hits',
  ],
  ['no count', withBucket({ doc_count: 'many' }), 'aggregations.runs.buckets[1].doc_count'],
  [
    'a value that is not a number',
    withBucket({ last: { value: 'NaN' } }),
    'aggregations.runs.buckets[1].last.value',
  ],
  [
    'no sum',
    withBucket({ lost: { doc_count: 0, n: { value: null } } }),
    'aggregations.runs.buckets[1].lost.n.value',
  ],
])('an answer that lacks a requested part is an error that names it: %s', async (_, body, missing) => {
  await expect(search(answering(body), 'dyno-runs', { aggs })).rejects.toMatchObject({
    code: 'results.refused',
    message: `could not read dyno-runs: it answered 200, but not as Elasticsearch does (${missing} is missing)`,
  });
});
