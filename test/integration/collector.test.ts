/** Tests the collector (dynobeat) with a real Elasticsearch: its events fit the strict template, and its counters are consistent. */
import { spawnSync } from 'node:child_process';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startElasticsearch, type EmbeddedElasticsearch } from '../../server/standalone/elasticsearch/start';
import { until } from '../support/until';
import { BINARY, METRICS_TEMPLATE, withDynobeat } from './support/dynobeat';
import { ask, sharedElasticsearch, START_TIMEOUT_MS } from './support/elasticsearch';

type Json = Record<string, unknown>;
interface Counter {
  total: number;
  change?: number;
}
interface MetricEvent {
  '@timestamp': string;
  event: { dataset: string };
  phase?: string;
  trial?: { id: string };
  run?: { id: string };
  elasticsearch?: { cluster: { id: string }; node: { id: string | string[] } };
  error?: { message: string };
  dyno: Record<string, Json>;
}

const url = sharedElasticsearch();
const beats = withDynobeat();

const configOf = (target: string, results = target, node: Json = {}): Json => ({
  'dynobeat.modules': [
    { module: 'dyno', metricsets: ['node'], period: '1s', hosts: [target], ...node },
    { module: 'dyno', metricsets: ['host'], period: '1s', 'elasticsearch.hosts': [target] },
  ],
  'output.elasticsearch': { hosts: [results], 'backoff.init': '1s', 'backoff.max': '2s' },
});

/** Removes all events and installs the template. */
async function prepareIndex(): Promise<void> {
  const indices = await ask<{ index: string }[]>(
    'GET',
    `${url()}/_cat/indices/dyno-metrics-*?format=json&h=index`,
  );
  for (const { index } of indices.body) await ask('DELETE', `${url()}/${index}`);
  const template = JSON.parse(readFileSync(METRICS_TEMPLATE, 'utf8')) as Json;
  const answer = await ask('PUT', `${url()}/_index_template/dyno-metrics`, template);
  expect(answer.body).toEqual({ acknowledged: true });
}

async function events(): Promise<MetricEvent[]> {
  await ask('POST', `${url()}/dyno-metrics-*/_refresh`);
  const answer = await ask<{ hits?: { hits: { _source: MetricEvent }[] } }>(
    'POST',
    `${url()}/dyno-metrics-*/_search?size=1000`,
    { sort: ['@timestamp'] },
  );
  return (answer.body.hits?.hits ?? []).map(({ _source }) => _source);
}

const ofNodes = (all: MetricEvent[]): Json[] =>
  all.filter(({ event, error }) => event.dataset === 'dyno.node' && !error).map(({ dyno }) => dyno.node!);

/** Returns all objects `{ total, change }` in an event, by their path. */
function counters(fields: Json, prefix = '', into: Record<string, Counter> = {}): Record<string, Counter> {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const inner = value as Json;
    if (typeof inner.total === 'number') into[prefix + name] = inner as unknown as Counter;
    counters(inner, `${prefix}${name}.`, into);
  }
  return into;
}

/** Sends bulks and searches until `signal.stop` is set. */
async function load(signal: { stop: boolean }): Promise<void> {
  const line = '{"index":{}}\n{"message":"GET /images/logo.png HTTP/1.1","status":200}\n';
  while (!signal.stop) {
    await ask('POST', `${url()}/collector-load/_bulk`, line.repeat(200));
    await ask('POST', `${url()}/collector-load/_search`, { query: { match_all: {} } });
  }
}

test('the strict template accepts every event, and the changes of each counter add up', async () => {
  await prepareIndex();
  const cluster = await ask<{ cluster_uuid: string }>('GET', `${url()}/_cluster/state/version`);
  const now = Date.now();
  const at = (s: number): string => new Date(now + s * 1000).toISOString();
  await ask('PUT', `${url()}/dyno-markers/_doc/${cluster.body.cluster_uuid}`, {
    '@timestamp': at(0),
    cluster: { uuid: cluster.body.cluster_uuid },
    run: { id: 'run-1' },
    experiment: { id: 'experiment-1', name: 'Collector' },
    trial: { id: 'trial-1' },
    cell: { id: 'cell-1', label: 'only one' },
    phases: [{ phase: 'measure', from: at(-60), until: null }],
    clocks: {},
    ended: null,
  });
  const signal = { stop: false };
  const loading = load(signal);
  const beat = beats.start(configOf(url()));
  await until('events of nodes', async () => ofNodes(await events()).length >= 8);
  expect(await beat.stop()).toBe(0);
  signal.stop = true;
  await loading;

  expect(beat.log()).not.toMatch(/Cannot index event|mapper_parsing_exception|strict_dynamic_mapping/);
  const all = await events();
  const indices = await ask<{ index: string }[]>(
    'GET',
    `${url()}/_cat/indices/dyno-metrics-*?format=json&h=index`,
  );
  expect(indices.body.map(({ index }) => index)).toEqual([
    expect.stringMatching(/^dyno-metrics-\d{4}\.\d{2}$/),
  ]);
  expect(all.filter(({ error }) => error)).toEqual([]);
  for (const dataset of ['dyno.node', 'dyno.host']) {
    const found = all.filter(({ event }) => event.dataset === dataset);
    expect(found.length).toBeGreaterThanOrEqual(6);
    // The first events of the machine may lack the cluster and the trial, because the cluster has not answered yet.
    const knowing = found.findIndex(({ elasticsearch }) => elasticsearch !== undefined);
    expect(found.length - knowing).toBeGreaterThanOrEqual(5);
    for (const event of found.slice(knowing)) {
      expect(event).toMatchObject({ phase: 'measure', run: { id: 'run-1' }, trial: { id: 'trial-1' } });
      expect(event.elasticsearch?.cluster.id).toBe(cluster.body.cluster_uuid);
    }
    const series = found.map(({ dyno }) => counters(dyno[dataset.slice('dyno.'.length)]!));
    const [first] = series;
    const last = series[series.length - 1]!;
    expect(Object.values(first!).filter(({ change }) => change !== undefined)).toEqual([]);
    // Sums over shards may fall. All other counters must add up.
    const names = Object.keys(first!).filter((name) => !/^cache\.|^cpu\..*\.ms$/.test(name));
    expect(names.length).toBeGreaterThan(dataset === 'dyno.node' ? 70 : 15);
    const sums = names.map((name) => [
      name,
      series.slice(1).reduce((sum, event) => sum + (event[name]?.change ?? 0), 0),
    ]);
    expect(sums).toEqual(names.map((name) => [name, last[name]!.total - first![name]!.total]));
  }
  const nodes = ofNodes(all);
  const intervals = nodes.slice(1).map((node) => (node.interval as { ms: number }).ms);
  expect(Math.max(...intervals)).toBeLessThan(2000);
  const total = (name: string): number =>
    nodes.reduce((sum, node) => sum + (counters(node)[name]?.change ?? 0), 0);
  expect(total('indexing.docs')).toBeGreaterThan(0);
  expect(total('thread_pool.write.completed')).toBeGreaterThan(0);
  expect(total('search.query.count')).toBeGreaterThan(0);
});

/** Starts a TCP proxy to a cluster. The connection can be interrupted and restored. */
async function cuttable(target: string): Promise<{
  url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
  /** Returns how often the node statistics were requested so far. */
  readings(): number;
}> {
  const { hostname, port } = new URL(target);
  let readings = 0;
  const sockets = new Set<Socket>();
  let server: Server;
  let own = 0;
  const mend = async (): Promise<void> => {
    server = createServer((from) => {
      const to = connect(Number(port), hostname);
      for (const socket of [from, to]) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => (sockets.delete(socket), from.destroy(), to.destroy()));
      }
      from.on('data', (chunk: Buffer) => {
        readings += chunk.toString('latin1').split(/^GET \/_nodes\S*\/stats/m).length - 1;
      });
      from.pipe(to).pipe(from);
    });
    await new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve));
    own = (server.address() as { port: number }).port;
  };
  await mend();
  return {
    url: `http://127.0.0.1:${own}`,
    mend,
    readings: () => readings,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      sockets.forEach((socket) => socket.destroy());
      await closed;
    },
  };
}

/**
 * Returns the counters for which the sum of all changes is not the difference between the last and the first total. The counters of a
 * process begin again at 0 when it restarts, which is taken into account. The counters of the machine continue.
 */
function wrongSums(nodes: Json[]): {
  checked: number;
  wrong: Record<string, { sum: number; truth: number }>;
} {
  const series = nodes.map((node) => counters(node));
  const restarts = nodes.flatMap(({ restarted }, i) => (restarted === true ? i : []));
  const wrong: Record<string, { sum: number; truth: number }> = {};
  // Cache counters are sums over the existing shards. When a shard disappears their change is unknown, and they have none.
  const names = Object.keys(series[0]!).filter(
    (name) => !name.startsWith('cache.') && series.every((event) => event[name] !== undefined),
  );
  for (const name of names) {
    const total = (i: number): number => series[i]![name]!.total;
    const before = name.startsWith('cgroup.') ? [] : restarts.map((i) => total(i - 1));
    const truth = before.reduce((all, one) => all + one, total(series.length - 1) - total(0));
    const sum = series.slice(1).reduce((all, event) => all + (event[name]!.change ?? 0), 0);
    if (sum !== truth) wrong[name] = { sum, truth };
  }
  return { checked: names.length, wrong };
}

test('continues while the results cluster is unavailable, and ships the kept events afterwards', async () => {
  await prepareIndex();
  const [target, results] = [await cuttable(url()), await cuttable(url())];
  const beat = beats.start(configOf(target.url, results.url));
  const read = async (more: number): Promise<void> => {
    const enough = target.readings() + more;
    await until(`${more} readings`, () => target.readings() >= enough);
  };
  await until('events of nodes', async () => ofNodes(await events()).length >= 2);
  await results.cut();
  await read(6);
  const before = ofNodes(await events()).length;
  await results.mend();
  await until('events of nodes', async () => ofNodes(await events()).length >= before + 8);
  const nodes = ofNodes(await events());
  expect(beat.log().match(/cannot read the marker/g)).toHaveLength(1);
  expect(beat.log().match(/can be read again/g)).toHaveLength(1);
  // The collector loses the events that it cannot ship before its end, and logs this.
  await results.cut();
  // After two more readings, at least one event is waiting.
  await read(2);
  expect(await beat.stop()).toBe(0);
  await target.cut();
  expect(beat.log()).toMatch(/[1-9]\d* events were not stored before the end and are lost/);

  const times = nodes.map((node) => Date.parse(node.timestamp as string));
  expect(Math.max(...times.slice(1).map((time, i) => time - times[i]!))).toBeLessThan(2000);
  const { checked, wrong } = wrongSums(nodes);
  expect(wrong).toEqual({});
  expect(checked).toBeGreaterThan(70);
});

/**
 * Sends bulks of one document with many clients until enough bulks were rejected. Resolves to the numbers of accepted and rejected bulks.
 */
async function overload(target: string): Promise<{ accepted: number; rejected: number }> {
  const bulk = `{"index":{"_index":"narrow"}}\n{"n":1}\n`;
  const answered = { accepted: 0, rejected: 0 };
  const deadline = Date.now() + 20_000;
  const client = async (): Promise<void> => {
    while ((answered.rejected < 500 || answered.accepted < 500) && Date.now() < deadline) {
      const answer = await ask<{ items: { index: { status: number } }[] }>('POST', `${target}/_bulk`, bulk);
      const status = answer.body.items[0]!.index.status;
      expect([201, 429]).toContain(status);
      answered[status === 429 ? 'rejected' : 'accepted'] += 1;
    }
  };
  await Promise.all(Array.from({ length: 32 }, client));
  return answered;
}

describe('with a separate node', () => {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'dynobeat-target-'));
  let target: EmbeddedElasticsearch;
  const start = (port?: number): Promise<EmbeddedElasticsearch> =>
    startElasticsearch({
      dataFolder,
      port,
      heap: '512m',
      // A bulk of one document for one shard is one task of the pool. It is either executed or rejected.
      settings: { 'thread_pool.write.size': '1', 'thread_pool.write.queue_size': '1' },
    });
  beforeAll(async () => {
    target = await start();
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await target.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }, 60_000);

  test(
    'the changes add up across a restart of the node',
    async () => {
      await prepareIndex();
      const port = Number(new URL(target.url).port);
      const beat = beats.start(configOf(target.url, url()));
      for (let i = 0; i < 20; i++) await ask('POST', `${target.url}/work/_doc?refresh`, { i });
      await until('events of nodes', async () => ofNodes(await events()).length >= 3);
      await target.stop();
      target = await start(port);
      await ask('POST', `${target.url}/work/_doc?refresh`, { i: 20 });
      await until(
        'events of nodes',
        async () => ofNodes(await events()).filter(({ restarted }) => restarted).length > 0,
      );
      const then = ofNodes(await events()).length;
      await until('events of nodes', async () => ofNodes(await events()).length >= then + 2);
      expect(await beat.stop()).toBe(0);
      const nodes = ofNodes(await events());
      expect(nodes.filter(({ restarted }) => restarted)).toHaveLength(1);
      const { checked, wrong } = wrongSums(nodes);
      expect(wrong).toEqual({});
      expect(checked).toBeGreaterThan(70);
      expect(beat.log()).not.toMatch(/Cannot index event/);
    },
    2 * START_TIMEOUT_MS,
  );

  test(
    'counts the same rejections and completions of a full write queue as the clients',
    async () => {
      await prepareIndex();
      await ask('PUT', `${target.url}/narrow`, {
        settings: { number_of_shards: 1, number_of_replicas: 0 },
        mappings: { properties: { n: { type: 'long' } } },
      });
      const beat = beats.start(configOf(target.url, url()));
      await until('events of nodes', async () => ofNodes(await events()).length >= 2);
      const answered = await overload(target.url);
      const ended = Date.now();
      // Waits for events that were read after the load. On a busy machine earlier events may still be on their way.
      const since = async (): Promise<MetricEvent[]> =>
        (await events()).filter((event) => Date.parse(event['@timestamp']) > ended);
      await until('events of nodes', async () => ofNodes(await since()).length >= 2);
      expect(await beat.stop()).toBe(0);
      expect(answered.rejected).toBeGreaterThanOrEqual(500);

      const nodes = ofNodes(await events());
      const total = (name: string): number =>
        nodes.slice(1).reduce((sum, node) => sum + counters(node)[name]!.change!, 0);
      const rejected = total('thread_pool.write.rejected');
      const completed = total('thread_pool.write.completed');
      expect({ rejected, accepted: total('indexing.docs') }).toEqual(answered);
      // When no other write is running, Elasticsearch syncs the shard's global checkpoint after a write. That is a task of the same
      // pool which is never rejected, so the pool completes one or two tasks for each bulk.
      expect(completed).toBeGreaterThanOrEqual(answered.accepted);
      expect(completed).toBeLessThanOrEqual(2 * answered.accepted);
    },
    2 * START_TIMEOUT_MS,
  );
});

test.each([
  ['reads each metricset once', url, 0, /node\.\.\.OK[^]*"thread_pool"[^]*host\.\.\.OK[^]*"cpu"/],
  [
    'names the one that cannot be read',
    () => 'http://127.0.0.1:1',
    1,
    /node\.\.\.\s+error\.\.\. ERROR .*refused\s[^]*host\.\.\.OK/,
  ],
])('`test modules` %s', (_title, target, code, expected) => {
  const { status, stdout } = spawnSync(
    BINARY,
    ['test', 'modules', ...beats.argumentsFor(configOf(target()))],
    {
      encoding: 'utf8',
    },
  );
  expect(stdout).toMatch(expected);
  expect(status).toBe(code);
});

test.each([
  ['a scope that does not exist', { scope: 'galaxy' }, /scope: found "galaxy", allowed are cluster and node/],
  ['two hosts for one cluster', { hosts: ['a:9200', 'b:9200'] }, /with `scope: cluster` one host answers/],
  ['a metricset that does not exist', { metricsets: ['nodes'] }, /nodes/],
])('%s leads to one clear message and exit code 1, and ships nothing', async (_title, wrong, message) => {
  const before = (await events()).length;
  const beat = beats.start(configOf(url(), url(), wrong));
  expect(await beat.ended).toBe(1);
  const exiting = beat
    .log()
    .split('\n')
    .filter((line) => line.startsWith('Exiting:'));
  expect(exiting).toEqual([expect.stringMatching(message)]);
  expect((await events()).length).toBe(before);
});
