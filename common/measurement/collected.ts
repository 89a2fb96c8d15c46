/** What the collector saw of the target's nodes and their machines over the measured phase of a trial. */
import type { PoolDelta, TransportWork } from './server';

/**
 * The collector's events carry the trial and the phase, but each tells of the interval that ends with it: at the edges
 * of the phase up to one period is of what was before, or missing.
 */
export interface CollectedTrial {
  /** Events that the figures stand on. */
  events: number;
  /** In the order of their names. */
  nodes: CollectedNode[];
}

/** Ends of the names under which trials keep values that NODE_METRICS describes. */
export type KeptName = `${string}Share` | `${string}Bytes`;

/** Such values; null where they are not reported. Documents of older versions of Dyno lack some. */
export type KeptValues = Partial<Readonly<Record<KeptName, number | null>>>;

/** One node. Counts and times are changes over the phase, of the whole node and not of the trial's index alone. */
export interface CollectedNode extends KeptValues {
  name: string;
  id: string;
  /** Sum of the intervals of its events, ms; 0 where nothing but its machine was read. */
  coveredMs: number;
  /** True when its process restarted in between; the figures hold all the same. */
  restarted: boolean;
  /** Pools that completed or refused anything, or whose queue was in use. */
  threadPools: Record<string, CollectedPool>;
  /** Summed over its shards, ms. */
  indexingThrottledMs: number;
  indexingPressure: {
    /** Requests refused, by stage. */
    coordinating: number;
    primary: number;
    replica: number;
    /** Most memory of requests in flight at the end of an interval, as a share of the limit; replicas may take half as much again. Null where it is not told. */
    highestShare: number | null;
  };
  /** Times in ms, summed over threads. */
  merges: {
    count: number;
    timeMs: number;
    throttledMs: number;
    stoppedMs: number;
    /** Documents of older versions of Dyno lack it, and all that may be absent below. */
    bytes?: number;
  };
  refresh?: { count: number; timeMs: number };
  flush?: { count: number; timeMs: number };
  /** Bytes between the node and the others; null where it is not told. */
  transport?: TransportWork | null;
  roles?: string[];
  /** By the collector's field names: `young`, `g1_concurrent_gc`, `zgc_cycles`. */
  gc: Record<string, { count: number; timeMs: number }>;
  /** In which its garbage collectors held it up, ms. */
  gcPauseMs: number;
  /** Process CPU time, ms; null where it is not told. */
  cpuMs: number | null;
  /** The machine that it runs on; nodes of one machine share it. Null where no collector runs there. */
  host: CollectedHost | null;
}

export interface CollectedPool extends PoolDelta {
  /** Tasks that may wait; null where there is no bound. */
  capacity: number | null;
  /** Of the capacity, in [0, 1], at the ends of the intervals; null where there is no bound. */
  meanQueueShare: number | null;
  maxQueueShare: number | null;
  /** Tasks that waited, at the ends of the intervals; null where it is not told. */
  meanQueue?: number | null;
  maxQueue?: number | null;
}

/** One machine. Shares are in [0, 1]; null where they are not told. */
export interface CollectedHost extends KeptValues {
  /** As it calls itself. */
  name: string;
  /** Sum of the intervals of its events, ms. */
  coveredMs: number;
  cores: number | null;
  /** The disk that most of the time had a request in flight. */
  busiestDisk: { name: string; busyShare: number } | null;
  /** Of all its disks together, a second; null where it is not told. Documents of older versions of Dyno lack it. */
  disk?: {
    readBytesPerSecond: number;
    writtenBytesPerSecond: number;
    readsPerSecond: number;
    writesPerSecond: number;
  } | null;
  /** Of all its interfaces together, bytes/s; the capacity is that of one direction. */
  network: {
    rxBytesPerSecond: number;
    txBytesPerSecond: number;
    capacityBytesPerSecond: number | null;
  } | null;
}
