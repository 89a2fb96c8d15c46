/** What changed between two snapshots of the target's statistics. */
import type { Disturbance } from './disturbance';
import { isBacking, type NodeDelta, type PoolDelta, type ServerDelta } from './server';

/** Counters of one copy of one shard, since it was put on its node; replicas index each document too. Times in ms. */
export interface ShardCounters {
  indexing: { docs: number; failed: number; timeMs: number; throttledMs: number };
  search: { queries: number; queryMs: number; fetchMs: number };
  requestCache: { hits: number; misses: number };
  merges: {
    count: number;
    docs: number;
    bytes: number;
    timeMs: number;
    throttledMs: number;
    stoppedMs: number;
  };
  refresh: { count: number; timeMs: number };
  flush: { count: number; timeMs: number };
}

/** Counters of one node since its process began. */
export interface NodeCounters {
  gc: Record<string, { count: number; timeMs: number }>;
  threadPools: Record<string, PoolDelta>;
  indexingPressure: { coordinating: number; primary: number; replica: number };
  /** Null where the node does not tell. */
  cpuMs: number | null;
  diskBusyMs: number | null;
  /** By device name; empty where the node does not tell. */
  deviceBusyMs: Record<string, number>;
  /** Of its JVM, ms: dates the other counters better than the moment at which an overloaded node answered. */
  uptimeMs: number;
}

export interface NodeSnapshot extends NodeCounters {
  name: string;
  /** When its JVM began, ms since the epoch by the node's own clock: another one is another process. */
  startedAt: number;
}

export interface ShardSnapshot extends ShardCounters {
  /** Id of its node. */
  node: string;
}

/** Only of the trial's index, so that other indices do not disturb; but pools, GC, CPU and disks are whole nodes'. */
export interface StatsSnapshot {
  /** ms since the epoch. */
  at: number;
  /** By node id; empty where the cluster does not tell. */
  nodes: Record<string, NodeSnapshot>;
  /** By index, shard and node id, as `name/0@node`: a copy that moved is another. */
  shards: Record<string, ShardSnapshot>;
}

/** Nodes tell their start as now minus uptime, by two clocks that drift a little; a restart takes far longer. */
const SAME_START_MS = 5000;

/**
 * The work between `before` and `after`. Counters of a node or a shard that was not there all the time, or restarted
 * in between, are left out, and the delta is called partial.
 */
export function serverDelta(before: StatsSnapshot, after: StatsSnapshot): ServerDelta {
  const stayed = Object.keys(after.nodes).filter((id) => isSameProcess(before.nodes[id], after.nodes[id]));
  const total: SummedCounters & ShardCounters = { ...noSummedCounters(), ...noShardCounters() };
  const perNode: NodeDelta[] = [];
  let longestThrottledMs = 0;
  let partial = stayed.length === 0 || !sameKeys(before.nodes, after.nodes, stayed);
  for (const id of stayed) {
    const delta = subtract(nodeCounters(before.nodes[id]!), nodeCounters(after.nodes[id]!));
    if (hasNegative(delta)) {
      partial = true;
      continue;
    }
    perNode.push(nodeDelta(after.nodes[id]!.name, delta));
    add(total, summedCounters(delta));
  }
  const restarted = (node: string): boolean =>
    node in after.nodes && node in before.nodes && !stayed.includes(node);
  // A data stream that rolled over in between has shards that began from zero.
  const known = new Set(Object.keys(before.shards).map(indexOf));
  const begun = Object.fromEntries(
    Object.entries(after.shards)
      .filter(([key]) => isBacking(indexOf(key)) && !known.has(indexOf(key)))
      .map(([key, shard]) => [key, { ...noShardCounters(), node: shard.node }]),
  );
  const earlier: StatsSnapshot['shards'] = { ...before.shards, ...begun };
  const copies = Object.keys(after.shards).filter(
    (key) => key in earlier && !restarted(after.shards[key]!.node),
  );
  if (!sameKeys(earlier, after.shards, copies)) partial = true;
  for (const key of copies) {
    const delta = subtract(shardCounters(earlier[key]!), shardCounters(after.shards[key]!));
    if (hasNegative(delta)) {
      partial = true;
      continue;
    }
    longestThrottledMs = Math.max(longestThrottledMs, delta.indexing.throttledMs);
    add(total, delta);
  }
  const used = Object.entries(total.threadPools).filter(
    ([, pool]) => pool.completed > 0 || pool.rejected > 0,
  );
  return {
    nodes: stayed.length,
    partial,
    ...total,
    threadPools: Object.fromEntries(used),
    perNode: perNode.sort((a, b) => (a.name < b.name ? -1 : 1)),
    longestThrottledMs,
  };
}

/** Of the key of a copy: `name/number@node`. */
const indexOf = (key: string): string => key.slice(0, key.lastIndexOf('/'));

/**
 * ZGC and Shenandoah tell their cycles, which run beside the work, apart from their pauses: `ZGC Cycles` as the node
 * names it, `zgc_cycles` as the collector does.
 */
const isCycle = (collector: string): boolean => /[ _]cycles$/i.test(collector);

/** Time in which the collectors of a JVM held it up, ms. */
export const gcPauseMs = (gc: NodeCounters['gc']): number =>
  Object.entries(gc).reduce((sum, [collector, { timeMs }]) => sum + (isCycle(collector) ? 0 : timeMs), 0);

function nodeDelta(name: string, { gc, cpuMs, deviceBusyMs, uptimeMs }: NodeCounters): NodeDelta {
  const busy = Object.values(deviceBusyMs);
  return {
    name,
    elapsedMs: uptimeMs,
    cpuMs,
    gcPauseMs: gcPauseMs(gc),
    diskBusyMs: busy.length === 0 ? null : Math.max(...busy),
  };
}

const isSameProcess = (before: NodeSnapshot | undefined, after: NodeSnapshot | undefined): boolean =>
  before !== undefined &&
  after !== undefined &&
  Math.abs(before.startedAt - after.startedAt) <= SAME_START_MS;

/** Nodes that left between `before` and `after`, or restarted, in the order of their names. */
export function nodeDisturbances(before: StatsSnapshot, after: StatsSnapshot): Disturbance[] {
  const nodes = Object.entries(before.nodes).sort(([, a], [, b]) => (a.name < b.name ? -1 : 1));
  const names = new Set(Object.values(after.nodes).map(({ name }) => name));
  return nodes.flatMap(([id, node]): Disturbance[] => {
    const now = after.nodes[id];
    // Without data of its own it comes back as another node of its name.
    if (now === undefined && !names.has(node.name))
      return [{ kind: 'node-left', detail: `${node.name} left`, node: node.name }];
    return isSameProcess(node, now)
      ? []
      : [{ kind: 'node-restarted', detail: `${node.name} restarted`, node: node.name }];
  });
}

const sameKeys = (before: object, after: object, common: readonly string[]): boolean =>
  Object.keys(before).length === common.length && Object.keys(after).length === common.length;

const nodeCounters = ({
  gc,
  threadPools,
  indexingPressure,
  cpuMs,
  diskBusyMs,
  deviceBusyMs,
  uptimeMs,
}: NodeSnapshot): NodeCounters => ({
  gc,
  threadPools,
  indexingPressure,
  cpuMs,
  diskBusyMs,
  deviceBusyMs,
  uptimeMs,
});

const shardCounters = ({
  indexing,
  search,
  requestCache,
  merges,
  refresh,
  flush,
}: ShardSnapshot): ShardCounters => ({
  indexing,
  search,
  requestCache,
  merges,
  refresh,
  flush,
});

/** Those of a node that are summed over nodes. */
type SummedCounters = Omit<NodeCounters, 'deviceBusyMs' | 'uptimeMs'>;

const summedCounters = ({
  gc,
  threadPools,
  indexingPressure,
  cpuMs,
  diskBusyMs,
}: NodeCounters): SummedCounters => ({
  gc,
  threadPools,
  indexingPressure,
  cpuMs,
  diskBusyMs,
});

const noSummedCounters = (): SummedCounters => ({
  gc: {},
  threadPools: {},
  indexingPressure: { coordinating: 0, primary: 0, replica: 0 },
  cpuMs: null,
  diskBusyMs: null,
});

/** Zero everywhere. */
const noShardCounters = (): ShardCounters => ({
  indexing: { docs: 0, failed: 0, timeMs: 0, throttledMs: 0 },
  search: { queries: 0, queryMs: 0, fetchMs: 0 },
  requestCache: { hits: 0, misses: 0 },
  merges: { count: 0, docs: 0, bytes: 0, timeMs: 0, throttledMs: 0, stoppedMs: 0 },
  refresh: { count: 0, timeMs: 0 },
  flush: { count: 0, timeMs: 0 },
});

/** A number, one that is not told, or an object of such: counters have one shape, so they are added as trees. */
type Tree = number | null | { [key: string]: Tree };

const isBranch = (tree: Tree | undefined): tree is { [key: string]: Tree } =>
  typeof tree === 'object' && tree !== null;

/** A figure that only `after` has began from zero, as a thread pool does that is told from its first use on. */
function subtract<T extends object>(before: T, after: T): T {
  const delta: { [key: string]: Tree } = {};
  for (const [key, value] of Object.entries(after) as [string, Tree][]) {
    const earlier = (before as { [key: string]: Tree })[key];
    if (isBranch(value)) delta[key] = subtract(isBranch(earlier) ? earlier : {}, value);
    else
      delta[key] =
        value === null || earlier === null ? null : value - (typeof earlier === 'number' ? earlier : 0);
  }
  return delta as T;
}

const hasNegative = (tree: object): boolean =>
  (Object.values(tree) as Tree[]).some((value) =>
    isBranch(value) ? hasNegative(value) : value !== null && value < 0,
  );

/** Adds `more` to `into`, in place; a figure that is not told adds nothing. */
function add(into: object, more: object): void {
  const target = into as { [key: string]: Tree };
  for (const [key, value] of Object.entries(more) as [string, Tree][]) {
    if (isBranch(value)) {
      const branch = isBranch(target[key]) ? target[key] : (target[key] = {});
      add(branch, value);
    } else if (value !== null) {
      const sum = target[key];
      target[key] = value + (typeof sum === 'number' ? sum : 0);
    }
  }
}
