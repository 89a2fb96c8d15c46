/** Computes the change between two snapshots of the target's statistics. */
import type { NodeProfile } from '../profile/phase-profile';
import type { Disturbance } from './disturbance';
import { COUNTERS, GAUGES } from './node-metrics';
import {
  forShardCounters,
  gcPauseMs,
  isBacking,
  nodeRejectionsOf,
  type CountedValues,
  type DiskWork,
  type NodeDelta,
  type PoolDelta,
  type SampledNode,
  type ServerDelta,
  type ShardWork,
  type TransportWork,
} from './server';

/** Counters of one node since its process began. */
export interface NodeCounters {
  gc: Record<string, { count: number; timeMs: number }>;
  threadPools: Record<string, PoolDelta>;
  indexingPressure: { coordinating: number; primary: number; replica: number };
  /** CPU time of the node's process, in ms; null if the node does not report it. */
  cpuMs: number | null;
  diskBusyMs: number | null;
  /** Busy time of each disk in ms, by device name; empty if the node does not report it. */
  deviceBusyMs: Record<string, number>;
  /** Bytes and operations of the disks with the node's data; null if the node does not report them. */
  disk: DiskWork | null;
  transport: TransportWork | null;
  /** Values of the counters that NODE_METRICS describes. The key is the name of the counter. */
  counted: CountedValues;
  /**
   * Uptime of the node's JVM when the counters were read, in ms. Rates are calculated with the uptime instead of the arrival time of the
   * response, because the response of an overloaded node arrives late.
   */
  uptimeMs: number;
}

export interface NodeSnapshot extends NodeCounters {
  name: string;
  roles: string[];
  /** Host name that the node reports. */
  machine: string;
  /** Number of processors that the node may use; null if the node does not report it. */
  cores: number | null;
  /** Start of the node's JVM, in ms since the epoch by the node's clock. If it differs between two snapshots, the node has restarted. */
  startedAt: number;
}

/** Gauges of one node at one moment, by the names that stored trials use. A gauge is null if the node does not report it. */
export type NodeGauges = Readonly<Record<string, number | null>>;

/** Gauges by node id. */
export type GaugeReading = Readonly<Record<string, NodeGauges>>;

/** Counters of one copy of one shard since it was allocated to its node. */
export interface ShardSnapshot extends ShardWork {
  /** Id of the node that has this shard copy. */
  node: string;
  /** Values of the counters that NODE_METRICS describes. The key is the name of the counter. */
  counted: CountedValues;
}

/**
 * Statistics of the cluster at one moment. Counters of shards cover only the trial's indices. Counters of thread pools, garbage collection,
 * CPU and disks cover whole nodes.
 */
export interface StatsSnapshot {
  /** Time of the snapshot, in ms since the epoch. */
  at: number;
  /** Counters of the nodes, by node id; empty if the cluster does not report its nodes. */
  nodes: Record<string, NodeSnapshot>;
  /** Counters by index, shard and node id, as `name/0@node`. A copy that moves to another node gets another key. */
  shards: Record<string, ShardSnapshot>;
}

/**
 * Maximum difference between two reported start times of the same process, in ms. A node calculates its start time from two clocks, which
 * drift apart slightly.
 */
const SAME_START_MS = 5000;

/**
 * Returns how the counters changed between the snapshots `before` and `after`. A node or shard copy is left out if it is missing in one
 * snapshot, or if it restarted in between. The result is then marked as partial. `readings`: gauges that were read between the snapshots.
 * `profiles`: profiles by node id.
 */
export function serverDelta(
  before: StatsSnapshot,
  after: StatsSnapshot,
  readings: readonly GaugeReading[] = [],
  profiles: ReadonlyMap<string, NodeProfile> = new Map(),
): ServerDelta {
  const stayed = Object.keys(after.nodes).filter((id) => isSameProcess(before.nodes[id], after.nodes[id]));
  const total: SummedCounters & ShardWork = { ...noSummedCounters(), ...noShardWork() };
  const perNode = new Map<string, NodeDelta & { shards: ShardWork; counted: CountedValues }>();
  let longestThrottledMs = 0;
  let partial = stayed.length === 0 || !sameKeys(before.nodes, after.nodes, stayed);
  for (const id of stayed) {
    const delta = subtract(pick(before.nodes[id]!, NODE_COUNTERS), pick(after.nodes[id]!, NODE_COUNTERS));
    if (hasNegative(delta)) {
      partial = true;
      continue;
    }
    perNode.set(id, {
      ...nodeDelta(after.nodes[id]!, delta),
      ...sampledNode(id, readings),
      ...(profiles.has(id) ? { profile: profiles.get(id)! } : {}),
      shards: noShardWork(),
      counted: { ...delta.counted, ...noShardCounts() },
    });
    add(total, pick(delta, SUMMED));
  }
  const restarted = (node: string): boolean =>
    node in after.nodes && node in before.nodes && !stayed.includes(node);
  // A new shard of a data stream that rolled over in between began with counters of 0.
  const known = new Set(Object.keys(before.shards).map(indexOf));
  const begun = Object.fromEntries(
    Object.entries(after.shards)
      .filter(([key]) => isBacking(indexOf(key)) && !known.has(indexOf(key)))
      .map(([key, shard]) => [key, { ...noShardWork(), node: shard.node, counted: {} }]),
  );
  const earlier: StatsSnapshot['shards'] = { ...before.shards, ...begun };
  const copies = Object.keys(after.shards).filter(
    (key) => key in earlier && !restarted(after.shards[key]!.node),
  );
  if (!sameKeys(earlier, after.shards, copies)) partial = true;
  for (const key of copies) {
    const delta = subtract(pick(earlier[key]!, OF_SHARDS), pick(after.shards[key]!, OF_SHARDS));
    if (hasNegative(delta)) {
      partial = true;
      continue;
    }
    const { counted, ...work } = delta;
    longestThrottledMs = Math.max(longestThrottledMs, work.indexing.throttledMs);
    add(total, work);
    const node = perNode.get(after.shards[key]!.node);
    if (node) {
      add(node.shards, work);
      node.counted = { ...node.counted, ...plusIfKnown(node.counted, counted) };
    }
  }
  const used = Object.entries(total.threadPools).filter(
    ([, pool]) => pool.completed > 0 || pool.rejected > 0,
  );
  return {
    nodes: stayed.length,
    partial,
    ...total,
    threadPools: Object.fromEntries(used),
    perNode: [...perNode.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    longestThrottledMs,
  };
}

/** Returns the name of the index from the key of a shard copy, `name/number@node`. */
const indexOf = (key: string): string => key.slice(0, key.lastIndexOf('/'));

function nodeDelta(
  { name, roles, machine, cores }: NodeSnapshot,
  { gc, cpuMs, deviceBusyMs, disk, transport, threadPools, indexingPressure, uptimeMs }: NodeCounters,
): NodeDelta {
  const busy = Object.values(deviceBusyMs);
  return {
    name,
    roles,
    machine,
    cores,
    elapsedMs: uptimeMs,
    cpuMs,
    gcPauseMs: gcPauseMs(gc),
    diskBusyMs: busy.length === 0 ? null : Math.max(...busy),
    disk,
    transport,
    refused: nodeRejectionsOf({ threadPools, indexingPressure }),
  };
}

/**
 * Combines the gauges of one node that were read during the phase. The gauge's description selects the mean or the highest value. Returns
 * an empty object if the node was never read.
 */
function sampledNode(id: string, readings: readonly GaugeReading[]): { sampled?: SampledNode } {
  const own = readings.map((reading) => reading[id]).filter((gauges) => gauges !== undefined);
  if (own.length === 0) return {};
  const values = GAUGES.map(({ kept, over }): [string, number | null] => {
    const known = own.map((gauges) => gauges[kept] ?? null).filter((value) => value !== null);
    if (known.length === 0) return [kept, null];
    return [
      kept,
      over === 'highest' ? Math.max(...known) : known.reduce((sum, value) => sum + value, 0) / known.length,
    ];
  });
  return { sampled: { samples: own.length, ...Object.fromEntries(values) } };
}

const isSameProcess = (before: NodeSnapshot | undefined, after: NodeSnapshot | undefined): boolean =>
  before !== undefined &&
  after !== undefined &&
  Math.abs(before.startedAt - after.startedAt) <= SAME_START_MS;

/** Returns the nodes that left or restarted between `before` and `after`, sorted by name. */
export function nodeDisturbances(before: StatsSnapshot, after: StatsSnapshot): Disturbance[] {
  const nodes = Object.entries(before.nodes).sort(([, a], [, b]) => (a.name < b.name ? -1 : 1));
  const names = new Set(Object.values(after.nodes).map(({ name }) => name));
  return nodes.flatMap(([id, node]): Disturbance[] => {
    const now = after.nodes[id];
    // Nodes are also compared by name, because a node without a data path gets a new id when it restarts.
    if (now === undefined && !names.has(node.name))
      return [{ kind: 'node-left', detail: `${node.name} left`, node: node.name }];
    return isSameProcess(node, now)
      ? []
      : [{ kind: 'node-restarted', detail: `${node.name} restarted`, node: node.name }];
  });
}

const sameKeys = (before: object, after: object, common: readonly string[]): boolean =>
  Object.keys(before).length === common.length && Object.keys(after).length === common.length;

/** Counters that are summed over nodes. */
type SummedCounters = Omit<NodeCounters, 'deviceBusyMs' | 'disk' | 'transport' | 'counted' | 'uptimeMs'>;

const noSummedCounters = (): SummedCounters => ({
  gc: {},
  threadPools: {},
  indexingPressure: { coordinating: 0, primary: 0, replica: 0 },
  cpuMs: null,
  diskBusyMs: null,
});
const noShardWork = (): ShardWork => forShardCounters(() => 0);
/** Returns counters of 0 for a node that has no shards. */
const noShardCounts = (): CountedValues =>
  Object.fromEntries(COUNTERS.flatMap(({ of, kept }) => (of === 'shards' ? [[kept, 0]] : [])));

const SUMMED = Object.keys(noSummedCounters()) as (keyof SummedCounters)[];
const NODE_COUNTERS = [...SUMMED, 'deviceBusyMs', 'disk', 'transport', 'counted', 'uptimeMs'] as const;
const OF_SHARDS = [...(Object.keys(noShardWork()) as (keyof ShardWork)[]), 'counted'] as const;

const pick = <T extends object, K extends keyof T>(from: T, keys: readonly K[]): Pick<T, K> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;

/**
 * Type of all counters: a number, null if it is not reported, or an object with counters. The functions below add and subtract all counters
 * as values of this type.
 */
type Tree = number | null | { [key: string]: Tree };

const isBranch = (tree: Tree | undefined): tree is { [key: string]: Tree } =>
  typeof tree === 'object' && tree !== null;

/**
 * Subtracts the counters of `before` from those of `after`. A counter that only `after` contains began at 0, because nodes do not report a
 * thread pool before its first use.
 */
function subtract<T extends object>(before: T, after: T): T {
  const delta: { [key: string]: Tree } = {};
  for (const [key, value] of Object.entries(after) as [string, Tree][]) {
    const earlier = (before as { [key: string]: Tree })[key];
    // A value that the node did not report in the first snapshot is unknown. It must not count as 0.
    if (earlier === null) delta[key] = null;
    else if (isBranch(value)) delta[key] = subtract(isBranch(earlier) ? earlier : {}, value);
    else delta[key] = value === null ? null : value - (typeof earlier === 'number' ? earlier : 0);
  }
  return delta as T;
}

const hasNegative = (tree: object): boolean =>
  (Object.values(tree) as Tree[]).some((value) =>
    isBranch(value) ? hasNegative(value) : value !== null && value < 0,
  );

/** Adds `more` to `into`, in place. Values that were not reported add nothing. */
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

/**
 * Returns the sums of `soFar` and `more`, counter by counter. If one of the two values is unknown, their sum is null, because the other
 * value alone would be too low.
 */
const plusIfKnown = (soFar: CountedValues, more: CountedValues): CountedValues =>
  Object.fromEntries(
    Object.entries(more).map(([kept, value]) => {
      const sum = soFar[kept];
      return [kept, sum === null || value === null ? null : (sum ?? 0) + value];
    }),
  );
