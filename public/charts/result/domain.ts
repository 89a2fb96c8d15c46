/** The span of a y axis: the trials and means always fit; an interval far wider than they are may leave the picture. */

export interface Span {
  min: number;
  max: number;
}

interface Mark {
  mean: number | null;
  low: number | null;
  high: number | null;
  values: readonly number[];
}

/** `always`: other values that must be seen, such as the baseline. */
export function spanOf(marks: readonly Mark[], always: readonly number[] = [], fromZero = false): Span {
  const centre = [
    ...marks.flatMap(({ mean, values }) => [...values, ...(mean === null ? [] : [mean])]),
    ...always,
  ];
  if (centre.length === 0) return { min: 0, max: 1 };
  const ends = marks.flatMap(({ low, high }) => [low, high].filter((end) => end !== null));
  const [least, most] = [Math.min(...centre), Math.max(...centre)];
  const spread = Math.max(most - least, Math.abs(most) * 0.02, 1e-9);
  const low = Math.max(least - spread, Math.min(least - spread * 0.08, ...ends));
  const high = Math.min(most + spread, Math.max(most + spread * 0.08, ...ends));
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
