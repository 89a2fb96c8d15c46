/** Computes the spans of a chart's axes. */

/** Values drawn at one position. */
export interface Mark {
  mean: number | null;
  /** Ends of the interval; null without an interval. */
  low: number | null;
  high: number | null;
  /** A value for each trial. */
  values: readonly number[];
}

export interface Span {
  min: number;
  max: number;
}

export interface SpanOptions {
  /** Other values that must be seen, such as the baseline. */
  always?: readonly number[];
  fromZero?: boolean;
}

/** Room next to the outermost mark, as a share of the span. */
const MARGIN = 0.05;
/** The span is at least this share of the values, so that values that are almost equal do not look different. */
const LEAST_SPREAD = 0.02;

/**
 * Returns a span that contains all trials, means and intervals, with some room. It does not extend below zero if no value is
 * negative.
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

/** Returns the span for things numbered from 1, such as trials or steps, with half a step of room at both ends. */
export const numberedSpan = (last: number, least = 1): Span => ({
  min: 0.5,
  max: Math.max(least, last) + 0.5,
});
