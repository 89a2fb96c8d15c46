/**
 * `npm run bench -- steady`: measures the accuracy of the test for a steady state, with simulated series of throughput. It is known which
 * of them are steady. Takes a few seconds. Random numbers are seeded.
 *
 * Shows the share of series that the test flags as not steady from the start of the measured phase. This share should be at most 5% for
 * steady series, and 100% for all others.
 */
import { steadyState } from '../../common/analysis/steady';
import { createRandom, deriveSeed, type Random } from '../../common/random';
import type { Row } from './table';

/** Length of the warm-up of every series, in s. The warm-up is not part of the measured phase. */
const WARMUP = 30;
const LEVEL = 10_000;
export const MEASURED = [60, 120, 300, 600, 900] as const;

/** Draws a number from the standard normal distribution (Box and Muller 1958). */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());

/** Returns a relative error for each second. `cv`: coefficient of variation of the errors. `rho`: correlation between adjacent seconds. */
function noise(random: Random, seconds: number, cv: number, rho = 0): number[] {
  let error = normal(random);
  return Array.from({ length: seconds }, () => {
    const now = cv * error;
    error = rho * error + Math.sqrt(1 - rho ** 2) * normal(random);
    return now;
  });
}

interface Series {
  name: string;
  /** Whether the measured phase is truly steady. Its mean then describes the whole phase. */
  steady: boolean;
  /**
   * Returns the relative value of each second of the series. `measured`: length in s of the measured phase, which begins at {@link WARMUP}.
   */
  make: (random: Random, measured: number) => number[];
}

const shaped = (
  name: string,
  steady: boolean,
  level: (second: number, measured: number, phase: number) => number,
  cv = 0.05,
  rho = 0,
): Series => ({
  name,
  steady,
  make: (random, measured) => {
    const phase = random.below(60);
    return noise(random, WARMUP + measured, cv, rho).map(
      (error, second) => level(second - WARMUP, measured, phase) * (1 + error),
    );
  },
});

const flat = (): number => 1;
const share = (second: number, measured: number): number => Math.max(0, second) / measured;
/**
 * Ratio of the throughput after a drop to that before. The drop occurred in a real run, and an earlier version of Dyno did not detect it.
 */
const FALL = 6406 / 17_684;

export const SERIES: readonly Series[] = [
  shaped('flat, CV 5%', true, flat),
  shaped('flat, CV 20%', true, flat, 0.2),
  shaped('flat, CV 5%, correlated 0.7', true, flat, 0.05, 0.7),
  shaped('flat, CV 10%, correlated 0.9', true, flat, 0.1, 0.9),
  shaped('10-s dips to 30% each minute', true, (s, _, phase) => ((s + WARMUP + phase) % 60 < 10 ? 0.3 : 1)),
  shaped('2-s stalls each 30 s', true, (s, _, phase) => ((s + WARMUP + phase) % 30 < 2 ? 0.02 : 1)),
  shaped('start-up within the warm-up', true, (s) => (s < -10 ? 0.5 : 1)),
  shaped('drift of 10%, CV 2%', false, (s, measured) => 1 - 0.1 * share(s, measured), 0.02),
  shaped('drift of 10%, CV 5%', false, (s, measured) => 1 - 0.1 * share(s, measured)),
  shaped('drift of 10%, CV 10%', false, (s, measured) => 1 - 0.1 * share(s, measured), 0.1),
  shaped('drift of 10%, CV 5%, corr. 0.7', false, (s, measured) => 1 - 0.1 * share(s, measured), 0.05, 0.7),
  shaped('drift of 30%, CV 10%', false, (s, measured) => 1 - 0.3 * share(s, measured), 0.1),
  shaped('fall to 36%, evenly', false, (s, measured) => 1 - (1 - FALL) * share(s, measured)),
  ...[0.2, 0.35, 0.5, 0.8, 0.9].map((at) =>
    shaped(`fall to 36% at ${100 * at}% of it`, false, (s, measured) => (share(s, measured) < at ? 1 : FALL)),
  ),
];

/** Returns the share of `count` series of a kind that are flagged, or null if none could be judged. */
export function flaggedShare({ name, make }: Series, measured: number, count: number): number | null {
  let judged = 0;
  let flagged = 0;
  for (let number = 0; number < count; number += 1) {
    const random = createRandom(deriveSeed(14, name, measured, number));
    const found = steadyState(
      make(random, measured).map((level) => LEVEL * level),
      WARMUP,
    );
    if (found === null) continue;
    judged += 1;
    if (!found.settled || found.afterSeconds > WARMUP) flagged += 1;
  }
  return judged === 0 ? null : flagged / judged;
}

/** Returns one row for each kind of series, with a column for each length of the measured phase. */
export function benchSteady(count = 400): Row[] {
  return SERIES.map((series) => ({
    series: series.name,
    steady: series.steady ? 'yes' : 'no',
    ...Object.fromEntries(
      MEASURED.map((measured) => {
        const found = flaggedShare(series, measured, count);
        return [`${measured} s`, found === null ? '–' : `${Math.round(100 * found)}%`];
      }),
    ),
  }));
}
