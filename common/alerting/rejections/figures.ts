/** What was counted in one window, before anybody judges it. */

/** Rejections by what refused them: documents for what the clients saw, else the node's own counts. */
export interface Causes {
  /** Tasks refused by a full queue of the write thread pool. */
  queue: number;
  /** Operations refused by indexing pressure, by the stage that refused. */
  coordinating: number;
  primary: number;
  replica: number;
}

export const noCauses = (): Causes => ({ queue: 0, coordinating: 0, primary: 0, replica: 0 });

export interface WindowFigures {
  /** Stable and unique within a grouping; the id of its alert. */
  group: string;
  /** For people. */
  name: string;
  attempted: number;
  rejected: number;
  /** Attempts that were left out: of a run that provokes rejections on purpose. */
  silenced: number;
  causes: Causes;
  /** Times that a node restarted within the window. */
  restarts: number;
  /** The run in which most was rejected; null outside of runs. */
  run: string | null;
}

/** ms since the epoch; `to` is not in it. */
export interface TimeWindow {
  from: number;
  to: number;
}

/** In [0, 1]; 0 when nothing was attempted. */
export const rateOf = ({ attempted, rejected }: Pick<WindowFigures, 'attempted' | 'rejected'>): number =>
  attempted === 0 ? 0 : rejected / attempted;
