/**
 * Values of the target's nodes and their machines during the measured phase of a trial. Dyno's collector process, dynobeat, reads such
 * values every few seconds, and stores each reading as an event.
 */
import type { PoolDelta, TransportWork } from './server';

/**
 * Values of one trial, calculated from dynobeat's events in the measured phase of the trial. An event covers the interval that ends at its
 * time. The values may therefore include up to one interval before the phase, and lack up to one interval at its end.
 */
export interface CollectedTrial {
  /** Number of events from which the values were calculated. */
  events: number;
  /** The nodes, sorted by name. */
  nodes: CollectedNode[];
}

/**
 * Name of a field in which trials store a value of a node or machine. The name ends with the unit of the value. {@link NODE_METRICS}
 * describes the fields.
 */
export type KeptName = `${string}${'Share' | 'Count' | 'Ms' | 'Bytes'}`;

/** Values of a node or machine. A value is null if it was not reported. In documents of older versions of Dyno, some fields are missing. */
export type CollectedValues = Partial<Readonly<Record<KeptName, number | null>>>;

/** One node. Counts and times are changes over the phase, of the whole node and not only of the trial's indices. */
export interface CollectedNode extends CollectedValues {
  name: string;
  id: string;
  /**
   * Sum of the intervals that the events of the node cover, in ms. 0 if dynobeat read only the machine of the node, and not the node
   * itself.
   */
  coveredMs: number;
  /**
   * Whether the process of the node restarted during the phase. The values are valid nevertheless, because dynobeat detects counters that
   * begin at 0 again.
   */
  restarted: boolean;
  /** Thread pools, by name, that completed or rejected a task, or that had tasks in their queue. */
  threadPools: Record<string, CollectedPool>;
  /** Time for which indexing was throttled, summed over the shards of the node, in ms. */
  indexingThrottledMs: number;
  indexingPressure: {
    /** Number of requests that indexing pressure rejected, in the coordinating stage. */
    coordinating: number;
    /** Number of requests that indexing pressure rejected, in the primary stage. */
    primary: number;
    /** Number of requests that indexing pressure rejected, in the replica stage. */
    replica: number;
    /**
     * Highest memory of indexing requests in flight, as a share of the limit of indexing pressure. It is read at the end of each interval;
     * null if not reported. It can exceed 1, because replica requests may use 1.5 times the limit.
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
  /** Garbage collection of the JVM. The keys are those of the events: `young`, `g1_concurrent_gc`, `zgc_cycles`. */
  gc: Record<string, { count: number; timeMs: number }>;
  /** Total pauses for garbage collection, in ms. */
  gcPauseMs: number;
  /** Process CPU time in ms; null if not reported. */
  cpuMs: number | null;
  /** Machine of the node; null if dynobeat does not run on it. Nodes on the same machine have the same values. */
  host: CollectedHost | null;
}

export interface CollectedPool extends PoolDelta {
  /** Maximum number of waiting tasks in the queue of the thread pool; null if it is unbounded. */
  capacity: number | null;
  /** Used share of the thread pool's queue, in [0, 1]: mean of the readings at the end of each interval; null if the queue is unbounded. */
  meanQueueShare: number | null;
  /** Used share of the thread pool's queue, in [0, 1]: highest reading; null if the queue is unbounded. */
  maxQueueShare: number | null;
  /** Number of waiting tasks in the queue: mean of the readings at the end of each interval; null if not reported. */
  meanQueue?: number | null;
  /** Number of waiting tasks in the queue: highest reading; null if not reported. */
  maxQueue?: number | null;
}

/** One machine. Shares are in [0, 1]; null if not reported. */
export interface CollectedHost extends CollectedValues {
  /** Host name that the machine itself reports. */
  name: string;
  /** Sum of the intervals that the events of the machine cover, in ms. */
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
