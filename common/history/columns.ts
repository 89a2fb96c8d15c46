/** The values of a metric over many runs, as columns of numbers. */

/** Summary of a metric for one combination of factor levels in one run. Only valid trials count. */
export interface Point {
  mean: number;
  /** Sample standard deviation over trials; null for a single trial. */
  deviation: number | null;
  trials: number;
}

/** Values of a metric over many runs. In each list, the element with index i belongs to run i. */
export interface RunColumns {
  /** Mean over the trials of each run. NaN for a run without a value. */
  means: number[];
  /** Sample standard deviation over the trials of each run. NaN for a run without a value or with a single trial. */
  deviations: number[];
  /** Number of trials of each run. */
  trials: number[];
}

/** Returns columns for this number of runs, without any values. */
export const emptyColumns = (runs: number): RunColumns => ({
  means: new Array<number>(runs).fill(NaN),
  deviations: new Array<number>(runs).fill(NaN),
  trials: new Array<number>(runs).fill(0),
});

/** Converts points to columns. A point is null for a run without a value. */
export const inColumns = (points: readonly (Point | null)[]): RunColumns => ({
  means: points.map((point) => point?.mean ?? NaN),
  deviations: points.map((point) => point?.deviation ?? NaN),
  trials: points.map((point) => point?.trials ?? 0),
});

/** Returns the columns for the runs from `from` to `to` (exclusive). Negative positions count from the end. */
export const runsIn = ({ means, deviations, trials }: RunColumns, from: number, to?: number): RunColumns => ({
  means: means.slice(from, to),
  deviations: deviations.slice(from, to),
  trials: trials.slice(from, to),
});
