/** The numbers of bulk attempts and rejections in one time window. An alerting rule judges them. */

/**
 * Number of rejections by cause. For the measure `documents`, these are rejected documents, as the clients saw them. For the other
 * measures, they come from counters of the nodes.
 */
export interface Causes {
  /** Rejections because the queue of the write thread pool was full. */
  queue: number;
  /** Rejections by indexing pressure on the coordinating node. */
  coordinating: number;
  /** Rejections by indexing pressure on primary shards. */
  primary: number;
  /** Rejections by indexing pressure on replica shards. */
  replica: number;
}

export const noCauses = (): Causes => ({ queue: 0, coordinating: 0, primary: 0, replica: 0 });

export interface WindowFigures {
  /** Id of the group, which never changes and is unique within a grouping. It is also the id of the group's alert. */
  group: string;
  /** Name of the group for people. */
  name: string;
  attempted: number;
  rejected: number;
  /** Number of attempts in runs that cause rejections on purpose. They are not part of `attempted`. */
  silenced: number;
  causes: Causes;
  /** Number of restarts of nodes within the window. */
  restarts: number;
  /** Id of the run with the most rejections; null if no rejection belongs to a run. */
  run: string | null;
}

/** A window in ms since the epoch. `to` is exclusive. */
export interface TimeWindow {
  from: number;
  to: number;
}

/** Returns rejected divided by attempted, 0 without attempts. */
export const rateOf = ({ attempted, rejected }: Pick<WindowFigures, 'attempted' | 'rejected'>): number =>
  attempted === 0 ? 0 : rejected / attempted;
