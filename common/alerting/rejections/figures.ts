/** Numbers of one window, before they are judged. */

/** Rejections by cause: numbers of documents as clients saw them, or otherwise the counts of nodes. */
export interface Causes {
  /** Tasks rejected by a full queue of the write thread pool. */
  queue: number;
  /** Operations rejected by indexing pressure, by stage. */
  coordinating: number;
  primary: number;
  replica: number;
}

export const noCauses = (): Causes => ({ queue: 0, coordinating: 0, primary: 0, replica: 0 });

export interface WindowFigures {
  /** Stable id, unique within a grouping. It is also the id of the alert. */
  group: string;
  /** Name for people. */
  name: string;
  attempted: number;
  rejected: number;
  /** Attempts in runs that cause rejections on purpose. They do not count. */
  silenced: number;
  causes: Causes;
  /** Number of restarts of nodes within the window. */
  restarts: number;
  /** Id of the run with the most rejections; null for rejections that belong to no run. */
  run: string | null;
}

/** A window in ms since the epoch. `to` is exclusive. */
export interface TimeWindow {
  from: number;
  to: number;
}

/** Returns the share of rejected attempts, in [0, 1]; 0 without attempts. */
export const rateOf = ({ attempted, rejected }: Pick<WindowFigures, 'attempted' | 'rejected'>): number =>
  attempted === 0 ? 0 : rejected / attempted;
