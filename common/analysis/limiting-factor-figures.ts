/** The metrics of a trial from which its limiting resource is determined. Null means unknown. */

/** Metrics of one node over the measured phase. Shares are in [0, 1]. */
export interface NodeFigures {
  /** Name of the node; '' if the values are means over all nodes. */
  name: string;
  /** Number of cores to which `cpuShare` refers; null if unknown. */
  cores: number | null;
  /**
   * CPU time divided by cores x elapsed time. The time spent waiting for disks does not count. If only the trial is known, this is the CPU
   * time of the Elasticsearch process, without other processes on the machine. With a collector, it is the CPU time of the machine.
   */
  cpuShare: number | null;
  /** Whether `cpuShare` includes the load generator, because it runs on the same machine. */
  withGenerator: boolean;
  /** Part of `cpuShare` that neither Elasticsearch nor the load generator uses; null if unknown. */
  othersCpuShare: number | null;
  /** Part of `cpuShare` that the load generator and its parsers use; null if they run on another machine, or if unknown. */
  generatorCpuShare: number | null;
  /** Values of LIMIT_METRICS by name; null or absent if the node does not report them. */
  shares: Readonly<Record<string, number | null>>;
  /** Network traffic in the busier direction, in bytes/s. */
  networkBytesPerSecond: number | null;
  /** Network capacity in one direction, in bytes/s. */
  networkCapacity: number | null;
  /** Share of the measured phase that a collector on the node's machine covers; null without a collector. */
  machineCovered: number | null;
}

/** Metrics of a thread pool over all nodes. */
export interface PoolFigures {
  completed: number;
  rejected: number;
  /** Mean share of the queue that is used, on the node with the fullest queue, in [0, 1]. */
  queueShare: number | null;
}

/** The pace of the load. */
export interface LoadFigures {
  /**
   * - `closed`: clients wait for each response before they send the next request.
   * - `rate varied`: a search for the highest rate offered many rates.
   * - `rate met`, `rate missed`: one rate was offered.
   */
  pace: 'closed' | 'rate varied' | 'rate met' | 'rate missed';
  /** Maximum number of clients of all closed tasks; null if no task is closed. */
  clients: number | null;
  /** Whether the clients pause between requests. */
  thinks: boolean;
}

export interface TrialFigures {
  /** Metrics of each node. Empty if no node is known. */
  nodes: readonly NodeFigures[];
  write: PoolFigures | null;
  search: PoolFigures | null;
  /** Number of rejections by indexing pressure in all stages, and number of bulk requests that were sent in the same time. */
  pressure: { rejected: number; requests: number } | null;
  /** Share of the time, in [0, 1], in which Elasticsearch throttled indexing to one thread, for the most throttled shard. */
  indexingThrottledShare: number | null;
  /** Whether the load generator was the limit. Null if its metrics are missing. */
  generator: { limited: boolean; reason: string } | null;
  /** The task whose clients waited longest for parsed lines. Null if no threads parse lines. Shares are in [0, 1]. */
  parsing: { busyShare: number; waitedShare: number; text: string } | null;
  load: LoadFigures;
}

/** Returns a node without any metrics. */
export const unknownNode = (name: string): NodeFigures => ({
  name,
  cores: null,
  cpuShare: null,
  withGenerator: false,
  othersCpuShare: null,
  generatorCpuShare: null,
  shares: {},
  networkBytesPerSecond: null,
  networkCapacity: null,
  machineCovered: null,
});
