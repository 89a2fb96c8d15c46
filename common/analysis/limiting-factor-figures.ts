/** What there is to know about a trial when asking which resource was its limit: plain figures, null where not told. */

/** One node over the measured phase. Shares are in [0, 1]. */
export interface NodeFigures {
  /** '' where the figures are means over all nodes. */
  name: string;
  /** Cores that `cpuShare` is a share of; null where they are not known. */
  cores: number | null;
  /**
   * Busy CPU time of all cores x elapsed, waiting for disks not counted. From a trial alone it is Elasticsearch's own,
   * so other processes on the machine are not seen; from the collector it is the machine's.
   */
  cpuShare: number | null;
  /** True where `cpuShare` counts the load generator too, which runs on the same machine. */
  withGenerator: boolean;
  /** The part of `cpuShare` that is neither Elasticsearch's nor the load generator's; null where that is not known. */
  othersCpuShare: number | null;
  /** The load generator's part of `cpuShare`, with its parsers; null where it is on another machine, or not known. */
  generatorCpuShare: number | null;
  /** Values of LIMIT_METRICS by name; null or absent where the node does not report one. */
  shares: Readonly<Record<string, number | null>>;
  /** In the busier direction, bytes/s. */
  networkBytesPerSecond: number | null;
  /** Of that direction, bytes/s. */
  networkCapacity: number | null;
  /** Share of the measured phase in which a collector read its machine; null without one. */
  machineCovered: number | null;
}

/** A thread pool over all nodes. */
export interface PoolFigures {
  completed: number;
  rejected: number;
  /** Mean share of the fullest node's queue that was taken, in [0, 1]. */
  queueShare: number | null;
}

/** How the load was paced. */
export interface LoadFigures {
  /**
   * Closed: clients that send again once they are answered. Varied: a search for the highest rate offered many. Otherwise a
   * rate was offered, and met or missed.
   */
  pace: 'closed' | 'rate varied' | 'rate met' | 'rate missed';
  /** Of all closed tasks, at their most; null where no task is closed. */
  clients: number | null;
  /** True where the clients rest between requests. */
  thinks: boolean;
}

export interface TrialFigures {
  /** Empty where nothing is told of any node. */
  nodes: readonly NodeFigures[];
  write: PoolFigures | null;
  search: PoolFigures | null;
  /** Refusals by indexing pressure, all stages, and the bulk requests that were sent meanwhile. */
  pressure: { rejected: number; requests: number } | null;
  /** Time in which Elasticsearch held indexing into the most throttled shard back to one thread, in [0, 1]. */
  indexingThrottledShare: number | null;
  /** Null where the generator's own figures are missing. */
  generator: { limited: boolean; reason: string } | null;
  /** Of the task whose parsers had least time left; null where no lines are parsed by threads. Shares are in [0, 1]. */
  parsing: { busyShare: number; waitedShare: number; text: string } | null;
  load: LoadFigures;
}

/** Of a node that tells nothing. */
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
