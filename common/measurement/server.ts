/** What the target's nodes did during a trial, from two snapshots of their statistics. */

export interface PoolDelta {
  completed: number;
  rejected: number;
}

/** Changes over the measured phase, summed over the nodes. Times are sums over threads and may exceed the elapsed time. */
export interface ServerDelta {
  /** Nodes that were there in both snapshots; a node that came, left or restarted makes the deltas partial. */
  nodes: number;
  /** True when a node came, left or restarted in between: its counters are left out. */
  partial: boolean;
  indexing: { docs: number; failed: number; timeMs: number; throttledMs: number };
  search: { queries: number; queryMs: number; fetchMs: number };
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
}

/** The index after the trial. */
export interface IndexState {
  /** Documents by `_count` after a refresh. */
  docs: number;
  /** Primaries only. */
  storeBytes: number;
  segments: number;
  /** Primary shards per data node, nodes in the order of their names, as the seed accounts print it: `2-2-1`. */
  primaries: string;
  /** Primaries and replicas per data node. */
  shards: string;
}
