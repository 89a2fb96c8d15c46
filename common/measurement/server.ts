/** Changes of the counters of the target's nodes during a trial, calculated from two snapshots of their statistics. */
import type { NodeProfile } from '../profile/phase-profile';
import type { RecipeTimes } from './recipe';

export interface PoolDelta {
  completed: number;
  rejected: number;
}

interface ShardCounterGroup {
  /** Whether results of older versions of Dyno lack this group of counters. The values are then unknown, not 0. */
  later: boolean;
  /** For each counter, its name in a stored trial and its path in the index statistics API. */
  paths: Readonly<Record<string, string>>;
}

/**
 * Counters of shard copies, in the groups in which the report shows them. Times are in ms. Primary and replica shards are added up, because
 * replicas index each document too. The counters of the request cache include only searches that can be cached.
 *
 * This list does not contain a counter that only one metric uses. Such a counter is described with that metric, in NODE_METRICS.
 */
const SHARD_COUNTERS = {
  indexing: {
    later: false,
    paths: {
      docs: 'indexing.index_total',
      failed: 'indexing.index_failed',
      timeMs: 'indexing.index_time_in_millis',
      throttledMs: 'indexing.throttle_time_in_millis',
    },
  },
  search: {
    later: false,
    paths: {
      queries: 'search.query_total',
      queryMs: 'search.query_time_in_millis',
      fetchMs: 'search.fetch_time_in_millis',
    },
  },
  requestCache: {
    later: true,
    paths: { hits: 'request_cache.hit_count', misses: 'request_cache.miss_count' },
  },
  merges: {
    later: false,
    paths: {
      count: 'merges.total',
      docs: 'merges.total_docs',
      bytes: 'merges.total_size_in_bytes',
      timeMs: 'merges.total_time_in_millis',
      throttledMs: 'merges.total_throttled_time_in_millis',
      stoppedMs: 'merges.total_stopped_time_in_millis',
    },
  },
  refresh: { later: false, paths: { count: 'refresh.total', timeMs: 'refresh.total_time_in_millis' } },
  flush: { later: false, paths: { count: 'flush.total', timeMs: 'flush.total_time_in_millis' } },
} as const satisfies Readonly<Record<string, ShardCounterGroup>>;

type ShardGroups = typeof SHARD_COUNTERS;
type LaterGroup = {
  [Group in keyof ShardGroups]: ShardGroups[Group] extends { later: true } ? Group : never;
}[keyof ShardGroups];

/** A value of type T for each counter in {@link SHARD_COUNTERS}. */
export type ForShardCounters<T> = {
  [Group in keyof ShardGroups]: Record<keyof ShardGroups[Group]['paths'], T>;
};

/** Returns an object with the result of `of` for each counter. `of` receives the path of the counter in the index statistics API. */
export const forShardCounters = <T>(of: (path: string) => T): ForShardCounters<T> =>
  Object.fromEntries(
    Object.entries(SHARD_COUNTERS).map(([group, { paths }]) => [
      group,
      Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, of(path)])),
    ]),
  ) as unknown as ForShardCounters<T>;

export type ShardWork = ForShardCounters<number>;

/** Changes of the counters of shards, as they are stored with a trial. Results of older versions of Dyno lack some groups of counters. */
export type StoredShardWork = Omit<ShardWork, LaterGroup> & Partial<Pick<ShardWork, LaterGroup>>;

/** Changes of the counters that NODE_METRICS describes, by name. A change is null if the cluster does not report the counter. */
export type CountedValues = Readonly<Record<string, number | null>>;

/** Bytes and operations that the disks with a node's data read and wrote. */
export interface DiskWork {
  readBytes: number;
  writtenBytes: number;
  reads: number;
  writes: number;
}

/** Bytes that a node received from the other nodes, and sent to them. */
export interface TransportWork {
  receivedBytes: number;
  sentBytes: number;
}

/** Number of rejections of a node, by thread pool. `pressure`: rejections by indexing pressure. */
export interface NodeRejections {
  write: number;
  search: number;
  otherPools: number;
  pressure: number;
}

/** Gauges of one node over the measured phase, by name. A gauge is null if the node does not report it. */
export interface SampledNode {
  samples: number;
  [kept: string]: number | null;
}

/**
 * Changes of the counters of one node in the measured phase; times are in ms. Trials store them for each node, because a single busy node
 * may limit the cluster, and a mean over nodes would hide this.
 */
export interface NodeDelta {
  name: string;
  /** Roles of the node. Documents of older versions of Dyno lack this field and the optional fields below. */
  roles?: string[];
  /** Host name that the node reports. Nodes with the same host share processors and disks. */
  machine?: string;
  /** Number of processors that the node may use; null if the node does not report it. */
  cores?: number | null;
  /** Time between the two readings of this node's statistics, by the node's clock, in ms. */
  elapsedMs: number;
  /** CPU time of the node's process, in ms; null if the node does not report it. */
  cpuMs: number | null;
  /** Pauses of the JVM for garbage collection, in ms. Collections that run concurrently with the application do not count. */
  gcPauseMs: number;
  /** Time in which the node's busiest disk was busy (io_time), in ms; null if the node does not report it. */
  diskBusyMs: number | null;
  /** Bytes and operations of the disks with the node's data; null if the node does not report them. */
  disk?: DiskWork | null;
  transport?: TransportWork | null;
  refused?: NodeRejections;
  /** Changes of the counters of those shard copies of the trial's indices that are on this node. */
  shards?: StoredShardWork;
  /** Changes of the counters that NODE_METRICS describes, for the node and its copies of the trial's shards. */
  counted?: CountedValues;
  /** Gauges of the node; absent if they were never read. */
  sampled?: SampledNode;
  /** Absent if the definition does not set `measure.profile`, or if no reading contains the node. */
  profile?: NodeProfile;
}

/** Changes over the measured phase, summed over the nodes. Times are summed over threads, so they may exceed the elapsed time. */
export interface ServerDelta extends StoredShardWork {
  /** Number of nodes that are in both snapshots and did not restart in between. */
  nodes: number;
  /** Whether a node or a shard copy was added, removed or restarted between the snapshots. If so, its counters are missing in the sums. */
  partial: boolean;
  /** Counts and times of garbage collections. The key is the name of the garbage collector in the JVM. */
  gc: Record<string, { count: number; timeMs: number }>;
  /** Thread pools that completed or rejected anything. The key is the name of the pool: `write`, `search`, `get`, ... */
  threadPools: Record<string, PoolDelta>;
  /** Number of documents or requests that indexing pressure rejected, in each stage. */
  indexingPressure: { coordinating: number; primary: number; replica: number };
  /** Process CPU time of the nodes in ms; null if the nodes do not report it. */
  cpuMs: number | null;
  /** Time in which the nodes' disks were busy (io_time), summed over devices, in ms; null if the nodes do not report it. */
  diskBusyMs: number | null;
  /** Changes for each node that is in both snapshots. Documents of older versions of Dyno lack this field and `longestThrottledMs`. */
  perNode?: NodeDelta[];
  /** Longest time for which indexing into a single shard copy was throttled, in ms. */
  longestThrottledMs?: number;
}

/**
 * Returns whether a garbage collector with this name counts cycles that run concurrently with the application. ZGC and Shenandoah have
 * separate counters for cycles and for pauses. The names are `ZGC Cycles` on nodes and `zgc_cycles` in dynobeat's events.
 */
export const isCycle = (collector: string): boolean => /[ _]cycles$/i.test(collector);

/** Returns the time in which garbage collection paused a JVM, in ms. */
export const gcPauseMs = (gc: ServerDelta['gc']): number =>
  Object.entries(gc).reduce((sum, [collector, { timeMs }]) => sum + (isCycle(collector) ? 0 : timeMs), 0);

/** Names of the thread pool for writes: `write` since Elasticsearch 6.3, `bulk` before. */
export const WRITE_POOLS = ['write', 'bulk'];
export const SEARCH_POOL = 'search';

/** Adds up the rejections of one node. The counters may come from the node's statistics or from dynobeat's events. */
export function nodeRejectionsOf({
  threadPools,
  indexingPressure: { coordinating, primary, replica },
}: Pick<ServerDelta, 'threadPools' | 'indexingPressure'>): NodeRejections {
  const sum = (has: (pool: string) => boolean): number =>
    Object.entries(threadPools).reduce((all, [pool, { rejected }]) => all + (has(pool) ? rejected : 0), 0);
  return {
    write: sum((pool) => WRITE_POOLS.includes(pool)),
    search: sum((pool) => pool === SEARCH_POOL),
    otherPools: sum((pool) => !WRITE_POOLS.includes(pool) && pool !== SEARCH_POOL),
    pressure: coordinating + primary + replica,
  };
}

/** Index mode and form of `_source` that the cluster reports for an index. They may differ from those in the definition. */
export interface IndexModes {
  /** Index mode: `standard`, `logsdb`, `time_series`, ... */
  mode: string;
  /** Form of `_source`: `stored`, `synthetic` or `disabled`. */
  source: string;
}

/** Whether an index has the name of a data stream's backing index. */
export const isBacking = (index: string): boolean => index.startsWith('.ds-');

/** Documents, bytes and segments of the trial's indices on one node after the trial, including replica shards. */
export interface NodeStore {
  name: string;
  roles?: string[];
  /** Number of documents without deleted ones. */
  docs: number;
  bytes: number;
  segments: number;
}

/**
 * Sizes of the primary shards. `docs` and `bytes` are sums over all of them. `largestDocs` and `largestBytes` are those of the largest one.
 */
export interface ShardSizes {
  shards: number;
  /** Number of Lucene documents: nested documents count, deleted ones do not. */
  docs: number;
  largestDocs: number;
  bytes: number;
  largestBytes: number;
}

/** State of the trial's indices after the trial. */
export interface IndexState {
  /** Number of documents that `_count` returns after a refresh. */
  docs: number;
  /** Size of the primary shards. */
  storeBytes: number;
  segments: number;
  /** Number of backing indices of data streams; absent if the trial has no data streams. */
  backing?: number;
  /** Index mode and form of `_source`. Absent if not known, and in documents of older versions of Dyno. */
  modes?: IndexModes;
  /** `max_num_segments` of the force merge that took place before this state was read; absent if there was no force merge. */
  merged?: number;
  /** Bytes of each field in the primary shards (`_disk_usage`), the largest field first; absent unless the definition asks for them. */
  fields?: Record<string, number>;
  /** Durations of the steps after ingestion that `measure.recipe` defines, such as a force merge; absent if it defines none. */
  recipe?: RecipeTimes;
  /**
   * Number of primary shards on each data node, nodes sorted by name. `2-2-1` means 2, 2 and 1 shards on three nodes, and `4-0 + 0-4` are
   * two indices on two nodes. Published benchmarks use this notation.
   */
  primaries: string;
  /** Number of shards on each data node, primaries and replicas together, in the same notation as `primaries`. */
  shards: string;
  /** Sizes of the primary shards. Absent if the cluster does not report its shards, and in documents of older versions of Dyno. */
  shardSizes?: ShardSizes;
  /** Nodes sorted by name; absent if not known, and in documents of older versions of Dyno. */
  perNode?: NodeStore[];
}

/**
 * Returns the bytes of the primary shards, or of the field `field`, divided by the number of documents; null if unknown. The bytes include
 * deleted and replaced documents that no merge has removed yet. The number of documents does not include them.
 */
export function bytesPerDocument(
  { docs, storeBytes, fields }: Pick<IndexState, 'docs' | 'storeBytes' | 'fields'>,
  field?: string,
): number | null {
  const bytes = field === undefined ? storeBytes : fields?.[field];
  return bytes === undefined || docs === 0 ? null : bytes / docs;
}

/**
 * Returns the size of the largest primary shard, divided by the mean size of all primary shards. Null if the sizes are unknown, or if all
 * shards are empty.
 */
export function shardSkew(
  { shardSizes }: Pick<IndexState, 'shardSizes'>,
  of: 'docs' | 'bytes',
): number | null {
  if (shardSizes === undefined) return null;
  const { shards, docs, largestDocs, bytes, largestBytes } = shardSizes;
  const [all, largest] = of === 'docs' ? [docs, largestDocs] : [bytes, largestBytes];
  return all === 0 ? null : (largest * shards) / all;
}

/** Returns the reason why {@link shardSkew} returned null. */
export function whyNoShardSkew(index: Pick<IndexState, 'shardSizes' | 'primaries'> | null): string {
  if (index === null) return 'the indices were not read after the trial';
  if (index.shardSizes !== undefined) return 'the indices contain no document';
  return shardsIn(index.primaries) === 0
    ? 'the cluster does not report its shards'
    : 'the trial was stored by an older version of Dyno, which did not read this value';
}

/** Returns the number of shards in a layout such as `2-2-1`, or `4-0 + 0-4` for several indices. */
export const shardsIn = (layout: string): number =>
  layout.split(/-| \+ /).reduce((sum, shards) => sum + (Number(shards) || 0), 0);
