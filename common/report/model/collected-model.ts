/** The part of a report that tells what the collector saw. */

/** What the collector saw, means over the trials that it saw; null where it does not tell. Shares are in [0, 1]. */
export interface CollectedMeans {
  /** Trials behind the means. */
  trials: number;
  /** Smallest share of a measured phase that the events of a node or its machine cover. */
  covered: number;
  /** Whether the machine's CPU is known of every node in every completed trial. */
  everyMachine: boolean;
  /** Of the machine on which it was highest. */
  cpuBusy: Worst | null;
  iowait: Worst | null;
  /** Of the busiest disk; `on` is its name and the node's. */
  diskBusy: Worst | null;
  /** Time in which a process waited for I/O. */
  ioStalled: Worst | null;
  /** Of the queue's capacity, of the node on which it was fullest. */
  writeQueue: Worst | null;
  /** At the fullest moment of all trials. */
  writeQueueHighest: number | null;
  /** Time in GC pauses. */
  gcPause: Worst | null;
  /** Most memory of requests in flight of its limit, in all trials. */
  pressureHighest: number | null;
  /** ms, summed over threads and nodes. */
  merges: { timeMs: number; throttledMs: number; stoppedMs: number };
  /** bytes/s of the busiest machine. */
  networkRx: Worst | null;
  networkTx: Worst | null;
}

/** The highest figure of each trial, as a mean over the trials. */
export interface Worst {
  mean: number;
  /** Where it was in the trial in which it was highest. */
  on: string;
}
