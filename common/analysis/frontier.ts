/**
 * Compares alternatives, such as the cells of a run, by two metrics (Pareto front). An alternative is on the front if no other is at least
 * as good in both metrics and better in one. The means decide. Overlapping intervals only mark an alternative as unsure.
 */
import type { Interval } from './confidence';

/** The value of an alternative in one metric. */
export interface Estimate {
  mean: number;
  interval: Interval | null;
}

/** An alternative with two metrics for which higher values are better. Use {@link lessIsBetter} for other metrics. */
export interface Choice {
  one: Estimate;
  other: Estimate;
}

export interface Frontier {
  /** Indices of the alternatives that no other beats: no other is at least as good in both metrics and better in one. */
  unbeaten: number[];
  /**
   * Indices of alternatives that are beaten by their means, but only by alternatives with overlapping intervals. The beaten alternatives
   * may belong to the front nevertheless.
   */
  unsure: number[];
}

const isBeaten = (own: Choice, by: Choice): boolean =>
  by.one.mean >= own.one.mean &&
  by.other.mean >= own.other.mean &&
  (by.one.mean > own.one.mean || by.other.mean > own.other.mean);

/** Returns whether the order of two values is certain: their intervals do not overlap, or both values are equal and have no spread. */
const isCertain = (own: Estimate, by: Estimate): boolean =>
  own.interval !== null &&
  by.interval !== null &&
  (by.interval.low > own.interval.high ||
    (by.interval.low === by.interval.high && own.interval.low === own.interval.high && by.mean === own.mean));

/** Returns the front as indices in `choices`. */
export function frontier(choices: readonly Choice[]): Frontier {
  const unbeaten: number[] = [];
  const unsure: number[] = [];
  choices.forEach((own, at) => {
    const better = choices.filter((by) => isBeaten(own, by));
    if (better.length === 0) unbeaten.push(at);
    else if (!better.some((by) => isCertain(own.one, by.one) && isCertain(own.other, by.other)))
      unsure.push(at);
  });
  return { unbeaten, unsure };
}

/** Negates a metric for which lower values are better. */
export const lessIsBetter = ({ mean, interval }: Estimate): Estimate => ({
  mean: -mean,
  interval: interval && { ...interval, low: -interval.high, high: -interval.low },
});
