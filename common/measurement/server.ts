/** What the target's nodes did during a trial, from two snapshots of their statistics. */
import type { RecipeTimes } from './recipe';

export interface PoolDelta {
  completed: number;
  rejected: number;
}

/**
 * Counters of copies of shards, by group: their names in a stored trial, and their paths in the index statistics API. Times are in
 * ms. Replicas index each document too. The request cache counts searches of a shard that could be in it.
 */
export const SHARD_COUNTERS = {
  indexing: {
    docs: 'indexing.index_total',
    failed: 'indexing.index_failed',
    timeMs: 'indexing.index_time_in_millis',
    throttledMs: 'indexing.throttle_time_in_millis',
  },
  search: {
    queries: 'search.query_total',
    queryMs: 'search.query_time_in_millis',
    fetchMs: 'search.fetch_time_in_millis',
  },
  requestCache: { hits: 'request_cache.hit_count', misses: 'request_cache.miss_count' },
  merges: {
    count: 'merges.total',
    docs: 'merges.total_docs',
    bytes: 'merges.total_size_in_bytes',
    timeMs: 'merges.total_time_in_millis',
    throttledMs: 'merges.total_throttled_time_in_millis',
    stoppedMs: 'merges.total_stopped_time_in_millis',
  },
  refresh: { count: 'refresh.total', timeMs: 'refresh.total_time_in_millis' },
  flush: { count: 'flush.total', timeMs: 'flush.total_time_in_millis' },
} as const;

/** A value for each of {@link SHARD_COUNTERS}. */
export type ForShardCounters<T> = {
  [Group in keyof typeof SHARD_COUNTERS]: Record<keyof (typeof SHARD_COUNTERS)[Group], T>;
};

/** Returns what `of` returns for the path of each counter. */
export const forShardCounters = <T>(of: (path: string) => T): ForShardCounters<T> =>
  Object.fromEntries(
    Object.entries(SHARD_COUNTERS).map(([group, counters]) => [
      group,
      Object.fromEntries(Object.entries(counters).map(([name, path]) => [name, of(path)])),
    ]),
  ) as unknown as ForShardCounters<T>;

export type ShardWork = ForShardCounters<number>;

/** What a node's disks did, all that its data lies on together. */
export interface DiskWork {
  readBytes: number;
  writtenBytes: number;
  reads: number;
  writes: number;
}

/** Bytes between a node and the others. */
export interface TransportWork {
  receivedBytes: number;
  sentBytes: number;
}

/** What a node refused, by who refused it. */
export interface Refused {
  write: number;
  search: number;
  otherPools: number;
  pressure: number;
}

/** Gauges that NODE_METRICS describes, over the measured phase; null where the node does not report one. */
export interface SampledNode {
  samples: number;
  [kept: string]: number | null;
}

/** What one node did over the measured phase; times in ms. The busiest node limits the cluster, and a mean would hide it. */
export interface NodeDelta {
  name: string;
  /** Documents of older versions of Dyno lack it, and all that may be absent below. */
  roles?: string[];
  /** Host that it names: nodes of the same one share processors and disks. */
  machine?: string;
  /** Processors that it may use; null where it does not tell. */
  cores?: number | null;
  /** Between its two answers, by its own clock. */
  elapsedMs: number;
  /** Process CPU time; null where it does not tell. */
  cpuMs: number | null;
  /** In which its collectors held it up: their pauses, without cycles that run beside the work. */
  gcPauseMs: number;
  /** In which the busiest of its disks was busy (io_time); null where it does not tell. */
  diskBusyMs: number | null;
  /** Null where it does not tell. */
  disk?: DiskWork | null;
  transport?: TransportWork | null;
  refused?: Refused;
  /** Of the copies that it holds of the trial's indices. */
  shards?: ShardWork;
  /** Absent where it was never looked at. */
  sampled?: SampledNode;
}

/** Changes over the measured phase, summed over the nodes. Times are sums over threads and may exceed the elapsed time. */
export interface ServerDelta extends Omit<ShardWork, 'requestCache'> {
  /** Nodes that were there in both snapshots; a node that came, left or restarted makes the deltas partial. */
  nodes: number;
  /** True when a node came, left or restarted in between: its counters are left out. */
  partial: boolean;
  /** Documents of older versions of Dyno lack it. */
  requestCache?: ShardWork['requestCache'];
  /** By collector name as the JVM tells it. */
  gc: Record<string, { count: number; timeMs: number }>;
  /** Pools that completed or rejected anything: `write`, `search`, `get`, ... */
  threadPools: Record<string, PoolDelta>;
  /** Documents or requests refused by indexing pressure, by stage. */
  indexingPressure: { coordinating: number; primary: number; replica: number };
  /** Process CPU time of the nodes, ms; null where the nodes do not tell. */
  cpuMs: number | null;
  /** Time that the nodes' disks were busy (io_time), ms, summed over devices; null where the nodes do not tell. */
  diskBusyMs: number | null;
  /** Each node that was there in both snapshots. Documents of older versions of Dyno lack it, and what follows. */
  perNode?: NodeDelta[];
  /** Time for which indexing into the most throttled copy of a shard was held back, ms. */
  longestThrottledMs?: number;
}

/**
 * Whether a garbage collector counts cycles that run concurrently, as ZGC and Shenandoah do apart from their pauses. Nodes name
 * one `ZGC Cycles`, the collector `zgc_cycles`.
 */
export const isCycle = (collector: string): boolean => /[ _]cycles$/i.test(collector);

/** Time in which garbage collection paused a JVM, ms. */
export const gcPauseMs = (gc: ServerDelta['gc']): number =>
  Object.entries(gc).reduce((sum, [collector, { timeMs }]) => sum + (isCycle(collector) ? 0 : timeMs), 0);

/** Elasticsearch before 6.3 calls the write pool `bulk`. */
export const WRITE_POOLS = ['write', 'bulk'];
export const SEARCH_POOL = 'search';

/** What one node rejected, from its counters or from the collector's. */
export function refusedOf({
  threadPools,
  indexingPressure: { coordinating, primary, replica },
}: Pick<ServerDelta, 'threadPools' | 'indexingPressure'>): Refused {
  const sum = (has: (pool: string) => boolean): number =>
    Object.entries(threadPools).reduce((all, [pool, { rejected }]) => all + (has(pool) ? rejected : 0), 0);
  return {
    write: sum((pool) => WRITE_POOLS.includes(pool)),
    search: sum((pool) => pool === SEARCH_POOL),
    otherPools: sum((pool) => !WRITE_POOLS.includes(pool) && pool !== SEARCH_POOL),
    pressure: coordinating + primary + replica,
  };
}

/** How the indices keep their documents, as the cluster says and not as it was asked. */
export interface IndexModes {
  /** `standard`, `logsdb`, `time_series`, ... */
  mode: string;
  /** `stored`, `synthetic` or `disabled`. */
  source: string;
}

/** Elasticsearch names the indices behind a data stream so. */
export const isBacking = (index: string): boolean => index.startsWith('.ds-');

/** What one node holds of the indices after the trial, replicas included. */
export interface NodeStore {
  name: string;
  roles?: string[];
  /** Deleted ones are not counted. */
  docs: number;
  bytes: number;
  segments: number;
}

/** How large the primary shards are: all of them together, and the largest. */
export interface ShardSizes {
  shards: number;
  /** Of Lucene, so that nested ones count by themselves; deleted ones are not counted. */
  docs: number;
  largestDocs: number;
  bytes: number;
  largestBytes: number;
}

/** The indices after the trial. */
export interface IndexState {
  /** Documents by `_count` after a refresh. */
  docs: number;
  /** Primaries only. */
  storeBytes: number;
  segments: number;
  /** Backing indices of data streams; absent where there are none. */
  backing?: number;
  /** Absent where they are not known, and in documents of older versions of Dyno. */
  modes?: IndexModes;
  /** Most segments that each shard was merged into before this was read; absent where nothing was merged. */
  merged?: number;
  /** Bytes of the primaries by field, the largest first, where they were asked for (`_disk_usage`); absent elsewhere. */
  fields?: Record<string, number>;
  /** What the steps of its recipe took; absent without one. */
  recipe?: RecipeTimes;
  /** Primary shards per data node, nodes in the order of their names, as the seed accounts print it: `2-2-1`; several indices as `4-0 + 0-4`. */
  primaries: string;
  /** Primaries and replicas per data node. */
  shards: string;
  /** Absent where the cluster does not tell of its shards, and in documents of older versions of Dyno. */
  shardSizes?: ShardSizes;
  /** Nodes in the order of their names; absent where they are not known, and in documents of older versions of Dyno. */
  perNode?: NodeStore[];
}

/**
 * Bytes of the primaries for each document that searches see, or those of one field; null where that is not known. What was
 * deleted or replaced and is not merged away counts as bytes, not as a document.
 */
export function bytesPerDocument(
  { docs, storeBytes, fields }: Pick<IndexState, 'docs' | 'storeBytes' | 'fields'>,
  field?: string,
): number | null {
  const bytes = field === undefined ? storeBytes : fields?.[field];
  return bytes === undefined || docs === 0 ? null : bytes / docs;
}

/** How many times the mean of all primary shards the largest one is; null where that is not known or they hold nothing. */
export function shardSkew(
  { shardSizes }: Pick<IndexState, 'shardSizes'>,
  of: 'docs' | 'bytes',
): number | null {
  if (shardSizes === undefined) return null;
  const { shards, docs, largestDocs, bytes, largestBytes } = shardSizes;
  const [all, largest] = of === 'docs' ? [docs, largestDocs] : [bytes, largestBytes];
  return all === 0 ? null : (largest * shards) / all;
}

/** Why {@link shardSkew} is not known. */
export function whyNoShardSkew(index: Pick<IndexState, 'shardSizes' | 'primaries'> | null): string {
  if (index === null) return 'the indices were not read after the trial';
  if (index.shardSizes !== undefined) return 'the indices hold no document';
  return shardsIn(index.primaries) === 0
    ? 'the cluster does not tell of its shards'
    : 'the trial was kept by an older version of Dyno, which did not read it';
}

/** Shards of a layout such as `2-2-1`, or `4-0 + 0-4` of several indices. */
export const shardsIn = (layout: string): number =>
  layout.split(/-| \+ /).reduce((sum, shards) => sum + (Number(shards) || 0), 0);
