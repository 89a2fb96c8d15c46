import { createRandom } from '../random';
import { needFor } from './capacity';
import { isScaling, LEAST_POINTS, REACH, type ScalePoint, type Scaling } from './scaling';
import { fitScaling } from './scaling-fit';
import { normal } from './testing/made-run';

const law =
  (lambda: number, sigma: number, kappa: number) =>
  (n: number): number =>
    (lambda * n) / (1 + sigma * (n - 1) + kappa * n * (n - 1));

function sweep(
  rate: (n: number) => number,
  ns: readonly number[],
  cv: number,
  trials = 3,
  seed = 1,
): ScalePoint[] {
  const random = createRandom(seed);
  return ns.map((n) => ({
    n,
    rates: Array.from({ length: trials }, () => rate(n) * (1 + cv * normal(random))),
  }));
}

function fitted(points: readonly ScalePoint[], places?: readonly number[]): Scaling {
  const found = fitScaling(points, places);
  if (!isScaling(found)) throw new Error(found.refused);
  return found;
}

const CLIENTS = [1, 2, 4, 8, 16, 32];

test('the fit of exact rates returns their parameters and their peak', () => {
  const { lambda, sigma, kappa, peak } = fitted(sweep(law(10_000, 0.05, 0.002), CLIENTS, 0));
  expect(lambda.value).toBeCloseTo(10_000, 1);
  expect(sigma.value).toBeCloseTo(0.05, 5);
  expect(kappa.value).toBeCloseTo(0.002, 6);
  expect(peak.state).toBe('found');
  expect(peak.n).toBeCloseTo(Math.sqrt(0.95 / 0.002), 1);
});

test.each([1, 2, 3])('%i levels are refused, because the law has three parameters', (levels) => {
  const found = fitScaling(sweep(law(10_000, 0.05, 0.002), CLIENTS.slice(0, levels), 0.01, 9));
  expect(found).toEqual({ refused: expect.stringContaining(`at least ${LEAST_POINTS} levels`) as string });
});

test('several cells with the same level are combined', () => {
  const points = sweep(law(10_000, 0.05, 0.002), [1, 2, 4], 0.01);
  expect(fitScaling([...points, ...points])).toHaveProperty('refused');
});

test('σ and κ are never negative, and their intervals contain 0 if nothing is lost', () => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const { sigma, kappa, peak } = fitted(sweep(law(10_000, 0, 0), [1, 2, 4, 8], 0.02, 3, seed), [8]);
    expect(Math.min(sigma.value, kappa.value, sigma.low, kappa.low)).toBe(0);
    expect(peak.state).not.toBe('found');
  }
});

test('the curve extends to 1.5 times the largest measured level, with a growing interval', () => {
  const { curve, reach, follows } = fitted(sweep(law(10_000, 0.1, 0.001), [1, 2, 4, 8], 0.02));
  expect(follows).toBe(true);
  expect(reach).toBe(8 * REACH);
  expect(curve.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  const width = (at: number): number => curve[at]!.high! / curve[at]!.low;
  expect(width(11)).toBeGreaterThan(width(7));
});

test('rates that do not follow the law are reported, and the curve ends with them', () => {
  const { follows, lack, reach } = fitted(sweep((n) => 10_000 * Math.min(n, 4), CLIENTS, 0.01));
  expect(lack!.p).toBeLessThan(0.001);
  expect(follows).toBe(false);
  expect(reach).toBe(32);
});

test('with one trial of each cell it is unknown whether the law holds', () => {
  const { follows, reach } = fitted(sweep(law(10_000, 0.1, 0.001), CLIENTS, 0.01, 1));
  expect(follows).toBeNull();
  expect(reach).toBe(32);
});

test('rates that fall from the first level on have their peak there', () => {
  expect(fitted(sweep(law(10_000, 0.9, 0.5), CLIENTS, 0.01)).peak.state).toBe('first');
});

test('a peak beyond the measured levels has no number', () => {
  const { peak } = fitted(sweep(law(10_000, 0.02, 0.0005), [1, 2, 4, 6, 8], 0.005, 5));
  expect(peak.state).toBe('beyond');
});

test('a trial that accepted nothing is left out', () => {
  const points = sweep(law(10_000, 0.05, 0.002), CLIENTS, 0.01);
  const withNothing = points.map(({ n, rates }, at) => ({ n, rates: at === 2 ? [...rates, 0] : rates }));
  expect(fitted(withNothing, [8])).toEqual(fitted(points, [8]));
});

test('repeating all trials narrows every interval', () => {
  const width = (trials: number): number => {
    const { high, low } = fitted(sweep(law(10_000, 0.1, 0.003), CLIENTS, 0.03, trials), [8]).kappa;
    return high! - low;
  };
  expect(width(12)).toBeLessThan(width(3));
});

test.each([
  [0.05, 0.002, 0.02],
  [0.1, 0, 0.05],
  [0, 0.003, 0.05],
])('95%% intervals hold σ = %f and κ = %f with a CV of %f', (sigma, kappa, cv) => {
  // The bound is two standard errors for this few sweeps below 95%. `npm run bench -- scaling` requires 93% for 500 sweeps, with more
  // parameters.
  const [sweeps, least] = [100, 0.905];
  const held = { lambda: 0, sigma: 0, kappa: 0, rate: 0 };
  for (let seed = 1; seed <= sweeps; seed += 1) {
    const rate = law(10_000, sigma, kappa);
    const found = fitted(sweep(rate, CLIENTS, cv, 3, seed), [48]);
    const holds = ({ low, high }: { low: number; high: number | null }, value: number): number =>
      Number(low <= value && (high === null || value <= high));
    held.lambda += holds(found.lambda, 10_000);
    held.sigma += holds(found.sigma, sigma);
    held.kappa += holds(found.kappa, kappa);
    held.rate += holds(found.curve[0]!, rate(48));
  }
  for (const count of Object.values(held)) expect(count).toBeGreaterThanOrEqual(least * sweeps);
});

describe('the number that a rate needs', () => {
  const curve = [
    { n: 1, rate: 100, low: 90, high: 110 },
    { n: 2, rate: 190, low: 170, high: 210 },
    { n: 4, rate: 300, low: 250, high: 350 },
  ];

  test('is the first integer at which the curve reaches it, likewise for the ends of the interval', () => {
    expect(needFor({ curve }, 240)).toEqual({ best: 3, low: 3, high: 4 });
    expect(needFor({ curve }, 100)).toEqual({ best: 1, low: 1, high: 2 });
  });

  test('is null for a rate that is not reached', () => {
    expect(needFor({ curve }, 320)).toEqual({ best: null, low: 4, high: null });
    expect(needFor({ curve }, 400)).toEqual({ best: null, low: null, high: null });
  });
});
