/** The values of a metric over many runs, as columns of numbers. */

/** What one run (one run) tells of a figure in a cell: over its trials that count. */
export interface Point {
  mean: number;
  /** Sample standard deviation over trials; null for one. */
  deviation: number | null;
  trials: number;
}

/**
 * What runs tell of a figure, in their order: mean and sample standard deviation over trials, and their number. NaN for a run that
 * does not tell it, and for the deviation of a single trial.
 */
export interface RunColumns {
  means: number[];
  deviations: number[];
  trials: number[];
}

/** Of so many runs that tell nothing yet. */
export const emptyColumns = (nights: number): RunColumns => ({
  means: new Array<number>(nights).fill(NaN),
  deviations: new Array<number>(nights).fill(NaN),
  trials: new Array<number>(nights).fill(0),
});

/** Null where a run does not tell it. */
export const inColumns = (points: readonly (Point | null)[]): RunColumns => ({
  means: points.map((point) => point?.mean ?? NaN),
  deviations: points.map((point) => point?.deviation ?? NaN),
  trials: points.map((point) => point?.trials ?? 0),
});

/** Runs from `from` on, up to `to`, which is exclusive; from the end where they are negative. */
export const runsIn = ({ means, deviations, trials }: RunColumns, from: number, to?: number): RunColumns => ({
  means: means.slice(from, to),
  deviations: deviations.slice(from, to),
  trials: trials.slice(from, to),
});
