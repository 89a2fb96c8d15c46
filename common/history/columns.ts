/** Figures of thousands of nights as columns of numbers, whose memory changes hands between threads without being copied. */

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
  means: Float64Array<ArrayBuffer>;
  deviations: Float64Array<ArrayBuffer>;
  trials: Float64Array<ArrayBuffer>;
}

/** Of so many nights that tell nothing yet. */
export const emptyColumns = (nights: number): NightColumns => ({
  means: new Float64Array(nights).fill(NaN),
  deviations: new Float64Array(nights).fill(NaN),
  trials: new Float64Array(nights),
});

/** Null where a night does not tell it. */
export function inColumns(points: readonly (Point | null)[]): NightColumns {
  const columns = emptyColumns(points.length);
  for (const [night, point] of points.entries()) {
    if (point === null) continue;
    columns.means[night] = point.mean;
    columns.deviations[night] = point.deviation ?? NaN;
    columns.trials[night] = point.trials;
  }
  return columns;
}

/** Nights from `from` on, up to `to`, which is exclusive; from the end where they are negative. */
export const nightsIn = (
  { means, deviations, trials }: NightColumns,
  from: number,
  to?: number,
): NightColumns => ({
  means: means.subarray(from, to),
  deviations: deviations.subarray(from, to),
  trials: trials.subarray(from, to),
});
