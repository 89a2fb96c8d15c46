/** Calculates the ranges of a chart's axes. */

/** The mean, the interval and the single values that a chart draws for one combination of factor levels, or for one step. */
export interface Mark {
  mean: number | null;
  /** Ends of the interval; null if there is no interval. */
  low: number | null;
  high: number | null;
  /** Values of the single trials. */
  values: readonly number[];
}

export interface Span {
  min: number;
  max: number;
}

export interface SpanOptions {
  /** Further values that the axis must contain, such as the value of the baseline. */
  always?: readonly number[];
  fromZero?: boolean;
}

/** Space between the outermost mark and the end of the axis, as a share of the range. */
const MARGIN = 0.05;
/**
 * Minimum range of an axis, as a share of the largest value. With a smaller range, a chart would exaggerate the differences between values
 * that are almost equal.
 */
const LEAST_SPREAD = 0.02;

/**
 * Returns the range of an axis that contains the values of all trials, all means and all intervals, with some space at both ends. It never
 * begins below 0, unless a value is negative.
 */
export function spanOf(marks: readonly Mark[], { always = [], fromZero = false }: SpanOptions = {}): Span {
  const values = [
    ...marks.flatMap(({ mean, values: own }) => [...own, ...(mean === null ? [] : [mean])]),
    ...always,
  ];
  const ends = marks.flatMap(({ low, high }) => [low, high].filter((end) => end !== null));
  const all = [...values, ...ends];
  if (all.length === 0 || all.every((value) => value === 0)) return { min: 0, max: 1 };
  const floor = values.every((value) => value >= 0) ? 0 : -Infinity;
  const [least, most] = [Math.max(floor, Math.min(...all)), Math.max(...all)];
  const from = fromZero ? Math.min(0, least) : least;
  const room = MARGIN * Math.max(most - from, LEAST_SPREAD * Math.max(Math.abs(most), Math.abs(from)));
  return { min: fromZero && least >= 0 ? 0 : Math.max(floor, from - room), max: most + room };
}

/**
 * Returns the range of an axis for numbered items, such as trials or steps, with space for half an item at both ends. `last`: number of the
 * last item. `least`: minimum number at which the axis may end.
 */
export const numberedSpan = (last: number, least = 1): Span => ({
  min: 0.5,
  max: Math.max(least, last) + 0.5,
});
