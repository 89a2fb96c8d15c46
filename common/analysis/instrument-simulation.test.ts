/**
 * The rule against known truth: made trials of which the target's own times and every delay are drawn from a seed. The rule
 * sees what it sees of a real trial only: histograms of the times, of the lag, of what was held, and a sample of messages.
 */
import { createHistogram, encodeHistogram, recordMs, summariseHistogram } from '../measurement/histogram';
import type { GeneratorSummary, TaskSummary } from '../measurement/trial';
import { createRandom, type Random } from '../random';
import { ownShares, type OwnFigure } from './instrument';

const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());
const logNormal = (random: Random, median: number, sigma: number): number =>
  median * Math.exp(sigma * normal(random));
const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random.unit());

/** Times of the target itself, ms: those of `dyno certify`. */
const TARGETS: readonly ((random: Random) => number)[] = [
  (random) => 5 + exponential(random, 0.03),
  (random) => (random.unit() < 0.05 ? 50 : 2) + exponential(random, 0.03),
  (random) => logNormal(random, 8, 0.8),
  (random) => (random.unit() < 0.1 ? 300 * random.unit() : 5) + exponential(random, 0.03),
];

interface Machine {
  /** How long it takes to wake a thread, median, ms. */
  wakeMs: number;
  /** Share of delays that are longer for another reason, and their mean, ms. */
  stalls: number;
  stallMs: number;
}

interface Judged {
  said: number;
  truth: number;
  figure: OwnFigure;
}

/** One trial: of each figure of latency and service time what was measured, and the truth. */
function judged(
  random: Random,
  target: (random: Random) => number,
  { wakeMs, stalls, stallMs }: Machine,
  { requests, messages }: { requests: number; messages: number },
): Judged[] {
  const truth = createHistogram();
  const latency = createHistogram();
  const service = createHistogram();
  const lag = createHistogram();
  const held = createHistogram();
  const noticed = createHistogram();
  const stalled = (): number => (random.unit() < stalls ? exponential(random, stallMs) : 0);
  const woken = (): number => logNormal(random, wakeMs, 0.35) + stalled();
  for (let request = 0; request < requests; request += 1) {
    const own = target(random);
    const late = 0.02 + woken();
    // Some answers arrive while the thread naps: they wait for the rest of the nap instead of a thread that sleeps.
    const naps = random.unit() < 0.4;
    const heard = naps ? 0.02 + 0.1 * random.unit() : woken();
    const served = woken() + own + heard;
    recordMs(truth, own);
    recordMs(service, served);
    recordMs(latency, late + served);
    recordMs(lag, late);
    recordMs(held, naps ? 0.12 : 0);
  }
  for (let message = 0; message < messages; message += 1) recordMs(noticed, woken());
  const task = {
    task: 'search',
    offeredPerSecond: 200,
    service: summariseHistogram(service),
    latency: summariseHistogram(latency),
    serviceHistogram: encodeHistogram(service),
    latencyHistogram: encodeHistogram(latency),
    lagHistogram: encodeHistogram(lag),
  } as TaskSummary;
  const generator = {
    delays: { held: encodeHistogram(held), noticed: encodeHistogram(noticed) },
    machine: { busy: 0.2, own: 0.1, steal: 0, others: 0, full: 0, withTarget: true },
  } as GeneratorSummary;
  const known = summariseHistogram(truth);
  return ownShares(task, generator).flatMap(({ figures }) =>
    figures.map((figure) => ({ said: figure.ms, truth: known[figure.key]!, figure })),
  );
}

/** `wakeMs`: of each machine. */
function judgedOn(wakeMs: readonly number[], stalls: readonly number[], seed: number): Judged[] {
  const random = createRandom(seed);
  return wakeMs.flatMap((wake, place) =>
    stalls.flatMap((share) =>
      TARGETS.flatMap((target) => {
        const requests = place % 2 === 0 ? 1200 : 4000;
        const machine = { wakeMs: wake, stalls: share, stallMs: 10 * wake };
        return judged(random, target, machine, { requests, messages: requests / 4 });
      }),
    ),
  );
}

const isFarOff = ({ said, truth }: Judged): boolean => said - truth > 0.1 * truth;
const isRight = ({ said, truth }: Judged): boolean => Math.abs(said - truth) <= 0.01 * truth;
const isDoubted = ({ figure }: Judged): boolean => figure.doubted;
const text = ({ said, truth, figure: { key, ownMs } }: Judged): string =>
  `${key} ${said.toFixed(2)} of ${truth.toFixed(2)} ms, own ${ownMs.toFixed(2)} ms`;

/** Where the sum of all delays is near a tenth of 5 ms, on slow machines. */
const NEAR_A_TENTH = [0.12, 0.13, 0.14, 0.15, 0.16, 0.17, 0.18, 0.19, 0.2, 0.21, 0.22, 0.24];

test('no figure is off by more than a tenth without a doubt, also where it is off by little more', () => {
  const all = judgedOn(NEAR_A_TENTH, [0, 0.01], 1);
  const far = all.filter(isFarOff);
  expect(far.length).toBeGreaterThan(200);
  expect(far.filter((one) => !isDoubted(one)).map(text)).toEqual([]);
});

test('of figures that are right within 1%, at most 5% are doubted', () => {
  const right = judgedOn([0.05, 0.05, 0.1, 0.1, 0.15, 0.15], [0, 0.002, 0.005], 2).filter(isRight);
  expect(right.length).toBeGreaterThan(150);
  expect(right.filter(isDoubted).length).toBeLessThanOrEqual(0.05 * right.length);
});

test('what may be the instrument’s own in a percentile is hardly ever less than what it added', () => {
  // The longest request of all is left out: a single delay made it, which no sample of messages foretells.
  const all = judgedOn([0.05, 0.1, 0.15, 0.2], [0, 0.005], 3).filter(({ figure }) => figure.key !== 'max');
  const low = all.filter(({ said, truth, figure }) => figure.ownMs < 0.99 * (said - truth));
  expect(low.length).toBeLessThanOrEqual(0.01 * all.length);
});

test('a median of 5 ms is not doubted on a machine that adds little', () => {
  const all = judgedOn([0.04, 0.06, 0.08], [0, 0.005], 4);
  const medians = all.filter(({ truth, figure }) => figure.key === 'p50' && truth > 5 && truth < 6);
  expect(medians.length).toBeGreaterThan(20);
  expect(medians.filter(isDoubted).map(text)).toEqual([]);
});
