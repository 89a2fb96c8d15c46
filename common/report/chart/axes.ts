/** The spans of a chart's axes. */

/** What is drawn at one place. */
export interface Mark {
  mean: number | null;
  /** Its interval; null where there is none. */
  low: number | null;
  high: number | null;
  /** One per trial. */
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

/** Room beside the outermost mark, as a share of the span. */
const MARGIN = 0.05;
/** Values this close to each other are not looked at through a microscope: the span is at least this share of them. */
const LEAST_SPREAD = 0.02;

/**
 * The span of an axis on which all trials, means and intervals are seen, with some room beside them. Nothing below zero is shown of
 * figures that are not negative.
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

/** Of an axis on which things are numbered from 1, such as trials or steps: half a place beside the first and the last. */
export const numberedSpan = (last: number, least = 1): Span => ({
  min: 0.5,
  max: Math.max(least, last) + 0.5,
});
