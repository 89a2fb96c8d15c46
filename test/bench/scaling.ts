/**
 * Measures how often the confidence intervals of fitted scaling curves contain the true value. The measurements are simulated with known
 * parameters, and Dyno's own functions fit the curves. Also measures how often Dyno reports that a curve does not fit, both for data that
 * follow the curve and for other data. Random numbers are seeded.
 */
import { isScaling, REACH, type Scaling } from '../../common/analysis/scaling';
import { fitScaling } from '../../common/analysis/scaling-fit';
import { createRandom, deriveSeed } from '../../common/random';
import type { Row } from './table';
import type { StatisticsTable } from './statistics';

export const SWEEPS = 500;
/**
 * Minimum share of intervals that must contain the true value: 95%, minus the largest deviation that is likely by chance in 500
 * simulations.
 */
const LEAST = 0.93;

export interface Truth {
  lambda: number;
  sigma: number;
  kappa: number;
}

export interface Setting extends Truth {
  name: string;
  ns: readonly number[];
  trials: number;
  cv: number;
}

const NODES = [1, 2, 3, 4, 6, 8];
const CLIENTS = [1, 2, 4, 8, 16, 32];
const setting = (
  name: string,
  sigma: number,
  kappa: number,
  ns: readonly number[],
  trials: number,
  cv: number,
): Setting => ({ name, lambda: 10_000, sigma, kappa, ns, trials, cv });

export const SETTINGS: readonly Setting[] = [
  setting('both', 0.05, 0.002, CLIENTS, 3, 0.01),
  setting('both', 0.05, 0.002, CLIENTS, 3, 0.05),
  setting('both', 0.05, 0.002, CLIENTS, 2, 0.05),
  setting('both, strong', 0.3, 0.01, NODES, 3, 0.02),
  setting('both, strong', 0.3, 0.01, NODES, 5, 0.05),
  setting('both, four levels', 0.05, 0.002, [1, 2, 4, 8], 3, 0.02),
  setting('both, from 2 on', 0.05, 0.002, [2, 4, 8, 16, 32], 3, 0.03),
  setting('kappa 0', 0.1, 0, CLIENTS, 3, 0.01),
  setting('kappa 0', 0.1, 0, NODES, 3, 0.05),
  setting('kappa 0, four levels', 0.1, 0, [1, 2, 4, 8], 2, 0.05),
  setting('sigma 0', 0, 0.003, CLIENTS, 3, 0.02),
  setting('sigma 0', 0, 0.003, NODES, 3, 0.05),
  setting('both 0', 0, 0, NODES, 3, 0.02),
  setting('both 0, four levels', 0, 0, [1, 2, 4, 8], 2, 0.05),
];

export const rateOf = ({ lambda, sigma, kappa }: Truth, n: number): number =>
  (lambda * n) / (1 + sigma * (n - 1) + kappa * n * (n - 1));

/**
 * Simulates measurements of rates at several loads. `rate`: true rate at a load; the normal noise is proportional to it. Yields the fitted
 * scaling curve of each simulation.
 */
export function* sweeps(
  { name, ns, trials, cv }: Pick<Setting, 'name' | 'ns' | 'trials' | 'cv'>,
  rate: (n: number) => number,
  count: number,
): Generator<Scaling> {
  const random = createRandom(deriveSeed(17, name, ns.join(), trials, String(cv)));
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());
  const most = Math.max(...ns);
  for (let sweep = 0; sweep < count; sweep += 1) {
    const points = ns.map((n) => ({
      n,
      rates: Array.from({ length: trials }, () => rate(n) * (1 + cv * normal())),
    }));
    const found = fitScaling(points, [most, most * REACH]);
    if (!isScaling(found)) throw new Error(found.refused);
    yield found;
  }
}

interface Ends {
  low: number | null;
  high: number | null;
}

const isIn = ({ low, high }: Ends, value: number): boolean =>
  (low === null || low <= value) && (high === null || value <= high);

/** For each parameter of a scaling curve, a function that returns whether the parameter's interval contains the true value. */
export const HELD: Readonly<Record<string, (found: Scaling, truth: Truth) => boolean>> = {
  lambda: ({ lambda }, truth) => isIn(lambda, truth.lambda),
  sigma: ({ sigma }, truth) => isIn(sigma, truth.sigma),
  kappa: ({ kappa }, truth) => isIn(kappa, truth.kappa),
  // Without κ there is no peak, and only an interval without an upper end is correct.
  peak: ({ peak }, { sigma, kappa }) => isIn(peak, kappa === 0 ? Infinity : Math.sqrt((1 - sigma) / kappa)),
  'rate at most': ({ curve }, truth) => isIn(curve[0]!, rateOf(truth, curve[0]!.n)),
  'rate beyond': ({ curve }, truth) => isIn(curve[1]!, rateOf(truth, curve[1]!.n)),
};

/**
 * True rates at a load `n` that do not follow the scaling curve: the rate does not grow above `n` = 4, is lower only at 4, or is halved
 * from 8 on.
 */
const OTHERS: Readonly<Record<string, (n: number) => number>> = {
  'a wall at 4': (n) => 10_000 * Math.min(n, 4),
  'a dip of 20% at 4': (n) => 10_000 * n ** 0.8 * (n === 4 ? 0.8 : 1),
  'half from 8 on': (n) => 10_000 * n ** 0.9 * (n >= 8 ? 0.5 : 1),
};

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
/**
 * Maximum share of simulations in which Dyno may report that the curve does not fit, although the data follow it. By chance, 5% are
 * expected; three standard errors are added.
 */
const MOST_FALSE = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / SWEEPS);

export function benchScaling(): { tables: StatisticsTable[]; failures: string[] } {
  const failures: string[] = [];
  const coverage = SETTINGS.map((own): Row => {
    const held: Record<string, number> = {};
    let lacking = 0;
    for (const found of sweeps(own, (n) => rateOf(own, n), SWEEPS)) {
      for (const [name, is] of Object.entries(HELD)) held[name] = (held[name] ?? 0) + Number(is(found, own));
      lacking += Number(found.follows === false);
    }
    const place = `${own.name}, ${own.ns.length} levels of ${own.trials}, CV ${percent(own.cv)}`;
    for (const [name, count] of Object.entries(held))
      if (count < LEAST * SWEEPS) failures.push(`${place}: ${name} in ${percent(count / SWEEPS)}`);
    if (lacking > MOST_FALSE * SWEEPS) failures.push(`${place}: lack of fit in ${percent(lacking / SWEEPS)}`);
    return {
      truth: own.name,
      levels: own.ns.join(' '),
      trials: own.trials,
      CV: percent(own.cv),
      ...Object.fromEntries(Object.entries(held).map(([name, count]) => [name, percent(count / SWEEPS)])),
      rejected: percent(lacking / SWEEPS),
    };
  });
  const others = Object.entries(OTHERS).flatMap(([name, rate]) =>
    [0.01, 0.03].map((cv): Row => {
      let lacking = 0;
      for (const { follows } of sweeps({ name, ns: CLIENTS, trials: 3, cv }, rate, SWEEPS / 5))
        lacking += Number(follows === false);
      return { rates: name, CV: percent(cv), rejected: percent(lacking / (SWEEPS / 5)) };
    }),
  );
  return {
    tables: [
      {
        title: `Scalability law: 95% intervals that contain the truth, of ${SWEEPS} sweeps (at least ${percent(LEAST)}); rates at the largest level, and at ${REACH} times that`,
        rows: coverage,
      },
      { title: 'Rates that do not follow the law, six levels of three trials', rows: others },
    ],
    failures,
  };
}
