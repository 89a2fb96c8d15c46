import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { clusterHealth } from './cluster';
import { createIndex, dropIndex } from './index-lifecycle';
import { discoverNodes } from './nodes';
import { waitUntilReady } from './readiness';
import { countDocuments, indexState, takeSnapshot } from './snapshot';

const PAGE = '<html><body>log in</body></html>';

/** A target that gives these answers with status 200, by the beginning of what is asked; `{}` to all else. */
const answering = (answers: Record<string, unknown>): ElasticsearchClient => ({
  request: ({ method, path }) => {
    const asked = `${method} ${path}`;
    const found = Object.entries(answers).find(([begins]) => asked.startsWith(begins));
    return Promise.resolve({ status: 200, body: (found ? found[1] : {}) as never });
  },
});

const bad = { kind: 'run', code: 'target.bad-answer' };

describe('a count is a whole number of documents of all shards, or not known', () => {
  test.each([
    ['a page', PAGE],
    ['nothing', {}],
    ['text', { count: 'NaN' }],
    ['a fraction', { count: 1.5 }],
    ['less than nothing', { count: -1 }],
    ['that of some shards', { count: 7, _shards: { total: 3, failed: 1 } }],
  ])('%s', async (_, answer) => {
    await expect(countDocuments(answering({ 'GET /i/_count': answer }), ['i'])).rejects.toMatchObject(bad);
  });

  test('a good one', async () => {
    const good = { count: 7, _shards: { total: 3, successful: 3, skipped: 0, failed: 0 } };
    expect(await countDocuments(answering({ 'GET /i/_count': good }), ['i'])).toBe(7);
  });
});

describe('how unlike the shards are', () => {
  const copy = (node: string, primary: boolean, ...segments: [docs: number, bytes: number][]): object => ({
    routing: { state: 'STARTED', primary, node },
    segments: Object.fromEntries(
      segments.map(([docs, bytes], at) => [`_${at}`, { num_docs: docs, size_in_bytes: bytes, search: true }]),
    ),
  });
  const sizesOf = async (indices: Record<string, Record<string, object[]>>): Promise<unknown> => {
    const told = Object.fromEntries(Object.entries(indices).map(([name, shards]) => [name, { shards }]));
    const client = answering({
      [`GET /${encodeURIComponent(Object.keys(indices).join())}/_segments`]: { indices: told },
    });
    return (await indexState(client, Object.keys(indices), 60)).shardSizes;
  };

  test('is read of the primaries of all indices, empty ones among them', async () => {
    const sizes = await sizesOf({
      a: { 0: [copy('x', true, [20, 200], [20, 100]), copy('y', false, [40, 999])], 1: [copy('y', true)] },
      b: { 0: [copy('y', true, [20, 100])] },
    });
    expect(sizes).toEqual({ shards: 3, docs: 60, largestDocs: 40, bytes: 400, largestBytes: 300 });
  });

  test('is not known where the cluster tells of no shard', async () => {
    expect(await sizesOf({ a: {} })).toBeUndefined();
  });
});

const node = {
  name: 'n',
  jvm: { timestamp: 2000, uptime_in_millis: 500, gc: { collectors: {} } },
  thread_pool: { write: { completed: 1, rejected: 0 } },
};

describe('statistics that are none are not taken for those of a node that restarted', () => {
  const statsOf = (told: unknown): ElasticsearchClient => answering({ 'GET /_nodes/stats': told });

  test.each([
    ['a page', PAGE],
    ['a node without its start', { nodes: { a: { ...node, jvm: {} } } }],
    [
      'a counter that is text',
      { nodes: { a: { ...node, thread_pool: { write: { completed: '1', rejected: 0 } } } } },
    ],
  ])('%s', async (_, told) => {
    await expect(takeSnapshot(statsOf(told), ['i'])).rejects.toMatchObject(bad);
  });

  test('those of a shard either', async () => {
    const copy = {
      routing: { state: 'STARTED', primary: true, node: 'a' },
      indexing: { index_total: 'many' },
    };
    const told = { indices: { i: { shards: { '0': [copy] } } } };
    await expect(takeSnapshot(answering({ 'GET /i/_stats': told }), ['i'])).rejects.toMatchObject(bad);
  });

  test('good ones date the start of the node', async () => {
    const { nodes } = await takeSnapshot(statsOf({ nodes: { a: node } }), ['i']);
    expect(nodes).toMatchObject({ a: { name: 'n', startedAt: 1500, uptimeMs: 500 } });
  });
});

describe('what else the target says is looked at before it is used', () => {
  test('an index that a page stands for was not created, and is not called an alias', async () => {
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

  test('a fact of a node that is none is not kept', async () => {
    const told = {
      nodes: { a: { name: 'n', version: '9.5.3', os: { allocated_processors: 'NaN', name: 7 } } },
    };
    expect(await discoverNodes(answering({ 'GET /_nodes/os': told }))).toMatchObject([
      { name: 'n', cores: 0, os: '', heapBytes: 0 },
    ]);
  });
});
