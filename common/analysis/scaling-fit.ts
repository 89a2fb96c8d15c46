/**
 * Fits the universal scalability law to trials (scaling-law.ts). The fit shows how a rate grows with the number of nodes, clients or
 * shards, where its peak is, and whether the trials follow the law at all.
 *
 * Intervals are profile likelihood intervals with Student's t, because the variance is estimated from the trials (Bates and Watts 1988,
 * "Nonlinear Regression Analysis", section 6.1). `npm run bench -- scaling` measures how often the intervals contain the true values.
 */
import fCdf from '@stdlib/stats-base-dists-f-cdf';
import { LEVEL } from './confidence';
import { mean } from './interval';
import {
  LEAST_POINTS,
  REACH,
  type LackOfFit,
  type NoScaling,
  type ScaleEstimate,
  type ScalePeak,
  type ScalePoint,
  type Scaling,
} from './scaling';
import { Law, type CellLogs, type Fitted, type Held, type Parameters } from './scaling-law';
import { studentQuantile } from './student';

/**
 * Nominal level with which the displayed 95% intervals are calculated. Because trials are few and the law is not linear, intervals with a
 * nominal level of 95% would contain the true value too rarely. With this level, each contains it in more than 93 of 100 simulated
 * experiments.
 */
const PROFILE_LEVEL = LEVEL + 0.01;
/** Significance level of the test for lack of fit. */
const LACK_LEVEL = 0.05;
/** Maximum number of evenly spaced points in the curve. */
const MOST_POINTS = 40;

/**
 * Fits the universal scalability law to the trials of cells. With too few cells, returns the reason why it cannot be fitted. `places`:
 * numbers N of nodes, clients or shards at which the curve is calculated. Default: numbers over the whole curve.
 */
export function fitScaling(points: readonly ScalePoint[], places?: readonly number[]): Scaling | NoScaling {
  const cells = logsOf(points);
  if (cells.length < LEAST_POINTS) {
    return {
      refused: `the law has three parameters, so it needs at least ${LEAST_POINTS} levels with a completed trial; this run has ${cells.length}`,
    };
  }
  const trials = cells.reduce((sum, own) => sum + own.trials, 0);
  const pure = cells.reduce((sum, { squares }) => sum + squares, 0);
  const law = new Law(cells);
  const best = bestFit(law, cells);
  const degrees = trials - 3;
  const variance = (best.squares + pure) / degrees;
  // If the fit sets σ or κ to 0, the law has fewer free parameters.
  const parameters = 1 + Number(best.s > 0) + Number(best.k > 0);
  const lack = lackOfFit(best.squares, cells.length - parameters, pure, trials - cells.length);
  const follows = lack === null ? null : lack.p >= LACK_LEVEL;
  const profile = new Profile(law, best, studentQuantile((1 + PROFILE_LEVEL) / 2, degrees) ** 2 * variance);
  const measured = { least: cells[0]!.n, most: cells.at(-1)!.n };
  const reach = follows === true ? measured.most * REACH : measured.most;
  const rateAt = (n: number): ScaleEstimate => profile.rate(n);
  return {
    lambda: rateAt(1),
    sigma: scaled(profile.parameter('s'), law.sigma),
    kappa: scaled(profile.parameter('k'), law.kappa),
    peak: peakOf(law, best, profile, measured, reach),
    curve: (places ?? placesOf(cells, reach)).map((n) => {
      const { value, low, high } = rateAt(n);
      return { n, rate: value, low, high };
    }),
    measured,
    reach,
    lack,
    follows,
    trials,
    spread: Math.sqrt(variance),
  };
}

/** Returns one entry per N, in ascending order of N. `squares`: sum of squares of the trials of this N around their mean. */
function logsOf(points: readonly ScalePoint[]): (CellLogs & { squares: number })[] {
  const byN = new Map<number, number[]>();
  for (const { n, rates } of points) {
    // A rate of 0 means that the trial accepted nothing. It has no logarithm, so the trial is left out.
    const logs = rates.filter((rate) => rate > 0).map(Math.log);
    if (logs.length > 0) byN.set(n, [...(byN.get(n) ?? []), ...logs]);
  }
  return [...byN]
    .sort(([one], [other]) => one - other)
    .map(([n, logs]) => {
      const centre = mean(logs);
      const squares = logs.reduce((sum, log) => sum + (log - centre) ** 2, 0);
      return { n, mean: centre, trials: logs.length, squares };
    });
}

/** Returns the best fit. Starts from several distant points, because the sum of squares may have more than one minimum. */
function bestFit(law: Law, cells: readonly CellLogs[]): Fitted {
  const a = Math.max(...cells.map(({ n, mean: log }) => log - Math.log(n)));
  const starts = [
    [0.1, 0],
    [0.1, 0.5],
    [1, 0.2],
    [4, 1],
  ];
  return starts
    .map(([s, k]) => law.fit({}, { a, s: s!, k: k! }))
    .reduce((one, other) => (other.squares < one.squares ? other : one));
}

/**
 * Tests whether the law fits the trials (F test for lack of fit). `lack`: sum of squares of the distances between cell means and law.
 * `pure`: sum of squares of the trials around the mean of their cell. Both have their degrees of freedom. Null if every cell has only one
 * trial, because `pure` is then unknown.
 */
function lackOfFit(lack: number, degrees: number, pure: number, pureDegrees: number): LackOfFit | null {
  if (pureDegrees < 1 || degrees < 1 || pure === 0) return null;
  const f = lack / degrees / (pure / pureDegrees);
  return { f, degrees: [degrees, pureDegrees], p: 1 - fCdf(f, degrees, pureDegrees) };
}

const scaled = ({ value, low, high }: ScaleEstimate, by: (value: number) => number): ScaleEstimate => ({
  value: by(value),
  low: by(low),
  high: high === null ? null : by(high),
});

/**
 * Calculates profile likelihood intervals. To test a value of a parameter, the parameter is set to it, and the other parameters are fitted.
 * The value belongs to the interval if this fit is hardly worse than the best fit.
 */
class Profile {
  readonly #law: Law;
  readonly #best: Fitted;
  /** Limit for a value to belong to an interval: the sum of squares of its fit may exceed that of the best fit by at most this. */
  readonly #rise: number;

  constructor(law: Law, best: Fitted, rise: number) {
    this.#law = law;
    this.#best = best;
    this.#rise = Math.max(rise, 1e-12);
  }

  parameter(name: 's' | 'k'): ScaleEstimate {
    const value = this.#best[name];
    const [low, high] = this.#ends(value, 0, 0.05 + 0.2 * value, (at) => ({ [name]: at }));
    return { value, low: low ?? 0, high };
  }

  /** Returns the interval of the rate at `n`. */
  rate(n: number): ScaleEstimate {
    const log = this.#law.log(this.#best, n);
    const [low, high] = this.#ends(log, -Infinity, 0.02, (at) => ({ through: { n, log: at } }));
    return {
      value: Math.exp(log),
      low: low === null ? 0 : Math.exp(low),
      high: high === null ? null : Math.exp(high),
    };
  }

  /** Returns the interval of κ / (1 - σ), which determines the peak. Call only if σ is below 1. */
  peak(): ScaleEstimate {
    const value = this.#law.scaledPeak(this.#best);
    const [low, high] = this.#ends(value, 0, 0.05 + 0.2 * value, (at) => ({ q: at }));
    return { value, low: low ?? 0, high };
  }

  /** Returns both ends of an interval. An end is null if it does not exist. */
  #ends(
    value: number,
    least: number,
    step: number,
    held: (at: number) => Held,
  ): [number | null, number | null] {
    return [
      value <= least ? least : this.#end(value, -step, least, held),
      this.#end(value, step, Infinity, held),
    ];
  }

  /**
   * Searches for one end of the interval, from `value` in the direction of `step` up to `last`. Returns null if the interval has no end in
   * this direction. `held`: returns, for a value of the parameter, the restriction with which the fit is repeated.
   */
  #end(value: number, step: number, last: number, held: (at: number) => Held): number | null {
    let near: Parameters = this.#best;
    // Returns a negative number inside the interval and a positive number outside. It is based on the square root of the increase, because
    // this is almost linear.
    const excess = (at: number): number => {
      const found = this.#law.fit(held(at), near);
      if (!Number.isFinite(found.squares)) return Infinity;
      near = found;
      return Math.sqrt(Math.max(0, found.squares - this.#best.squares) / this.#rise) - 1;
    };
    let [inside, insideExcess] = [value, -1];
    let outside = value;
    let outsideExcess = -1;
    for (let tries = 0; outsideExcess < 0; tries += 1) {
      if (tries > 40) return null;
      [inside, insideExcess] = [outside, outsideExcess];
      outside = value + step * 2 ** tries;
      const isLast = step < 0 ? outside <= last : outside >= last;
      if (isLast) outside = last;
      outsideExcess = excess(outside);
      if (isLast && outsideExcess < 0) return last;
    }
    for (let tries = 0; tries < 40 && Math.abs(outside - inside) > 1e-7 * (1 + Math.abs(value)); tries += 1) {
      // The search uses regula falsi. Every third step is a bisection, because otherwise one end may hardly move.
      const share =
        tries % 3 === 2 || !Number.isFinite(outsideExcess)
          ? 0.5
          : insideExcess / (insideExcess - outsideExcess);
      const at = inside + (outside - inside) * share;
      const found = excess(at);
      if (Math.abs(found) < 1e-4) return at;
      if (found < 0) [inside, insideExcess] = [at, found];
      else [outside, outsideExcess] = [at, found];
    }
    return (inside + outside) / 2;
  }
}

function peakOf(
  law: Law,
  best: Fitted,
  profile: Profile,
  { least, most }: Scaling['measured'],
  reach: number,
): ScalePeak {
  if (law.sigma(best.s) >= 1) return { state: 'first', n: least, low: null, high: null };
  const { value, low, high } = profile.peak();
  const n = value > 0 ? law.peak(value) : null;
  const ends = {
    low: high === null || high <= 0 ? null : law.peak(high),
    high: low > 0 ? law.peak(low) : null,
  };
  if (ends.high !== null && ends.high <= least) return { state: 'first', n: least, low: null, high: null };
  const state =
    ends.high !== null && ends.high <= reach
      ? 'found'
      : ends.low !== null && ends.low > most
        ? 'beyond'
        : 'open';
  return { state, n, ...ends };
}

/**
 * Returns the numbers N (of nodes, clients or shards) at which the curve is calculated: all numbers if there are few, otherwise evenly
 * spaced numbers. The measured numbers and the last number are always included.
 */
function placesOf(cells: readonly CellLogs[], reach: number): number[] {
  const least = cells[0]!.n;
  const last = Math.floor(reach);
  const step = Math.max(1, Math.ceil((last - least) / MOST_POINTS));
  const places = [...cells.map(({ n }) => n), last];
  for (let n = least; n <= last; n += step) places.push(n);
  return [...new Set(places)].sort((one, other) => one - other);
}
