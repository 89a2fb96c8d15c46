import { readDefinition } from '../experiment/read';
import { simulateRun, START, TARGET } from './testing/simulated-target';
import { goalFigure, parseLimit, usualLimits } from './goal';
import { candidatesOf, KNOBS, withFlatSettings, type KnobContext } from './knobs';
import { planTuning, withTrials } from './plan';
import { readRequest, tuningOptionsSchema } from './tuning';

const planted = {
  ...START,
  index: {
    ...START.index,
    settings: { index: { number_of_shards: 20, refresh_interval: '100ms' }, number_of_replicas: 1 },
  },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'apache-logs' as const }, bulk: { docs: 10 } },
      executor: { 'constant-clients': { clients: 2 } },
    },
  ],
};
const context = (
  changes: Partial<KnobContext> = {},
  input: Parameters<typeof readDefinition>[0] = planted,
): KnobContext => ({
  definition: withFlatSettings(readDefinition(input)),
  goal: 'throughput',
  target: TARGET,
  allow: [],
  freshnessMs: 30_000,
  measuredMs: 60_000,
  ...changes,
});
const why = (of: KnobContext, title: RegExp, value = ''): string | undefined =>
  candidatesOf(of).untried.find((one) => title.test(one.title) && one.value === value)?.why;

test('the worst settings are tried first: bulks of 10, a refresh every 100 ms, 20 shards', () => {
  const { candidates } = candidatesOf(context());
  expect(
    candidates
      .slice(0, 3)
      .map(({ knob }) => knob)
      .sort(),
  ).toEqual(['bulk', 'refresh', 'shards']);
  expect(new Set(candidates.map(({ id }) => id)).size).toBe(candidates.length);
});

test('one value of each knob comes before a second value of any', () => {
  const { candidates } = candidatesOf(context());
  const knobs = candidates.map(({ knob }) => knob);
  expect(new Set(knobs.slice(0, new Set(knobs).size)).size).toBe(new Set(knobs).size);
});

test('settings that reduce safety are tried only if they are allowed', () => {
  expect(why(context(), /translog is written/, 'async')).toMatch(/--allow durability/);
  expect(why(context(), /Replicas of/, '0')).toMatch(/--allow copies/);
  const allowed = candidatesOf(context({ allow: ['durability', 'copies'] })).candidates;
  expect(allowed.map(({ id }) => id)).toEqual(expect.arrayContaining(['durability: async', 'replicas: 0']));
});

test('no refresh interval is tried that is too long for the freshness or for a trial', () => {
  expect(why(context({ freshnessMs: 5000 }), /Refresh/, '30s')).toMatch(/searchable within 5s/);
  expect(why(context({ measuredMs: 9000 }), /Refresh/, '5s')).toMatch(/with fewer than 2 such refreshes/);
});

test('settings that Serverless manages are not tried', () => {
  const serverless = context({ target: { ...TARGET, serverless: true } });
  expect(why(serverless, /Primary shards/)).toBe('Serverless manages it');
});

test('every knob has its costs and the source of its expected gain', () => {
  expect(KNOBS.every(({ costs, source, helps }) => costs !== '' && source !== '' && helps.length > 0)).toBe(
    true,
  );
});

const definition = readDefinition(START);

test('limits are relative to the start, or conditions; others are rejected with the allowed form', () => {
  expect(parseLimit('queries.latency.p95 at most +10%', definition)).toMatchObject({
    kind: 'relative',
    most: 1.1,
  });
  expect(parseLimit('ingest.throughput at least -5%', definition)).toMatchObject({ least: 0.95 });
  expect(parseLimit('queries.latency.p95 < 200ms', definition)).toMatchObject({ kind: 'absolute' });
  expect(parseLimit('shop.latency.p95 at most +10%', definition)).toMatchObject({
    message: 'no task is named “shop”',
  });
  expect(parseLimit('fast', definition)).toMatchObject({ message: 'is not a limit' });
});

test('the goal search-p95 needs searches, and the goal cost needs a price', () => {
  expect(goalFigure('search-p95', readDefinition(planted))).toMatch(/no task searches/);
  expect(goalFigure('cost', definition)).toMatch(/price/);
  expect(usualLimits('throughput', definition)).toEqual(['queries.latency.p95 at most +10%']);
});

test('the goal cost uses the price of the environment, unless another one is given', () => {
  const priced = (price: string): typeof definition =>
    readDefinition({ ...START, environment: { price, nodes: '3' } });
  const [trial] = simulateRun('run', definition, { cv: 0, drift: 0, throughput: () => 1 }, 1, 0).trials;
  const cost = (of: typeof definition, hour?: number): number | null => {
    const prices = hour === undefined ? undefined : { hour, gigabyteMonth: 0, months: 1 };
    const figure = goalFigure('cost', of, prices);
    if (typeof figure === 'string') throw new Error(figure);
    return figure.read({ ...trial!, server: null });
  };
  const cluster = cost(priced('36 EUR per hour, 2026-11-01'))!;
  // 10,000 documents per second are 36 million per hour.
  expect(cluster).toBeCloseTo(1, 6);
  expect(cost(priced('36 EUR per hour and node, 2026-11-01'))).toBeCloseTo(3 * cluster, 6);
  expect(cost(priced('36 EUR per hour, 2026-11-01'), 72)).toBeCloseTo(2 * cluster, 6);
  expect(goalFigure('cost', priced('premium'))).toMatch(/price of the cluster .* is missing/);
});

test('metrics of the cluster can be limits', () => {
  expect(parseLimit('cluster.heap at most +10%', definition)).toMatchObject({ kind: 'relative', most: 1.1 });
});

test('a time that is too short is rejected with the time that is needed', () => {
  const options = tuningOptionsSchema.parse({ goal: 'throughput', time: '1m' });
  const request = withTrials(readRequest(definition, options, []));
  expect(() => planTuning(request, TARGET)).toThrow(/even one candidate takes about/);
});

test('a plan stays within its time, and more time tries more', () => {
  const plan = (time: string): ReturnType<typeof planTuning> =>
    planTuning(
      withTrials(readRequest(definition, tuningOptionsSchema.parse({ goal: 'throughput', time }), [])),
      TARGET,
    );
  expect(plan('15m').ms).toBeLessThanOrEqual(15 * 60_000);
  expect(plan('15m').candidates.length).toBeGreaterThan(plan('8m').candidates.length);
  expect(
    plan('8m')
      .untried.map(({ why: reason }) => reason)
      .join(' '),
  ).toMatch(/there is time for/);
});
