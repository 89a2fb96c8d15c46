/** Finds the choices that no other one beats in two metrics (the Pareto front), by means and with their intervals. */
import type { Interval } from './confidence';

/** The value of a choice in one metric. */
export interface Estimate {
  mean: number;
  interval: Interval | null;
}

/** A choice with two metrics for which higher is better. Use {@link lessIsBetter} for others. */
export interface Choice {
  one: Estimate;
  other: Estimate;
}

export interface Frontier {
  /** Indices of choices that no other one beats. A choice beats another if it is as good in both metrics and better in one. */
  unbeaten: number[];
  /** Indices of choices that are beaten, but only by choices whose intervals overlap with theirs. */
  unsure: number[];
}

const isBeaten = (own: Choice, by: Choice): boolean =>
  by.one.mean >= own.one.mean &&
  by.other.mean >= own.other.mean &&
  (by.one.mean > own.one.mean || by.other.mean > own.other.mean);

/** Whether no value within the intervals would change the order; also true if both have the same value without any spread. */
const isCertain = (own: Estimate, by: Estimate): boolean =>
  own.interval !== null &&
  by.interval !== null &&
  (by.interval.low > own.interval.high ||
    (by.interval.low === by.interval.high && own.interval.low === own.interval.high && by.mean === own.mean));

/** Returns the frontier as indices in `choices`. */
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

/** Negates a metric for which lower is better. */
export const lessIsBetter = ({ mean, interval }: Estimate): Estimate => ({
  mean: -mean,
  interval: interval && { ...interval, low: -interval.high, high: -interval.low },
});
