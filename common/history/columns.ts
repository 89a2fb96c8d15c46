/** The values of a metric over many nights, as columns of numbers. */

/** What one night (one run) tells of a figure in a cell: over its trials that count. */
export interface Point {
  mean: number;
  /** Sample standard deviation over trials; null for one. */
  deviation: number | null;
  trials: number;
}

/**
 * What nights tell of a figure, in their order: mean and sample standard deviation over trials, and their number. NaN for a night that
 * does not tell it, and for the deviation of a single trial.
 */
export interface NightColumns {
  means: number[];
  deviations: number[];
  trials: number[];
}

/** Of so many nights that tell nothing yet. */
export const emptyColumns = (nights: number): NightColumns => ({
  means: new Array<number>(nights).fill(NaN),
  deviations: new Array<number>(nights).fill(NaN),
  trials: new Array<number>(nights).fill(0),
});

/** Null where a night does not tell it. */
export const inColumns = (points: readonly (Point | null)[]): NightColumns => ({
  means: points.map((point) => point?.mean ?? NaN),
  deviations: points.map((point) => point?.deviation ?? NaN),
  trials: points.map((point) => point?.trials ?? 0),
});

/** Nights from `from` on, up to `to`, which is exclusive; from the end where they are negative. */
export const nightsIn = (
  { means, deviations, trials }: NightColumns,
  from: number,
  to?: number,
): NightColumns => ({
  means: means.slice(from, to),
  deviations: deviations.slice(from, to),
  trials: trials.slice(from, to),
});
