/** Which of many choices no other one beats, where two figures count: by their means, and with what intervals leave open. */
import type { Interval } from './confidence';

/** A figure of a choice. */
export interface Estimate {
  mean: number;
  interval: Interval | null;
}

/** Two figures of which more is better; turn the sign of one of which less is. */
export interface Choice {
  one: Estimate;
  other: Estimate;
}

export interface Frontier {
  /** Those that no other one beats: none is as good in both figures and better in one. */
  unbeaten: number[];
  /** Those that are beaten, but by none whose intervals lie beyond theirs in both figures. */
  unsure: number[];
}

const isBeaten = (own: Choice, by: Choice): boolean =>
  by.one.mean >= own.one.mean &&
  by.other.mean >= own.other.mean &&
  (by.one.mean > own.one.mean || by.other.mean > own.other.mean);

/** Whether no value within the intervals would change the order; also where both are the same for certain. */
const isCertain = (own: Estimate, by: Estimate): boolean =>
  own.interval !== null &&
  by.interval !== null &&
  (by.interval.low > own.interval.high ||
    (by.interval.low === by.interval.high && own.interval.low === own.interval.high && by.mean === own.mean));

/** By their places in `choices`. */
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

/** Of a figure of which less is better. */
export const lessIsBetter = ({ mean, interval }: Estimate): Estimate => ({
  mean: -mean,
  interval: interval && { ...interval, low: -interval.high, high: -interval.low },
});
