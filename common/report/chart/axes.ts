/** Calculates the ranges of a chart's axes. */

/** Values that are drawn at one position. */
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
  /** Further values that must be visible, such as that of the baseline. */
  always?: readonly number[];
  fromZero?: boolean;
}

/** Space next to the outermost mark, as a share of the range. */
const MARGIN = 0.05;
/** Minimum range of an axis, as a share of the values. With it, values that are almost equal do not look different. */
const LEAST_SPREAD = 0.02;

/**
 * Returns a range that contains all trials, means and intervals, with some space at the ends. If no value is negative, the range does not
 * extend below zero.
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

/** Returns the range for numbered things, such as trials or steps, with half a step of space at both ends. */
export const numberedSpan = (last: number, least = 1): Span => ({
  min: 0.5,
  max: Math.max(least, last) + 0.5,
});
