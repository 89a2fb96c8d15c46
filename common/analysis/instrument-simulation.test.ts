/**
 * Tests the rule that flags percentiles to which the load generator may have added more than 10%. The trials are generated from known
 * response times and delays, so the true percentiles are known.
 *
 * As in a real trial, the rule gets only histograms: of the measured times, of how late requests were sent, and of how long answers waited
 * in the thread. It also gets a sample of how late messages were noticed.
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

/** Response times of the target itself, in ms. They are those of `dyno certify`. */
const TARGETS: readonly ((random: Random) => number)[] = [
  (random) => 5 + exponential(random, 0.03),
  (random) => (random.unit() < 0.05 ? 50 : 2) + exponential(random, 0.03),
  (random) => logNormal(random, 8, 0.8),
  (random) => (random.unit() < 0.1 ? 300 * random.unit() : 5) + exponential(random, 0.03),
];

interface Machine {
  /** Median time to wake a thread, in ms. */
  wakeMs: number;
  /** Share of delays that contain a stall: an additional long delay after the usual time to wake a thread. */
  stalls: number;
  /** Mean length of a stall (additional long delay), in ms. */
  stallMs: number;
}

interface Judged {
  measured: number;
  truth: number;
  figure: OwnFigure;
}

/** Returns the measured and the true value of each percentile of the latency and service time in one trial. */
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
    // Some answers arrive while the thread takes a short nap, and wait until the nap ends.
    const naps = random.unit() < 0.4;
    const noticed = naps ? 0.02 + 0.1 * random.unit() : woken();
    const served = woken() + own + noticed;
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
    figures.map((figure) => ({ measured: figure.ms, truth: known[figure.key]!, figure })),
  );
}

/** Judges trials on several machines. `wakeMs`: one value per machine, in ms. */
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

const isFarOff = ({ measured, truth }: Judged): boolean => measured - truth > 0.1 * truth;
const isRight = ({ measured, truth }: Judged): boolean => Math.abs(measured - truth) <= 0.01 * truth;
const isFlagged = ({ figure }: Judged): boolean => figure.flagged;
const text = ({ measured, truth, figure: { key, ownMs } }: Judged): string =>
  `${key} ${measured.toFixed(2)} of ${truth.toFixed(2)} ms, own ${ownMs.toFixed(2)} ms`;

/** Values of `wakeMs` for slow machines. The sum of all delays is then close to 10% of a response time of 5 ms, the limit for a warning. */
const NEAR_A_TENTH = [0.12, 0.13, 0.14, 0.15, 0.16, 0.17, 0.18, 0.19, 0.2, 0.21, 0.22, 0.24];

test('every percentile that is off by more than a tenth is flagged, even if by little more', () => {
  const all = judgedOn(NEAR_A_TENTH, [0, 0.01], 1);
  const far = all.filter(isFarOff);
  expect(far.length).toBeGreaterThan(200);
  expect(far.filter((one) => !isFlagged(one)).map(text)).toEqual([]);
});

test('of percentiles that are right within 1%, at most 5% are flagged', () => {
  const right = judgedOn([0.05, 0.05, 0.1, 0.1, 0.15, 0.15], [0, 0.002, 0.005], 2).filter(isRight);
  expect(right.length).toBeGreaterThan(150);
  expect(right.filter(isFlagged).length).toBeLessThanOrEqual(0.05 * right.length);
});

test('the time that the instrument may have added is hardly ever less than what it really added', () => {
  // The maximum is left out. A single delay causes it, and a sample of messages cannot predict a single delay.
  const all = judgedOn([0.05, 0.1, 0.15, 0.2], [0, 0.005], 3).filter(({ figure }) => figure.key !== 'max');
  const low = all.filter(({ measured, truth, figure }) => figure.ownMs < 0.99 * (measured - truth));
  expect(low.length).toBeLessThanOrEqual(0.01 * all.length);
});

test('a median of 5 ms is not flagged on a machine that adds little', () => {
  const all = judgedOn([0.04, 0.06, 0.08], [0, 0.005], 4);
  const medians = all.filter(({ truth, figure }) => figure.key === 'p50' && truth > 5 && truth < 6);
  expect(medians.length).toBeGreaterThan(20);
  expect(medians.filter(isFlagged).map(text)).toEqual([]);
});
