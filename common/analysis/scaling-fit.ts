/**
 * How a rate grows with the number of nodes, clients or shards: the universal scalability law over trials, with intervals, where
 * its peak lies, and whether the trials follow it at all.
 *
 * Intervals are profile likelihoods with Student's t for the variance that the trials themselves tell (Bates and Watts 1988,
 * "Nonlinear Regression Analysis", section 6.1), with σ and κ of at least 0 throughout. `npm run bench -- scaling` counts how
 * often they hold what is true.
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
 * What is called 95% is taken at this level: it then holds in more than 93 of 100 simulated sweeps whatever the parameters, where
 * the plain level falls below that for some, with few trials and a law that is not straight.
 */
const PROFILE_LEVEL = LEVEL + 0.01;
/** A lack of fit that chance alone makes in at most this share of runs is called one. */
const LACK_LEVEL = 0.05;
/** More points than this nobody sees in a chart. */
const MOST_POINTS = 40;

/**
 * The law over the trials of cells; refuses with the reason where they cannot tell it. `places`: where its curve is wanted,
 * for a simulation that needs few of them.
 */
export function fitScaling(points: readonly ScalePoint[], places?: readonly number[]): Scaling | NoScaling {
  const cells = logsOf(points);
  if (cells.length < LEAST_POINTS) {
    return {
      refused: `the law has three parameters, so it takes at least ${LEAST_POINTS} levels with a completed trial; here are ${cells.length}`,
    };
  }
  const trials = cells.reduce((sum, own) => sum + own.trials, 0);
  const pure = cells.reduce((sum, { squares }) => sum + squares, 0);
  const law = new Law(cells);
  const best = bestFit(law, cells);
  const degrees = trials - 3;
  const variance = (best.squares + pure) / degrees;
  // Where σ or κ is held at 0, the squares are those of a law with fewer parameters.
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

/** In the order of N; one for each N, with what its trials differ by. */
function logsOf(points: readonly ScalePoint[]): (CellLogs & { squares: number })[] {
  const byN = new Map<number, number[]>();
  for (const { n, rates } of points) {
    // A rate of 0 has no logarithm, and no law: the trial accepted nothing.
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

/** From places far apart: the sum of squares of a logarithm may have more than one valley. */
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

/** Null where no cell has more than one trial, for then nothing says how far apart trials of one cell lie. */
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

/** Where a figure may lie: as far as the best fit with it is not worse than the critical value allows. */
class Profile {
  readonly #law: Law;
  readonly #best: Fitted;
  /** Largest rise of the sum of squares. */
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

  /** Of the rate at `n`. */
  rate(n: number): ScaleEstimate {
    const log = this.#law.log(this.#best, n);
    const [low, high] = this.#ends(log, -Infinity, 0.02, (at) => ({ through: { n, log: at } }));
    return {
      value: Math.exp(log),
      low: low === null ? 0 : Math.exp(low),
      high: high === null ? null : Math.exp(high),
    };
  }

  /** Of κ / (1 - σ); only for σ below 1. */
  peak(): ScaleEstimate {
    const value = this.#law.scaledPeak(this.#best);
    const [low, high] = this.#ends(value, 0, 0.05 + 0.2 * value, (at) => ({ q: at }));
    return { value, low: low ?? 0, high };
  }

  /** Null for no end. */
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

  /** From `value` in the direction of `step`, not beyond `last`. */
  #end(value: number, step: number, last: number, held: (at: number) => Held): number | null {
    let near: Parameters = this.#best;
    // Of the root of the rise, which grows almost in a straight line: negative inside.
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
      // Regula falsi, with a half every third time so that no end stays.
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
      ? 'told'
      : ends.low !== null && ends.low > most
        ? 'beyond'
        : 'open';
  return { state, n, ...ends };
}

/** Every whole N where they are few, else evenly spaced ones; those that were measured among them, and the last. */
function placesOf(cells: readonly CellLogs[], reach: number): number[] {
  const least = cells[0]!.n;
  const last = Math.floor(reach);
  const step = Math.max(1, Math.ceil((last - least) / MOST_POINTS));
  const places = [...cells.map(({ n }) => n), last];
  for (let n = least; n <= last; n += step) places.push(n);
  return [...new Set(places)].sort((one, other) => one - other);
}
