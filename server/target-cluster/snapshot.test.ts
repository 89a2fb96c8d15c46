import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { clusterHealth } from './cluster';
import { createIndex, dropIndex } from './index-lifecycle';
import { discoverNodes } from './nodes';
import { waitUntilReady } from './readiness';
import { countDocuments, indexState, takeSnapshot } from './snapshot';

const PAGE = '<html><body>log in</body></html>';

/** Simulates a target with these answers of status 200, by the beginning of the path, and `{}` for all other requests. */
const answering = (answers: Record<string, unknown>): ElasticsearchClient => ({
  request: ({ method, path }) => {
    const asked = `${method} ${path}`;
    const found = Object.entries(answers).find(([begins]) => asked.startsWith(begins));
    return Promise.resolve({ status: 200, body: (found ? found[1] : {}) as never });
  },
});

const bad = { kind: 'run', code: 'target.bad-answer' };

describe('a count is an integer over all shards, or unknown', () => {
  test.each([
    ['a page', PAGE],
    ['nothing', {}],
    ['text', { count: 'NaN' }],
    ['a fraction', { count: 1.5 }],
    ['a negative number', { count: -1 }],
    ['a count of some shards', { count: 7, _shards: { total: 3, failed: 1 } }],
  ])('%s', async (_, answer) => {
    await expect(countDocuments(answering({ 'GET /i/_count': answer }), ['i'])).rejects.toMatchObject(bad);
  });

  test('a valid count', async () => {
    const good = { count: 7, _shards: { total: 3, successful: 3, skipped: 0, failed: 0 } };
    expect(await countDocuments(answering({ 'GET /i/_count': good }), ['i'])).toBe(7);
  });
});

describe('how different the shards are', () => {
  const copy = (node: string, primary: boolean, ...segments: [docs: number, bytes: number][]): object => ({
    routing: { state: 'STARTED', primary, node },
    segments: Object.fromEntries(
      segments.map(([docs, bytes], at) => [`_${at}`, { num_docs: docs, size_in_bytes: bytes, search: true }]),
    ),
  });
  const sizesOf = async (indices: Record<string, Record<string, object[]>>): Promise<unknown> => {
    const segments = Object.fromEntries(Object.entries(indices).map(([name, shards]) => [name, { shards }]));
    const client = answering({
      [`GET /${encodeURIComponent(Object.keys(indices).join())}/_segments`]: { indices: segments },
    });
    return (await indexState(client, Object.keys(indices), 60)).shardSizes;
  };

  test('is read from the primaries of all indices, including empty ones', async () => {
    const sizes = await sizesOf({
      a: { 0: [copy('x', true, [20, 200], [20, 100]), copy('y', false, [40, 999])], 1: [copy('y', true)] },
      b: { 0: [copy('y', true, [20, 100])] },
    });
    expect(sizes).toEqual({ shards: 3, docs: 60, largestDocs: 40, bytes: 400, largestBytes: 300 });
  });

  test('is unknown if the cluster reports no shards', async () => {
    expect(await sizesOf({ a: {} })).toBeUndefined();
  });
});

const node = {
  name: 'n',
  jvm: { timestamp: 2000, uptime_in_millis: 500, gc: { collectors: {} } },
  thread_pool: { write: { completed: 1, rejected: 0 } },
};

test('counters of the registry are read of each node and of each shard copy, null if one is not reported', async () => {
  const copy = (node: string, more: object): object => ({
    routing: { state: 'STARTED', primary: true, node },
    ...more,
  });
  const shards = { 0: [copy('a', { query_cache: { evictions: 3 } })], 1: [copy('b', {})] };
  const client = answering({
    'GET /_nodes/stats/jvm,thread_pool,indexing_pressure,process,fs,transport,breaker': {
      nodes: { a: { ...node, breakers: { parent: { tripped: 7 } } }, b: node },
    },
    'GET /i/_stats/': { indices: { i: { shards } } },
  });
  const snapshot = await takeSnapshot(client, ['i']);
  expect(Object.values(snapshot.nodes).map(({ counted }) => counted)).toEqual([
    { parentBreakerTripCount: 7 },
    { parentBreakerTripCount: null },
  ]);
  expect(Object.values(snapshot.shards).map(({ counted }) => counted)).toEqual([
    { queryCacheEvictionCount: 3 },
    { queryCacheEvictionCount: null },
  ]);
});

describe('invalid statistics are not mistaken for those of a restarted node', () => {
  const statsOf = (stats: unknown): ElasticsearchClient => answering({ 'GET /_nodes/stats': stats });

  test.each([
    ['a page', PAGE],
    ['a node without its start', { nodes: { a: { ...node, jvm: {} } } }],
    [
      'a counter that is text',
      { nodes: { a: { ...node, thread_pool: { write: { completed: '1', rejected: 0 } } } } },
    ],
  ])('%s', async (_, stats) => {
    await expect(takeSnapshot(statsOf(stats), ['i'])).rejects.toMatchObject(bad);
  });

  test('invalid statistics of a shard are refused too', async () => {
    const copy = {
      routing: { state: 'STARTED', primary: true, node: 'a' },
      indexing: { index_total: 'many' },
    };
    const stats = { indices: { i: { shards: { '0': [copy] } } } };
    await expect(takeSnapshot(answering({ 'GET /i/_stats': stats }), ['i'])).rejects.toMatchObject(bad);
  });

  test('valid statistics contain the start of the node', async () => {
    const { nodes } = await takeSnapshot(statsOf({ nodes: { a: node } }), ['i']);
    expect(nodes).toMatchObject({ a: { name: 'n', startedAt: 1500, uptimeMs: 500 } });
  });
});

describe('other answers of the target are validated', () => {
  test('a page of HTML does not count as a created index or an alias', async () => {
    const page = answering({ 'PUT /i': PAGE, 'GET /i/_mapping': PAGE });
    const wanted = { index: 'i', settings: {}, mapping: {}, mark: { run: 'r', trial: 't', experiment: 'e' } };
    await expect(createIndex(page, wanted)).rejects.toMatchObject(bad);
    await expect(dropIndex(page, 'i')).rejects.toMatchObject(bad);
  });

  test('health is one of three colours', async () => {
    await expect(
      clusterHealth(answering({ 'GET /_cluster/health': { status: 'blue' } })),
    ).rejects.toMatchObject(bad);
    await expect(
      waitUntilReady(answering({ 'GET /_cluster/health': PAGE }), ['i'], 1000),
    ).rejects.toMatchObject(bad);
  });

  test('an invalid fact about a node is not stored', async () => {
    const stats = {
      nodes: { a: { name: 'n', version: '9.5.3', os: { allocated_processors: 'NaN', name: 7 } } },
    };
    expect(await discoverNodes(answering({ 'GET /_nodes/os': stats }))).toMatchObject([
      { name: 'n', cores: 0, os: '', heapBytes: 0 },
    ]);
  });
});
