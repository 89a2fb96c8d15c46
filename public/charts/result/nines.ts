/** The axis of percentile plots: as far from one nine to the next, 90% to 99% as 99% to 99.9%. */

/** 0 is 0, 90 is 1, 99 is 2, 99.9 is 3; below 100. */
export const nines = (percentile: number): number => -Math.log10(1 - percentile / 100);

/** `p99.9` for a place on that axis. */
export function percentileName(place: number): string {
  const percentile = 100 - 100 * 10 ** -place;
  const digits = percentile < 90 ? 0 : Math.min(5, Math.max(0, Math.round(place) - 1));
  return `p${Number(percentile.toFixed(digits))}`;
}
