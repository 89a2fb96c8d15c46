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
  /** How far an interval may stretch the span beyond the trials and means, and how much room is left there, in their spread. */
  reach?: number;
  margin?: number;
}

/** The span of the axis: the trials and means always fit; an interval far wider than they are may leave the picture. */
export function spanOf(
  marks: readonly Mark[],
  { always = [], fromZero = false, reach = 1, margin = 0.08 }: SpanOptions = {},
): Span {
  const centre = [
    ...marks.flatMap(({ mean, values }) => [...values, ...(mean === null ? [] : [mean])]),
    ...always,
  ];
  if (centre.length === 0) return { min: 0, max: 1 };
  const ends = marks.flatMap(({ low, high }) => [low, high].filter((end) => end !== null));
  const [least, most] = [Math.min(...centre), Math.max(...centre)];
  const spread = Math.max(most - least, Math.abs(most) * 0.02, 1e-9);
  const low = Math.max(least - spread * reach, Math.min(least - spread * margin, ...ends));
  const high = Math.min(most + spread * reach, Math.max(most + spread * margin, ...ends));
  return { min: fromZero ? Math.min(0, least) : least >= 0 ? Math.max(0, low) : low, max: high };
}

/** The part of the interval that lies within the span; null where there is none. */
export function clipped(
  low: number | null,
  high: number | null,
  { min, max }: Span,
): { low: number; high: number } | null {
  if (low === null || high === null || high < min || low > max) return null;
  return { low: Math.max(low, min), high: Math.min(high, max) };
}

/** Of an axis on which things are numbered from 1, such as trials or steps: half a place beside the first and the last. */
export const numberedSpan = (last: number, least = 1): Span => ({
  min: 0.5,
  max: Math.max(least, last) + 0.5,
});
