/** The axis of percentile plots. The distance from 90% to 99% is equal to that from 99% to 99.9%, and to that from 99.9% to 99.99%. */

/** Returns the position of a percentile on the axis: 0 for 0, 1 for 90, 2 for 99, 3 for 99.9. `percentile` must be below 100. */
export const nines = (percentile: number): number => -Math.log10(1 - percentile / 100);

/**
 * Returns the name of the percentile at a position of the percentile axis, such as `p99.9`. `place`: 0 for p0, 1 for p90, 2 for p99, 3 for
 * p99.9.
 */
export function percentileName(place: number): string {
  const percentile = 100 - 100 * 10 ** -place;
  const digits = percentile < 90 ? 0 : Math.min(5, Math.max(0, Math.round(place) - 1));
  return `p${Number(percentile.toFixed(digits))}`;
}
