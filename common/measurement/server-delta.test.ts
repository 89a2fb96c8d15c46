import {
  nodeDisturbances,
  serverDelta,
  type NodeSnapshot,
  type ShardSnapshot,
  type StatsSnapshot,
} from './server-delta';

const aNode = (work: number, more: Partial<NodeSnapshot> = {}): NodeSnapshot => ({
  name: 'n',
  roles: ['data', 'ingest'],
  machine: '127.0.0.1',
  cores: 2,
  startedAt: 1_000_000,
  gc: { young: { count: work, timeMs: 10 * work } },
  threadPools: { write: { completed: 100 * work, rejected: work }, get: { completed: 5, rejected: 0 } },
  indexingPressure: { coordinating: 0, primary: work, replica: 0 },
  cpuMs: 1000 * work,
  diskBusyMs: null,
  deviceBusyMs: {},
  disk: null,
  transport: null,
  counted: {},
  uptimeMs: 10_000 * work,
  ...more,
});

const aShard = (node: string, docs: number): ShardSnapshot => ({
  node,
  indexing: { docs, failed: 0, timeMs: docs, throttledMs: 0 },
  search: { queries: 1, queryMs: 1, fetchMs: 1 },
  requestCache: { hits: 1, misses: 1 },
  merges: { count: 0, docs: 0, bytes: 0, timeMs: 0, throttledMs: 0, stoppedMs: 0 },
  refresh: { count: docs / 10, timeMs: 1 },
  flush: { count: 0, timeMs: 0 },
  counted: {},
});

const snapshot = (nodes: StatsSnapshot['nodes'], shards: StatsSnapshot['shards']): StatsSnapshot => ({
  at: 0,
  nodes,
  shards,
});

test('sums the changes between two snapshots over nodes and shards', () => {
  const before = snapshot({ a: aNode(1), b: aNode(2) }, { '0@a': aShard('a', 100), '1@b': aShard('b', 50) });
  const after = snapshot({ a: aNode(3), b: aNode(5) }, { '0@a': aShard('a', 400), '1@b': aShard('b', 150) });
  expect(serverDelta(before, after)).toMatchObject({
    nodes: 2,
    partial: false,
    indexing: { docs: 400, timeMs: 400 },
    refresh: { count: 40 },
    gc: { young: { count: 5, timeMs: 50 } },
    indexingPressure: { primary: 5 },
    cpuMs: 5000,
    diskBusyMs: null,
  });
});

test('returns each node that stayed, with its busiest disk and its pauses for garbage collection', () => {
  const gc = (ms: number): NodeSnapshot['gc'] => ({
    'ZGC Pauses': { count: ms, timeMs: ms },
    'ZGC Cycles': { count: 1, timeMs: 100 * ms },
  });
  const disks = (sda: number, sdb: number): Partial<NodeSnapshot> => ({
    diskBusyMs: sda + sdb,
    deviceBusyMs: { sda, sdb },
  });
  const before = snapshot({ a: aNode(1, { name: 'es-2', gc: gc(1) }), b: aNode(2, disks(10, 20)) }, {});
  const after = snapshot({ a: aNode(3, { name: 'es-2', gc: gc(5) }), b: aNode(5, disks(500, 700)) }, {});
  const delta = serverDelta(before, after);
  expect(delta.perNode).toMatchObject([
    { name: 'es-2', elapsedMs: 20_000, cpuMs: 2000, gcPauseMs: 4, diskBusyMs: null },
    { name: 'n', elapsedMs: 30_000, cpuMs: 3000, gcPauseMs: 30, diskBusyMs: 680 },
  ]);
  expect(delta).toMatchObject({ diskBusyMs: 1170 });
  expect(delta).not.toHaveProperty('deviceBusyMs');
  expect(delta).not.toHaveProperty('uptimeMs');
});

test('returns each node’s disks, rejections, work of shards and the mean of gauges in between', () => {
  const disk = (bytes: number): NodeSnapshot['disk'] => ({
    readBytes: bytes,
    writtenBytes: 2 * bytes,
    reads: 1,
    writes: 2,
  });
  const before = snapshot(
    { a: aNode(1, { disk: disk(100) }), b: aNode(1) },
    { '0@a': aShard('a', 100), '1@b': aShard('b', 50) },
  );
  const after = snapshot(
    { a: aNode(3, { disk: disk(500) }), b: aNode(2, { disk: disk(7) }) },
    { '0@a': aShard('a', 400), '1@b': aShard('b', 150) },
  );
  const seen = (cpuShare: number | null, writeQueue: number) => ({
    a: { cpuShare, heapShare: 0.5, writeQueue, writeQueueHighest: writeQueue },
  });
  const [a, b] = serverDelta(before, after, [seen(0.2, 4), seen(null, 10), seen(0.6, 1)]).perNode!;
  expect(a).toMatchObject({
    disk: { readBytes: 400, writtenBytes: 800, reads: 0, writes: 0 },
    refused: { write: 2, search: 0, otherPools: 0, pressure: 2 },
    shards: { indexing: { docs: 300 }, refresh: { count: 30 } },
    sampled: { samples: 3, heapShare: 0.5, writeQueue: 5, writeQueueHighest: 10 },
  });
  expect(a!.sampled!.cpuShare).toBeCloseTo(0.4);
  // A counter that was not reported in the first snapshot is unknown. It must not count as 0.
  expect(b).toMatchObject({ disk: null, shards: { indexing: { docs: 100 } } });
  expect(b).not.toHaveProperty('sampled');
});

test('keeps the change of each counter of the registry, of a node and of its shard copies', () => {
  const shard = (node: string, evicted: number | null): ShardSnapshot => ({
    ...aShard(node, 100),
    counted: { evicted },
  });
  const before = snapshot(
    { a: aNode(1, { counted: { opened: 10 } }), b: aNode(1, { counted: { opened: null } }) },
    { '0@a': shard('a', 5), '1@a': shard('a', 0), '0@b': shard('b', 7), '1@b': shard('b', null) },
  );
  const after = snapshot(
    { a: aNode(2, { counted: { opened: 14 } }), b: aNode(2, { counted: { opened: 3 } }) },
    { '0@a': shard('a', 6), '1@a': shard('a', 2), '0@b': shard('b', 9), '1@b': shard('b', null) },
  );
  const delta = serverDelta(before, after);
  expect(delta.perNode!.map(({ counted }) => counted)).toMatchObject([
    { opened: 4, evicted: 3 },
    { opened: null, evicted: null },
  ]);
  expect(delta).not.toHaveProperty('counted');
});

test('returns how long indexing into the most throttled shard copy was held back', () => {
  const throttled = (throttledMs: number): ShardSnapshot => ({
    ...aShard('a', 100),
    indexing: { docs: 100, failed: 0, timeMs: 1, throttledMs },
  });
  const before = snapshot({ a: aNode(1) }, { '0@a': throttled(10), '1@a': throttled(0) });
  const after = snapshot({ a: aNode(2) }, { '0@a': throttled(40), '1@a': throttled(200) });
  expect(serverDelta(before, after)).toMatchObject({
    longestThrottledMs: 200,
    indexing: { throttledMs: 230 },
  });
});

test('contains only pools that completed or rejected a task', () => {
  const pools = serverDelta(snapshot({ a: aNode(1) }, {}), snapshot({ a: aNode(2) }, {})).threadPools;
  expect(pools).toEqual({ write: { completed: 100, rejected: 1 } });
});

test('counts a pool that is reported only from its first use from zero', () => {
  const late = aNode(1, { threadPools: { ...aNode(1).threadPools, search: { completed: 7, rejected: 0 } } });
  const delta = serverDelta(snapshot({ a: aNode(1) }, {}), snapshot({ a: late }, {}));
  expect(delta.threadPools).toEqual({ search: { completed: 7, rejected: 0 } });
});

test('leaves out a node that restarted, with its shards, and is partial', () => {
  const before = snapshot({ a: aNode(1), b: aNode(9) }, { '0@a': aShard('a', 100), '1@b': aShard('b', 500) });
  const restarted = aNode(1, { startedAt: 1_060_000 });
  const after = snapshot({ a: aNode(2), b: restarted }, { '0@a': aShard('a', 200), '1@b': aShard('b', 700) });
  expect(serverDelta(before, after)).toMatchObject({
    nodes: 1,
    partial: true,
    indexing: { docs: 100 },
    cpuMs: 1000,
  });
});

test('treats a node whose two clocks drifted as the same process', () => {
  const after = snapshot({ a: aNode(2, { startedAt: 1_000_900 }) }, {});
  expect(serverDelta(snapshot({ a: aNode(1) }, {}), after)).toMatchObject({ nodes: 1, partial: false });
});

test('leaves out nodes and shard copies that were added or removed, and is partial', () => {
  const before = snapshot({ a: aNode(1), b: aNode(1) }, { '0@a': aShard('a', 100), '1@a': aShard('a', 100) });
  const after = snapshot({ a: aNode(2), c: aNode(7) }, { '0@a': aShard('a', 150), '1@c': aShard('c', 900) });
  expect(serverDelta(before, after)).toMatchObject({
    nodes: 1,
    partial: true,
    indexing: { docs: 50 },
    cpuMs: 1000,
  });
});

test('leaves out a shard whose counters restarted', () => {
  const before = snapshot({ a: aNode(1) }, { '0@a': aShard('a', 100), '1@a': aShard('a', 100) });
  const after = snapshot({ a: aNode(2) }, { '0@a': aShard('a', 20), '1@a': aShard('a', 110) });
  expect(serverDelta(before, after)).toMatchObject({ partial: true, indexing: { docs: 10 } });
});

test('is partial and empty if the cluster does not report its nodes', () => {
  expect(serverDelta(snapshot({}, {}), snapshot({}, {}))).toMatchObject({
    nodes: 0,
    partial: true,
    cpuMs: null,
  });
});

test('nodes that left or restarted are named, new nodes are not', () => {
  const named = (name: string, startedAt = 0): StatsSnapshot['nodes'][string] => ({
    ...aNode(1),
    name,
    startedAt,
  });
  const before = snapshot(
    { a: named('dyno-1'), b: named('dyno-2'), c: named('dyno-3'), d: named('dyno-4') },
    {},
  );
  const after = snapshot(
    { a: named('dyno-1'), b: named('dyno-2', 60_000), e: named('dyno-4', 70_000), f: named('dyno-5') },
    {},
  );
  expect(nodeDisturbances(before, after)).toEqual([
    { kind: 'node-restarted', detail: 'dyno-2 restarted', node: 'dyno-2' },
    { kind: 'node-left', detail: 'dyno-3 left', node: 'dyno-3' },
    { kind: 'node-restarted', detail: 'dyno-4 restarted', node: 'dyno-4' },
  ]);
});

test('counts backing indices that a rollover created in between from zero, and no other index', () => {
  const nodes = { a: aNode(1) };
  const first = '.ds-s-2026.11.23-000001/0@a';
  const before = snapshot(nodes, { [first]: aShard('a', 100) });
  const grown = { [first]: aShard('a', 150) };
  const rolled = snapshot(nodes, { ...grown, '.ds-s-2026.11.23-000002/0@a': aShard('a', 30) });
  expect(serverDelta(before, rolled)).toMatchObject({ partial: false, indexing: { docs: 80 } });
  const other = snapshot(nodes, { ...grown, 'other/0@a': aShard('a', 30) });
  expect(serverDelta(before, other)).toMatchObject({ partial: true, indexing: { docs: 50 } });
  const moved = snapshot(
    { ...nodes, b: aNode(1) },
    { ...grown, '.ds-s-2026.11.23-000001/1@b': aShard('b', 9) },
  );
  expect(serverDelta(before, moved)).toMatchObject({ partial: true, indexing: { docs: 50 } });
});
