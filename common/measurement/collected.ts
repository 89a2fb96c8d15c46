/** Values that the collector read from the target's nodes and their machines during the measured phase of a trial. */
import type { PoolDelta, TransportWork } from './server';

/**
 * Values of one trial from the collector's events of its measured phase. An event covers the interval that ends at the time of the event.
 * The values may therefore include up to one interval before the phase, and lack up to one interval at its end.
 */
export interface CollectedTrial {
  /** Number of events from which the values were calculated. */
  events: number;
  /** The nodes, sorted by name. */
  nodes: CollectedNode[];
}

/** A name under which trials store a value that NODE_METRICS describes. The name ends with the unit of the value. */
export type KeptName = `${string}${'Share' | 'Count' | 'Ms' | 'Bytes'}`;

/** Values that NODE_METRICS describes; null if not reported. Documents of older versions of Dyno lack some. */
export type CollectedValues = Partial<Readonly<Record<KeptName, number | null>>>;

/** One node. Counts and times are changes over the phase, of the whole node and not only of the trial's indices. */
export interface CollectedNode extends CollectedValues {
  name: string;
  id: string;
  /** Sum of the intervals that the events of the node cover, in ms; 0 if only the machine of the node was read. */
  coveredMs: number;
  /** Whether the process of the node restarted during the phase. The values are valid despite a restart. */
  restarted: boolean;
  /** Thread pools, by name, that completed or rejected a task, or that had tasks in their queue. */
  threadPools: Record<string, CollectedPool>;
  /** Time for which indexing was throttled, summed over the shards of the node, in ms. */
  indexingThrottledMs: number;
  indexingPressure: {
    /** Number of rejected requests, by stage. */
    coordinating: number;
    primary: number;
    replica: number;
    /**
     * Highest memory of requests in flight, as a share of the limit, read at the end of each interval; null if not reported. It can exceed
     * 1, because requests of replica shards may use 1.5 times the limit.
     */
    highestShare: number | null;
  };
  /** Merges of the node. Times are in ms, summed over threads. */
  merges: {
    count: number;
    timeMs: number;
    throttledMs: number;
    stoppedMs: number;
    /** Merged bytes. Documents of older versions of Dyno lack this field and the optional fields below. */
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
  /** The disk that was busy, with at least one request in flight, for the largest share of the time. */
  busiestDisk: { name: string; busyShare: number } | null;
  /** Rates of all disks of the machine together; null if not reported. Documents of older versions of Dyno lack this field. */
  disk?: {
    readBytesPerSecond: number;
    writtenBytesPerSecond: number;
    readsPerSecond: number;
    writesPerSecond: number;
  } | null;
  /** Rates of all network interfaces of the machine together, in bytes/s. The capacity is that of one direction. */
  network: {
    rxBytesPerSecond: number;
    txBytesPerSecond: number;
    capacityBytesPerSecond: number | null;
  } | null;
}
