/** The metrics of a trial from which its limiting resource (bottleneck) is determined. A metric is null if it is unknown. */

/** Metrics of one node over the measured phase. Shares are in [0, 1]. */
export interface NodeFigures {
  /** Name of the node; '' if the values are means over all nodes. */
  name: string;
  /** Number of cores to which `cpuShare` refers; null if unknown. */
  cores: number | null;
  /**
   * CPU time divided by cores x elapsed time. Waiting for disks does not count as CPU time. If Dyno's collector runs, this is the CPU time
   * of the whole machine; otherwise, that of the Elasticsearch process.
   */
  cpuShare: number | null;
  /** Whether `cpuShare` includes the load generator, because it runs on the same machine. */
  withGenerator: boolean;
  /** Part of `cpuShare` that is used by processes other than Elasticsearch and the load generator; null if unknown. */
  othersCpuShare: number | null;
  /** Part of `cpuShare` that the load generator and its parsers use; null if they run on another machine, or if unknown. */
  generatorCpuShare: number | null;
  /**
   * Further metrics of the node as shares, by their name in LIMIT_METRICS (common/measurement/node-metrics.ts); null or absent if the node
   * does not report them.
   */
  shares: Readonly<Record<string, number | null>>;
  /** Network traffic in the busier direction, in bytes/s. */
  networkBytesPerSecond: number | null;
  /** Network capacity in one direction, in bytes/s. */
  networkCapacity: number | null;
  /** Share of the measured phase for which a collector on the node's machine sent events; null without a collector. */
  machineCovered: number | null;
}

/** Metrics of a thread pool over all nodes. */
export interface PoolFigures {
  completed: number;
  rejected: number;
  /** How full the queue was on the node with the fullest queue: mean share of its capacity, in [0, 1]. */
  queueShare: number | null;
}

/** How the load was generated: by waiting clients or at a given rate. */
export interface LoadFigures {
  /**
   * How the requests were timed.
   * - `closed`: clients wait for each response before they send the next request.
   * - `rate varied`: a search for the highest rate offered many rates.
   * - `rate met`, `rate missed`: the load had one offered rate, which was reached or not.
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
  /**
   * Number of rejections by indexing pressure in all stages, and number of bulk requests that were sent in the same time. Null if unknown.
   */
  pressure: { rejected: number; requests: number } | null;
  /**
   * Share of the time, in [0, 1], in which Elasticsearch throttled indexing into a shard to one thread; the highest value of all shards.
   */
  indexingThrottledShare: number | null;
  /** Whether the load generator was the bottleneck, with the reason. Null if its metrics are missing. */
  generator: { limited: boolean; reason: string } | null;
  /**
   * Metrics of the task whose clients waited longest for parsed lines; null if no task parses lines in threads. Shares are in [0, 1].
   * `text`: the metrics as text for people.
   */
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
