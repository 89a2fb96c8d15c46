import { createHistogram, encodeHistogram, recordMs, summariseHistogram } from '../measurement/histogram';
import type { GeneratorSummary, TaskSummary } from '../measurement/trial';
import { ownShares, sayOthers, sayOwnShare, type OwnShare } from './instrument';

/** Returns a histogram of pairs `[ms, count]`. */
const of = (...values: [number, number][]) => {
  const histogram = createHistogram();
  for (const [ms, count] of values) for (let i = 0; i < count; i += 1) recordMs(histogram, ms);
  return histogram;
};
const encoded = (...values: [number, number][]): string => encodeHistogram(of(...values));

const task = (times: [number, number][], lag?: [number, number][]): TaskSummary =>
  ({
    task: 'search',
    offeredPerSecond: 2000,
    service: summariseHistogram(of(...times)),
    latency: summariseHistogram(of(...times)),
    serviceHistogram: encoded(...times),
    latencyHistogram: encoded(...times),
    ...(lag === undefined ? {} : { lagHistogram: encoded(...lag) }),
  }) as TaskSummary;

const generator = (held: [number, number][], more: Partial<GeneratorSummary> = {}): GeneratorSummary =>
  ({ delays: { held: encoded(...held), noticed: null }, ...more }) as GeneratorSummary;

const keys = (share: OwnShare | undefined, flagged = true): string[] =>
  share!.figures.filter((figure) => figure.flagged === flagged).map(({ key }) => key);

const ALWAYS_5: [number, number][] = [
  [5.1, 98_500],
  [12, 1400],
  [20, 100],
];

test('a percentile is flagged if the thread delayed enough answers by a tenth of it', () => {
  const [latency, service] = ownShares(
    task(ALWAYS_5),
    generator([
      [0.02, 98_500],
      [7, 1400],
      [15, 100],
    ]),
  );
  expect(keys(latency, false)).toEqual(['p50', 'p90', 'p95']);
  expect(keys(latency)).toEqual(['p99', 'p99_9', 'p99_99', 'max']);
  expect(keys(service)).toEqual(keys(latency));
  // If each of the slowest 1.5% waited as long as possible, 5.08 of 12 ms remain.
  expect(latency!.figures.find(({ key }) => key === 'p99')!.ownMs).toBeCloseTo(6.92, 1);
  expect(sayOwnShare(latency!)).toMatch(
    /^p99, p99\.9, p99\.99, max of latency \(reliable from 77 ms.* on\)$/,
  );
});

test('the same delays do not matter for longer times', () => {
  const [latency] = ownShares(
    task([
      [200, 99_000],
      [400, 1000],
    ]),
    generator([
      [0.02, 99_000],
      [15, 1000],
    ]),
  );
  expect(keys(latency)).toEqual([]);
  expect(sayOwnShare(latency!)).toBe('');
});

test('delays only add: equal times cannot come from delays of a few', () => {
  const [latency] = ownShares(
    task([[5, 10_000]]),
    generator([
      [0.02, 9000],
      [3, 1000],
    ]),
  );
  expect(keys(latency)).toEqual([]);
});

test('a percentile on a steep rise is flagged if rare delays are enough to move it', () => {
  // 10% of the requests take longer, and the thread may have delayed 3%. Without these, p90 is one of the fast times.
  const [latency] = ownShares(
    task([
      [5, 8900],
      [50, 1100],
    ]),
    generator([
      [0.02, 9700],
      [45, 300],
    ]),
  );
  expect(keys(latency)).toEqual(['p90']);
});

test('delays before sending are in the latency, not in the service time', () => {
  const late = task(
    [
      [5, 8900],
      [8, 1100],
    ],
    [
      [0.01, 8900],
      [3, 1100],
    ],
  );
  const [latency, service] = ownShares(late, generator([[0.02, 10_000]]));
  expect(keys(latency)).toEqual(['p90', 'p95', 'p99', 'p99_9', 'max']);
  expect(keys(service)).toEqual([]);
});

test('messages over loopback count even if the thread itself was never late', () => {
  const delays = { held: encoded([0.01, 10_000]), noticed: encoded([0.1, 920], [4, 80]) };
  const [latency] = ownShares(
    task([
      [5, 9400],
      [9, 600],
    ]),
    { delays } as GeneratorSummary,
  );
  expect(keys(latency, false)).toEqual(['p50', 'p90']);
});

const machine = { busy: 1, own: 0.2, steal: 0, others: 0.5, full: 1, withTarget: true };

test('if other work fills a machine that the target shares, every percentile is flagged', () => {
  const [latency] = ownShares(task([[5, 10_000]]), generator([[0.01, 10_000]], { machine }));
  expect(keys(latency, false)).toEqual([]);
  expect(sayOwnShare(latency!)).toBe('every percentile of latency');
  const apart = { ...machine, withTarget: false };
  const sound = ownShares(task([[5, 10_000]]), generator([[0.01, 10_000]], { machine: apart }));
  expect(keys(sound[0])).toEqual([]);
});

test('other work on the machine is reported with its steal time', () => {
  expect(sayOthers({ ...machine, steal: 0.2 })).toBe('50% of its cores, 20% of it stolen');
  expect(sayOthers({ ...machine, others: 0.05 })).toBe('');
  expect(sayOthers(undefined)).toBe('');
});

test('a trial of an older version without these values is not flagged', () => {
  expect(ownShares(task(ALWAYS_5), { limited: false } as GeneratorSummary)).toEqual([]);
  expect(ownShares(task(ALWAYS_5), null)).toEqual([]);
});
