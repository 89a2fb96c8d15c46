/** Simulated runs with known noise. Tests and the benchmark of change points use them. */
import type { Random } from '../../random';
import type { Series } from '../changes';
import { inColumns, type Point } from '../columns';

/** Noise, as relative standard deviations. */
export interface RunNoise {
  /** Standard deviation of one trial within its run, relative to the level. */
  within: number;
  /** Standard deviation between runs, relative to the level. */
  between: number;
  /**
   * Shape of the lognormal distribution of the noise within and between runs. 0 means a normal distribution, 0.5 has a skewness of 1.8, and
   * 1 has a skewness of 6.2.
   */
  tail?: number;
  /** Amplitude of a sine wave with a period of seven runs, relative to the level. */
  weekly?: number;
  /** How much two of every seven runs differ from the others, relative to the level. */
  weekend?: number;
}

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());

/** Returns a random number with mean 0 and standard deviation 1. */
function deviate(random: Random, tail: number): number {
  if (tail === 0) return normal(random);
  const square = Math.exp(tail ** 2);
  return (Math.exp(tail * normal(random)) - Math.sqrt(square)) / Math.sqrt((square - 1) * square);
}

/** Returns the total standard deviation of the mean of a run with this number of trials. */
export const totalDeviation = (
  { within, between, weekly = 0, weekend = 0 }: RunNoise,
  trials: number,
): number => Math.sqrt(within ** 2 / trials + between ** 2 + weekly ** 2 + (10 / 49) * weekend ** 2);

/** Creates runs with 3 to 5 trials each, around the `level` of each run. */
export function madeHistoryRuns(
  { within, between, tail = 0, weekly = 0, weekend = 0 }: RunNoise,
  runs: number,
  random: Random,
  level: (run: number) => number = () => 1000,
): Point[] {
  const phase = random.below(7);
  return Array.from({ length: runs }, (_, run) => {
    const day = (run + phase) % 7;
    const pattern =
      1 +
      weekly * Math.SQRT2 * Math.sin((2 * Math.PI * day) / 7) +
      (day < 2 ? (5 / 7) * weekend : (-2 / 7) * weekend);
    const centre = level(run) * pattern * Math.max(0.1, 1 + between * deviate(random, tail));
    const trials = 3 + random.below(3);
    let sum = 0;
    let squares = 0;
    for (let trial = 0; trial < trials; trial += 1) {
      const away = within * deviate(random, tail);
      sum += away;
      squares += away ** 2;
    }
    const deviation = Math.sqrt(Math.max(0, squares - sum ** 2 / trials) / (trials - 1));
    return { mean: centre * Math.max(0.1, 1 + sum / trials), deviation: centre * deviation, trials };
  });
}

export const madeSeries = (
  points: readonly (Point | null)[],
  better: Series['better'] = 'lower',
): Series => ({
  metric: 'latency p95',
  cell: 'only',
  better,
  ...inColumns(points),
});
