/** Tests how the events of the collector are read from the strict index of a real Elasticsearch and summed for a trial. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readCollected } from '../../server/results/collected';
import { readMetricsTemplate } from '../../server/results/metrics-template';
import { readCollectorProgress } from '../../server/results/collector-progress';
import { installTemplates, type Template } from '../../server/results/templates';
import { Connection } from '../../server/target-cluster/connection';
import { sharedElasticsearch } from './support/elasticsearch';

const ROOT = path.resolve(__dirname, '../..');
const INDEX = 'dyno-metrics-2026.11';
const BEGAN = Date.parse('2026-11-20T10:00:00.000Z');

type Json = { [key: string]: unknown };

const url = sharedElasticsearch();
let connection: Connection;
let template: Template;

beforeAll(async () => {
  connection = new Connection({ hosts: [url()] });
  const built = spawnSync(process.execPath, ['scripts/build-metrics-template.mjs'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(`the template could not be made:\n${built.stderr}`);
  template = await readMetricsTemplate(path.join(ROOT, 'build', 'metrics-template.json'));
});
beforeEach(async () => {
  await connection.request({ method: 'DELETE', path: `/${INDEX}`, query: { ignore_unavailable: true } });
  await connection.request({ method: 'DELETE', path: '/_index_template/dyno-metrics' });
  expect(await installTemplates(connection, [template])).toEqual([]);
});
afterAll(() => connection.close());

/** Returns the complete example event in the collector's documentation. */
const documented = (metricset: 'node' | 'host'): Json =>
  JSON.parse(
    readFileSync(path.join(ROOT, 'collector/module/dyno', metricset, '_meta/data.json'), 'utf8'),
  ) as Json;

/** Sets fields in a tree. `fields`: values by path, such as `{ 'a.b.c': 1 }`; undefined removes a field. */
function set(tree: Json, fields: Json): Json {
  for (const [field, value] of Object.entries(fields)) {
    const names = field.split('.');
    const last = names.pop()!;
    const group = names.reduce<Json>((here, name) => (here[name] ??= {}) as Json, tree);
    group[last] = value;
  }
  return tree;
}

interface Where {
  /** Time after the trial's start, in s. */
  at: number;
  phase?: string;
  trial?: string;
  agent?: string;
}

function placed(event: Json, { at, phase = 'measure', trial = 'r-t01', agent = 'central' }: Where): Json {
  return set(event, {
    '@timestamp': new Date(BEGAN + at * 1000).toISOString(),
    'agent.id': agent,
    'run.id': trial.split('-')[0],
    'trial.id': trial,
    phase,
  });
}

/**
 * Returns the event of a node for one second: 100 bulks completed, 5 rejected, 20 ms of GC pauses. `more`: further fields below
 * `dyno.node`.
 */
const nodeSecond = (name: string, where: Where, more: Json = {}): Json => {
  const event = placed(documented('node'), where);
  set(event, {
    'elasticsearch.node.id': `id-${name}`,
    'elasticsearch.node.name': name,
    'elasticsearch.cluster.id': 'u',
  });
  set((event.dyno as Json).node as Json, {
    'interval.ms': 1000,
    restarted: false,
    'thread_pool.write.completed.change': 100,
    'thread_pool.write.rejected.change': 5,
    'thread_pool.write.queue': 2500,
    'gc.young.count.change': 2,
    'gc.young.time.ms.change': 20,
    'gc.zgc_cycles.count.change': 1,
    'gc.zgc_cycles.time.ms.change': 700,
    'indexing.throttled.ms.change': 3,
    'merges.count.change': 1,
    'merges.time.ms.change': 400,
    'merges.throttled.ms.change': 30,
    'merges.stopped.ms.change': 2,
    'indexing_pressure.rejections.coordinating.change': 1,
    'indexing_pressure.current.all.bytes': 1000,
    'indexing_pressure.limit.bytes': 50_000,
    'cpu.process.time.ms.change': 900,
    ...more,
  });
  return event;
};

/** Returns the event for one second of the machine on which both nodes run. It has 2 cores: 1000 ms busy, 300 ms waiting, 700 ms idle. */
const hostSecond = (where: Where, more: Json = {}): Json => {
  const event = placed(documented('host'), where);
  set(event, { 'elasticsearch.node.id': ['id-a', 'id-b'], 'elasticsearch.node.name': ['a', 'b'] });
  set(event, { 'elasticsearch.cluster.id': 'u', 'host.hostname': 'vm-7' });
  const cpu = { user: 800, nice: 0, system: 150, irq: 0, softirq: 30, steal: 20, iowait: 300, idle: 700 };
  set((event.dyno as Json).host as Json, {
    'interval.ms': 1000,
    'cpu.cores': 2,
    ...Object.fromEntries(Object.entries(cpu).map(([mode, ms]) => [`cpu.${mode}.ms.change`, ms])),
    'disk.vda.io_time.ms.change': 250,
    'disk.nvme1n1.io_time.ms.change': 600,
    'pressure.io.some.stalled.us.change': 100_000,
    'disk.vda.read.bytes.change': 2_000_000,
    'disk.vda.written.bytes.change': 8_000_000,
    'disk.vda.reads.change': 40,
    'disk.vda.writes.change': 160,
    'network.rx.bytes.change': 5_000_000,
    'network.tx.bytes.change': 1_000_000,
    ...more,
  });
  return event;
};

/** Returns the event as the first event of a collector: without changes of counters and other fields that need an event before it. */
function firstOf(event: Json): Json {
  const bare = (tree: Json): Json =>
    Object.fromEntries(
      Object.entries(tree)
        .filter(([name]) => name !== 'change' && name !== 'interval' && name !== 'restarted')
        .map(([name, value]) => [
          name,
          typeof value === 'object' && value !== null && !Array.isArray(value) ? bare(value as Json) : value,
        ]),
    );
  return bare(event);
}

async function store(...events: Json[]): Promise<void> {
  const { body } = await connection.request<{ errors: boolean; items: unknown[] }>({
    method: 'POST',
    path: `/${INDEX}/_bulk`,
    body: events.map((event) => `{"create":{}}\n${JSON.stringify(event)}\n`).join(''),
  });
  if (body.errors) throw new Error(JSON.stringify(body.items));
}

const seconds = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

test('sums only the measured phase of one trial', async () => {
  await store(
    ...seconds(0, 3).map((at) => nodeSecond('a', { at, phase: 'warm-up' })),
    ...seconds(3, 13).map((at) =>
      nodeSecond('a', { at }, { 'thread_pool.write.queue': at === 5 ? 10_000 : 0 }),
    ),
    nodeSecond('a', { at: 13, phase: 'drain' }),
    nodeSecond('a', { at: 14, trial: 'r-t02' }),
  );
  const collected = await readCollected(connection, 'r-t01');
  expect(collected).toMatchObject({ events: 10, nodes: [{ name: 'a', id: 'id-a', host: null }] });
  expect(collected!.nodes[0]).toMatchObject({
    coveredMs: 10_000,
    restarted: false,
    threadPools: {
      write: { completed: 1000, rejected: 50, capacity: 10_000, meanQueueShare: 0.1, maxQueueShare: 1 },
    },
    indexingThrottledMs: 30,
    indexingPressure: { coordinating: 10, primary: 0, replica: 0, highestShare: 0.02 },
    merges: { count: 10, timeMs: 4000, throttledMs: 300, stoppedMs: 20 },
    gc: { young: { count: 20, timeMs: 200 }, zgc_cycles: { count: 10, timeMs: 7000 } },
    // Concurrent GC cycles are not pauses.
    gcPauseMs: 200,
    cpuMs: 9000,
  });
  // This pool is idle in the example event.
  expect(Object.keys(collected!.nodes[0]!.threadPools)).not.toContain('get');
});

test('gives both nodes of a machine its metrics, as shares of all its cores and of the time', async () => {
  await store(
    ...seconds(0, 4).flatMap((at) => [
      nodeSecond('a', { at }),
      nodeSecond('b', { at }),
      hostSecond({ at, agent: 'on vm-7' }, { 'network.capacity.bytes_per_s': 125_000_000 }),
    ]),
  );
  const { nodes, events } = (await readCollected(connection, 'r-t01'))!;
  expect(events).toBe(12);
  expect(nodes.map(({ name }) => name)).toEqual(['a', 'b']);
  for (const { host } of nodes) {
    expect(host).toEqual({
      name: 'vm-7',
      coveredMs: 4000,
      cores: 2,
      busyShare: 0.5,
      iowaitShare: 0.15,
      busiestDisk: { name: 'nvme1n1', busyShare: 0.6 },
      disk: {
        readBytesPerSecond: 2_000_000,
        writtenBytesPerSecond: 8_000_000,
        readsPerSecond: 40,
        writesPerSecond: 160,
      },
      ioStalledShare: 0.1,
      network: {
        rxBytesPerSecond: 5_000_000,
        txBytesPerSecond: 1_000_000,
        capacityBytesPerSecond: 125_000_000,
      },
    });
  }
});

test('leaves out metrics that a machine does not report', async () => {
  const silent = { pressure: undefined, network: undefined, disk: undefined };
  await store(nodeSecond('a', { at: 0 }), hostSecond({ at: 0 }, silent));
  const { host } = (await readCollected(connection, 'r-t01'))!.nodes[0]!;
  expect(host).toMatchObject({ busyShare: 0.5, busiestDisk: null, ioStalledShare: null, network: null });
});

test('knows a node of which only the machine has a collector, without its node metrics', async () => {
  await store(hostSecond({ at: 0 }));
  const { nodes } = (await readCollected(connection, 'r-t01'))!;
  expect(nodes.map(({ name, coveredMs, cpuMs }) => [name, coveredMs, cpuMs])).toEqual([
    ['a', 0, null],
    ['b', 0, null],
  ]);
});

test('keeps the sums across a restart, and accepts a first event without changes', async () => {
  await store(
    firstOf(nodeSecond('a', { at: 0 })),
    nodeSecond('a', { at: 1 }),
    nodeSecond('a', { at: 9 }, { restarted: true, 'interval.ms': 8000 }),
    nodeSecond('a', { at: 10 }),
  );
  const [node] = (await readCollected(connection, 'r-t01'))!.nodes;
  expect(node).toMatchObject({
    restarted: true,
    coveredMs: 10_000,
    threadPools: { write: { completed: 300, rejected: 15 } },
  });
});

test('counts a node only once if two collectors read it, using the one with more events', async () => {
  await store(
    ...seconds(0, 4).map((at) => nodeSecond('a', { at })),
    ...seconds(0, 3).map((at) => nodeSecond('a', { at, agent: 'another' })),
  );
  const { nodes } = (await readCollected(connection, 'r-t01'))!;
  expect(nodes).toHaveLength(1);
  expect(nodes[0]).toMatchObject({ coveredMs: 4000, threadPools: { write: { completed: 400 } } });
});

test('returns nothing without an index, without events, or with only failed readings', async () => {
  expect(await readCollected(connection, 'r-t01')).toBeNull();
  await store(nodeSecond('a', { at: 0, trial: 'other-t01' }));
  expect(await readCollected(connection, 'r-t01')).toBeNull();
  const failed = nodeSecond('a', { at: 0 });
  await store(set(failed, { dyno: undefined, 'error.message': 'connection refused' }));
  expect(await readCollected(connection, 'r-t01')).toBeNull();
});

test('reports the newest event of each collector of a cluster, also of events without the run', async () => {
  const of = { cluster: 'u', run: 'r', since: new Date(BEGAN).toISOString() };
  expect(await readCollectorProgress(connection, of)).toEqual([]);
  const elsewhere = set(nodeSecond('z', { at: 50 }), { 'elasticsearch.cluster.id': 'another' });
  await store(
    nodeSecond('a', { at: -5 }),
    ...seconds(0, 3).map((at) => nodeSecond('a', { at })),
    set(nodeSecond('a', { at: 3 }), { run: undefined, trial: undefined, phase: undefined }),
    hostSecond({ at: 2, agent: 'on vm-7' }),
    elsewhere,
  );
  const shipping = await readCollectorProgress(connection, of);
  expect(shipping.sort((a, b) => a.latest - b.latest)).toEqual([
    { latest: BEGAN + 2000, periodMs: 10_000, aligned: 1 },
    { latest: BEGAN + 3000, periodMs: 10_000, aligned: 3 },
  ]);
});

test('updates the collector’s template if it is older, and keeps it if it is newer', async () => {
  const { version } = template.body;
  const raised: Template = {
    ...template,
    body: { ...template.body, version: version + 1, _meta: { dyno: { version: version + 1 } } },
  };
  expect(await installTemplates(connection, [raised])).toEqual([]);
  expect(await installTemplates(connection, [template])).toEqual([
    expect.stringContaining(
      `contains version ${version + 1} of the template dyno-metrics, and this Dyno version ${version}`,
    ),
  ]);
});
