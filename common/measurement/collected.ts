/** Values that the collector read from the target's nodes and their machines during the measured phase of a trial. */
import type { PoolDelta, TransportWork } from './server';

/**
 * Values of one trial from the collector's events, which contain the trial and the phase. Each event covers the interval that ends at its
 * time. The first event may therefore cover up to one interval before the phase, and up to one interval at the end of the phase is missing.
 */
export interface CollectedTrial {
  /** Number of events that the values come from. */
  events: number;
  /** The nodes, sorted by name. */
  nodes: CollectedNode[];
}

/** Names under which trials keep values that NODE_METRICS describes. Each ends with its unit. */
export type KeptName = `${string}${'Share' | 'Count' | 'Ms' | 'Bytes'}`;

/** Values that NODE_METRICS describes; null if not reported. Documents of older versions of Dyno lack some. */
export type CollectedValues = Partial<Readonly<Record<KeptName, number | null>>>;

/** One node. Counts and times are changes over the phase. They cover the whole node, not only the trial's index. */
export interface CollectedNode extends CollectedValues {
  name: string;
  id: string;
  /** Sum of the intervals of its events, in ms; 0 if only its machine was read. */
  coveredMs: number;
  /** True if its process restarted during the phase. The values remain valid. */
  restarted: boolean;
  /** Pools that completed or rejected a task, or that had tasks in their queue. */
  threadPools: Record<string, CollectedPool>;
  /** Time for which indexing was throttled, summed over its shards, in ms. */
  indexingThrottledMs: number;
  indexingPressure: {
    /** Number of rejected requests, by stage. */
    coordinating: number;
    primary: number;
    replica: number;
    /**
     * Memory of requests in flight at the end of an interval: the highest value, as a share of the limit; null if not reported. Requests of
     * replicas may use 1.5 times the limit.
     */
    highestShare: number | null;
  };
  /** Times in ms, summed over threads. */
  merges: {
    count: number;
    timeMs: number;
    throttledMs: number;
    stoppedMs: number;
    /** Documents of older versions of Dyno lack it and the optional fields below. */
    bytes?: number;
  };
  refresh?: { count: number; timeMs: number };
  flush?: { count: number; timeMs: number };
  /** Bytes between the node and the other nodes; null if not reported. */
  transport?: TransportWork | null;
  roles?: string[];
  /** Garbage collectors by the collector's field names: `young`, `g1_concurrent_gc`, `zgc_cycles`. */
  gc: Record<string, { count: number; timeMs: number }>;
  /** Total pauses for garbage collection, in ms. */
  gcPauseMs: number;
  /** Process CPU time in ms; null if not reported. */
  cpuMs: number | null;
  /** Machine of the node; null if no collector runs there. Nodes on the same machine have the same values. */
  host: CollectedHost | null;
}

export interface CollectedPool extends PoolDelta {
  /** Number of tasks that fit into the queue; null if it is unbounded. */
  capacity: number | null;
  /** Used share of the queue, in [0, 1]: mean over the ends of the intervals; null if the queue is unbounded. */
  meanQueueShare: number | null;
  maxQueueShare: number | null;
  /** Tasks in the queue: mean over the ends of the intervals; null if not reported. */
  meanQueue?: number | null;
  maxQueue?: number | null;
}

/** One machine. Shares are in [0, 1]; null if not reported. */
export interface CollectedHost extends CollectedValues {
  /** Host name that the machine itself reports. */
  name: string;
  /** Sum of the intervals of its events, in ms. */
  coveredMs: number;
  cores: number | null;
  /** The disk that had a request in flight for the largest share of the time. */
  busiestDisk: { name: string; busyShare: number } | null;
  /** Rates of all its disks together; null if not reported. Documents of older versions of Dyno lack it. */
  disk?: {
    readBytesPerSecond: number;
    writtenBytesPerSecond: number;
    readsPerSecond: number;
    writesPerSecond: number;
  } | null;
  /** Rates of all its interfaces together, in bytes/s. The capacity is for one direction. */
  network: {
    rxBytesPerSecond: number;
    txBytesPerSecond: number;
    capacityBytesPerSecond: number | null;
  } | null;
}
