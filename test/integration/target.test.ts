/**
 * Tests how Dyno accesses the target, with a real Elasticsearch: finding its nodes, creating indices with a mark that names their run,
 * waiting until indices are ready, and reading statistics.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serverDelta } from '../../common/measurement/server-delta';
import { checkPrivileges, discoverCluster } from '../../server/target-cluster/cluster';
import { Connection } from '../../server/target-cluster/connection';
import { checkDiskSpace, checkIndexNames, reasonToStop } from '../../server/target-cluster/guard-rails';
import { createIndex, dropIndex, findMarkedIndices } from '../../server/target-cluster/index-lifecycle';
import { chooseLoadNodes, onThisMachine } from '../../server/target-cluster/load-nodes';
import { nodeFacts } from '../../server/target-cluster/nodes';
import { waitUntilQuiet, waitUntilReady } from '../../server/target-cluster/readiness';
import { COUNTERS } from '../../common/measurement/node-metrics';
import { countDocuments, indexState, takeSnapshot } from '../../server/target-cluster/snapshot';

jest.setTimeout(60_000);

const url = process.env.DYNO_TEST_ELASTICSEARCH ?? '';
const target = new Connection({ hosts: [url] });
const created: string[] = [];
const run = randomUUID().slice(0, 8);
const mark = { run, trial: `${run}-0`, experiment: 'e1' };

const newName = (): string => {
  const name = `target-test-${randomUUID().slice(0, 8)}`;
  created.push(name);
  return name;
};

async function anIndex(
  settings: Record<string, unknown> = {},
  mapping: Record<string, unknown> = {},
): Promise<string> {
  const index = newName();
  await createIndex(target, { index, settings: { number_of_replicas: 0, ...settings }, mapping, mark });
  return index;
}

const bulk = (index: string, documents: number): Promise<unknown> =>
  target.request({
    method: 'POST',
    path: `/${index}/_bulk`,
    body: Array.from({ length: documents }, (_, number) => `{"index":{}}\n{"number":${number}}\n`).join(''),
  });

afterAll(async () => {
  for (const name of created)
    await target.request({ method: 'DELETE', path: `/${name}`, query: { ignore_unavailable: true } });
  await target.close();
});

describe('discovery', () => {
  test('returns name, uuid, version and the properties of every node', async () => {
    const cluster = await discoverCluster(target);
    expect(cluster).toMatchObject({
      engine: 'elasticsearch',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      serverless: false,
      notes: [],
    });
    expect(cluster.uuid).toHaveLength(22);
    const facts = nodeFacts(cluster.nodes[0]!);
    expect(facts).toMatchObject({
      version: cluster.version,
      jvm: expect.stringContaining('OpenJDK'),
      disk: 'unknown',
    });
    for (const figure of [
      facts.heapBytes,
      facts.cores,
      facts.memoryBytes,
      facts.diskTotalBytes,
      facts.diskFreeBytes,
    ]) {
      expect(figure).toBeGreaterThan(0);
    }
    await checkPrivileges(target, ['dyno-trial-*']);
  });

  test('sends the load to the data nodes if they can be reached and their addresses can be read', async () => {
    const { nodes } = await discoverCluster(target);
    const direct = await chooseLoadNodes(target, nodes, 'data-nodes');
    expect(direct).toEqual({
      urls: nodes.map(({ publishAddress }) => `http://${publishAddress}`),
      notes: [],
    });
    expect(await onThisMachine(direct.urls)).toBe(true);

    const away = nodes.map((node) => ({ ...node, publishAddress: '127.0.0.1:9' }));
    const fallback = await chooseLoadNodes(target, away, 'data-nodes');
    expect(fallback).toEqual({
      urls: [...target.urls],
      notes: [expect.stringContaining('refuses connections')],
    });

    const foreign = nodes.map((node) => ({ ...node, id: 'somebody-else' }));
    const notes = [expect.stringContaining('another node answers')];
    expect(await chooseLoadNodes(target, foreign, 'data-nodes')).toEqual({ urls: [...target.urls], notes });
    expect((await chooseLoadNodes(target, nodes, 'data-nodes', ['bench-*'])).urls).toEqual([...target.urls]);
  });

  test('explains problems with credentials, with servers of another kind and with forks of Elasticsearch', async () => {
    let answer: { status: number; body: unknown } = { status: 200, body: {} };
    const server = createServer((_, response) => {
      response
        .writeHead(answer.status, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer.body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const other = new Connection({
      hosts: [`http://u:p@127.0.0.1:${(server.address() as AddressInfo).port}`],
    });
    const code = async (): Promise<unknown> =>
      discoverCluster(other).catch((error: { code: string }) => error.code);

    answer = { status: 401, body: { error: { reason: 'unable to authenticate user [u]' } } };
    expect(await code()).toBe('target.unauthorised');
    answer = { status: 403, body: { error: { reason: 'action [cluster:monitor/main] is unauthorized' } } };
    expect(await code()).toBe('target.forbidden');
    answer = { status: 200, body: { hello: 'world' } };
    expect(await code()).toBe('target.not-elasticsearch');
    answer = { status: 200, body: { version: { number: '6.8.23' } } };
    expect(await code()).toBe('target.unsupported-version');
    answer = { status: 200, body: { version: { number: '1.3.20', distribution: 'opensearch' } } };
    await expect(discoverCluster(other)).rejects.toThrow('OpenSearch 1.3.20 is too old');
    answer = { status: 200, body: { version: { number: '1.0.0', distribution: 'someone-elses' } } };
    await expect(discoverCluster(other)).rejects.toThrow('this is someone-elses 1.0.0');
    await other.close();
    server.close();
  });
});

describe('an index', () => {
  test('takes settings with or without the leading index., flat or nested', async () => {
    const index = await anIndex({
      number_of_shards: 2,
      'index.refresh_interval': '7s',
      index: { translog: { durability: 'async' } },
    });
    const path = `/${index}/_settings`;
    const { body } = await target.request<Record<string, unknown>>({
      method: 'GET',
      path,
      query: { flat_settings: true },
    });
    expect(body[index]).toMatchObject({
      settings: {
        'index.number_of_shards': '2',
        'index.number_of_replicas': '0',
        'index.refresh_interval': '7s',
        'index.translog.durability': 'async',
      },
    });
  });

  test.each([
    ['an illegal level', { number_of_shards: 'many' }, {}, 'number_of_shards'],
    ['an unknown setting', { refresh_intervall: '1s' }, {}, 'unknown setting [index.refresh_intervall]'],
    [
      'an unknown type',
      {},
      { properties: { a: { type: 'nope' } } },
      'The mapper type [nope] declared on field [a]',
    ],
  ])("is refused with Elasticsearch's own reason for %s", async (_, settings, mapping, reason) => {
    const failure = createIndex(target, { index: newName(), settings, mapping, mark });
    await expect(failure).rejects.toMatchObject({ kind: 'input', code: 'target.illegal-index' });
    await expect(failure).rejects.toThrow(reason);
  });

  test('is not created if it exists, or if its name is reserved for results', async () => {
    const index = await anIndex();
    const again = createIndex(target, { index, settings: {}, mapping: {}, mark });
    await expect(again).rejects.toMatchObject({ kind: 'run', code: 'target.index-exists' });
    const reserved = createIndex(target, { index: 'dyno-runs-x', settings: {}, mapping: {}, mark });
    await expect(reserved).rejects.toMatchObject({ kind: 'input', code: 'target.reserved-name' });
  });

  test('keeps its own _meta next to the mark, is found by the mark and can be dropped once', async () => {
    const index = await anIndex({}, { _meta: { owner: 'me' } });
    const path = `/${index}/_mapping`;
    const { body } = await target.request<Record<string, unknown>>({ method: 'GET', path });
    expect(body[index]).toMatchObject({ mappings: { _meta: { owner: 'me', dyno: mark } } });
    const found = { index, mark: { ...mark, created: expect.any(String) } };
    expect(await findMarkedIndices(target, run)).toContainEqual(found);
    expect(await findMarkedIndices(target)).toContainEqual(found);
    expect(await findMarkedIndices(target, 'another-run')).toEqual([]);
    expect(await checkIndexNames(target, [index, 'there-is-none'])).toEqual([found]);
    expect(await dropIndex(target, index)).toBe(true);
    expect(await dropIndex(target, index)).toBe(false);
  });

  test("is never dropped without Dyno's mark, or by an alias or a pattern", async () => {
    const theirs = newName();
    const mapping = { _meta: { dyno: 'is a word of theirs too' } };
    await target.request({
      method: 'PUT',
      path: `/${theirs}`,
      body: { mappings: mapping, settings: { number_of_replicas: 0 } },
    });
    const ours = await anIndex();
    const alias = `${ours}-alias`;
    await target.request({ method: 'PUT', path: `/${ours}/_alias/${alias}` });
    for (const name of [theirs, alias, `${theirs}*`, '*', '_all', `${ours},${theirs}`, '', '.', '..']) {
      await expect(dropIndex(target, name)).rejects.toMatchObject({ code: 'target.index-not-ours' });
    }
    const { status } = await target.request({ method: 'HEAD', path: `/${theirs},${ours}` });
    expect(status).toBe(200);
    const names = checkIndexNames(target, [theirs, alias, ours]);
    await expect(names).rejects.toMatchObject({ kind: 'input', code: 'target.index-not-ours' });
    await expect(names.catch((error: { problems: unknown[] }) => error.problems.length)).resolves.toBe(2);
  });
});

describe('readiness', () => {
  test('is reached when all copies are allocated', async () => {
    expect(await waitUntilReady(target, [await anIndex({ number_of_shards: 3 })], 10_000)).toEqual([]);
  });

  test('does not wait for replicas that no node can hold, and reports their number', async () => {
    const { nodes } = await discoverCluster(target);
    const index = await anIndex({ number_of_shards: 2, number_of_replicas: nodes.length });
    const begun = Date.now();
    const nodesText = `${nodes.length} data ${nodes.length === 1 ? 'node' : 'nodes'}`;
    expect(await waitUntilReady(target, [index], 30_000)).toEqual([
      `2 of ${2 * nodes.length} replicas unassigned: ${nodesText}`,
    ]);
    expect(Date.now() - begun).toBeLessThan(20_000);
  });

  test('fails at once with a reason if no node can hold a primary', async () => {
    const index = await anIndex({ 'routing.allocation.require.rack': 'none' });
    const ready = waitUntilReady(target, [index], 30_000);
    await expect(ready).rejects.toMatchObject({ code: 'target.index-not-ready' });
    await expect(ready).rejects.toThrow('index.routing.allocation.require');
    expect(await reasonToStop(target, [index])).toBe('the cluster has turned red');
    await dropIndex(target, index);
  });

  test('waits until the cluster is quiet, or until its time is over', async () => {
    expect(await waitUntilQuiet(target, 30_000)).toEqual({ waitedMs: expect.any(Number), note: '' });
    expect((await waitUntilQuiet(target, 0)).note).toContain('did not come to rest within 0 s');
  });
});

describe('statistics', () => {
  test('show only the operations on this index between two snapshots', async () => {
    const index = await anIndex({ number_of_shards: 2 });
    const other = await anIndex();
    await waitUntilReady(target, [index], 10_000);
    await bulk(index, 10);
    const before = await takeSnapshot(target, [index]);
    await bulk(index, 1000);
    await bulk(other, 500);
    await target.request({ method: 'POST', path: `/${index}/_refresh` });
    await target.request({ method: 'POST', path: `/${index}/_flush` });
    await target.request({ method: 'POST', path: `/${index}/_search`, body: {} });
    const delta = serverDelta(before, await takeSnapshot(target, [index]));
    expect(delta.partial).toBe(false);
    expect(delta.indexing).toMatchObject({ docs: 1000, failed: 0 });
    expect(delta.search.queries).toBe(2);
    expect(delta.refresh.count).toBeGreaterThan(0);
    expect(delta.flush.count).toBeGreaterThan(0);
    expect(delta.threadPools.write?.completed).toBeGreaterThan(0);
    expect(delta.threadPools.write?.rejected).toBe(0);
    expect(delta.cpuMs).toBeGreaterThanOrEqual(0);
    expect(Object.values(delta.gc).length).toBeGreaterThan(0);
    expect(delta.nodes).toBe(Object.keys(before.nodes).length);
    const counted = COUNTERS.map(({ kept }) => [kept, expect.any(Number)]);
    expect(delta.perNode!.map((node) => node.counted)).toEqual(
      delta.perNode!.map(() => Object.fromEntries(counted)),
    );
  });

  test('show what the index contains, and where', async () => {
    const index = await anIndex({ number_of_shards: 3 });
    await waitUntilReady(target, [index], 10_000);
    await bulk(index, 300);
    const { nodes } = await discoverCluster(target);
    const state = await indexState(target, [index], await countDocuments(target, [index]));
    expect(state).toMatchObject({ docs: 300, segments: 3 });
    expect(state.storeBytes).toBeGreaterThan(1000);
    expect(state.shardSizes).toMatchObject({ shards: 3, docs: 300, bytes: state.storeBytes });
    expect(state.shardSizes!.largestDocs).toBeGreaterThanOrEqual(100);
    expect(state.primaries.split('-').map(Number)).toHaveLength(nodes.length);
    expect(state.primaries.split('-').reduce((sum, shards) => sum + Number(shards), 0)).toBe(3);
    expect(state.shards).toBe(state.primaries);
  });

  test('of a removed index are an error', async () => {
    await expect(takeSnapshot(target, ['there-is-none'])).rejects.toThrow('no such index');
    await expect(countDocuments(target, ['there-is-none'])).rejects.toThrow('no such index');
  });
});

describe('guard rails', () => {
  test('there is space for a little data, but not for more than the disk can hold', async () => {
    expect(await checkDiskSpace(target, [[{ bytes: 1000, primaries: 1, replicas: 0 }]])).toEqual([]);
    expect(await checkDiskSpace(target, [])).toEqual([]);
    const endless = checkDiskSpace(target, [
      Array.from({ length: 2 }, () => ({ bytes: 5e17, primaries: 1, replicas: 0 })),
    ]);
    await expect(endless).rejects.toMatchObject({ kind: 'run', code: 'target.no-space' });
  });

  test('a disk above the watermarks prevents a start and stops a load', async () => {
    const index = await anIndex();
    await waitUntilReady(target, [index], 10_000);
    expect(await reasonToStop(target, [index])).toBeNull();
    const watermark = (value: string | null): Promise<unknown> =>
      target.request({
        method: 'PUT',
        path: '/_cluster/settings',
        body: {
          persistent: {
            'cluster.routing.allocation.disk.watermark.low': value,
            'cluster.routing.allocation.disk.watermark.high': value,
            'cluster.routing.allocation.disk.watermark.flood_stage': value,
            // Prevents Elasticsearch from moving shards while this test runs.
            'cluster.routing.allocation.disk.reroute_interval': value === null ? null : '1h',
          },
        },
      });
    await watermark('100tb');
    try {
      await expect(checkDiskSpace(target, [])).rejects.toThrow('high watermark');
      expect(await reasonToStop(target, [index])).toContain('flood-stage');
    } finally {
      await watermark(null);
    }
  });

  test('a blocked index stops a load', async () => {
    const index = await anIndex();
    const block = (value: boolean | null): Promise<unknown> =>
      target.request({
        method: 'PUT',
        path: `/${index}/_settings`,
        body: { 'index.blocks.read_only_allow_delete': value },
      });
    await block(true);
    expect(await reasonToStop(target, [index])).toContain('index.blocks.read_only_allow_delete');
    await block(null);
  });
});
