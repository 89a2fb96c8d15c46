import { define, normal, REFRESH } from '../analysis/testing/made-run';
import { createRandom } from '../random';
import { causeLines, sayMoved, type Cause } from './cause';
import { analyseRuns, buildHistory, partOf, type HistoryChange } from './history';
import { madeHistoryRuns, type Planted } from './testing/made-history';

const experiment = { id: 'searches', name: 'Searches' };
const P95 = { metrics: ['search.latency.p95'] };

/**
 * Simulates a history in which the second combination of factor levels is 20% slower from run 20 on. `planted`: further simulated changes.
 */
const slower = (planted: Partial<Planted> = {}): Planted => ({
  runs: 30,
  factor: (run, cell) => (run >= 20 && cell === 1 ? 1.2 : 1),
  ...planted,
});

const changeOf = (planted: Partial<Planted>): HistoryChange => {
  const { changes } = buildHistory({ experiment, runs: madeHistoryRuns(slower(planted)) }, P95);
  expect(changes).toHaveLength(1);
  return changes[0]!;
};
const causeOf = (planted: Partial<Planted>): Cause => changeOf(planted).cause;

test('a change lists the last good run, the first bad one and the differences between them', () => {
  const cause = causeOf({
    place: (run) => ({ Elasticsearch: run >= 20 ? '9.5.3' : '9.5.2', Dyno: '1' }),
  });
  expect(cause.good).toEqual({ run: 'run-19', at: '2026-11-20T02:00:00.000Z' });
  expect(cause.bad).toEqual({ run: 'run-20', at: '2026-11-21T02:00:00.000Z' });
  expect(cause.differs).toEqual([
    { of: 'place', what: 'Elasticsearch', before: '9.5.2', after: '9.5.3', often: false },
  ]);
  expect(causeLines(cause)[0]).toBe('Changed in the same run: Elasticsearch 9.5.2 → 9.5.3.');
});

test('changes at other runs do not count, and a change without recorded differences says so', () => {
  const cause = causeOf({ place: (run) => ({ Elasticsearch: run >= 12 ? '9.5.3' : '9.5.2' }) });
  expect(cause.differs).toEqual([]);
  expect(causeLines(cause)[0]).toBe('Nothing that is recorded changed in the same run.');
});

test('values that change in most runs come after values that changed rarely, and are marked', () => {
  const cause = causeOf({
    place: (run) => ({ cluster: `bench (${run})`, Dyno: run >= 20 ? '2' : '1' }),
  });
  expect(cause.differs.map(({ what, often }) => [what, often])).toEqual([
    ['Dyno', false],
    ['cluster', true],
  ]);
  expect(causeLines(cause)[0]).toBe('Changed in the same run: Dyno 1 → 2; changes in most runs: cluster.');
});

test('for a long trait, only the differing parts are shown', () => {
  const nodes = (jvm: string): string => `JVM ${jvm}, heap 8 GB, 8 cores, 16 GB, ssd, Linux 6.8, data master`;
  const { differs } = causeOf({ place: (run) => ({ nodes: nodes(run >= 20 ? '25.0.2' : '25.0.1') }) });
  expect(differs).toEqual([
    { of: 'place', what: 'nodes', before: 'JVM 25.0.1', after: 'JVM 25.0.2', often: false },
  ]);
});

test('for a definition, the paths are shown with both values once its runs are read', () => {
  const runs = madeHistoryRuns(slower({ definition: (run) => (run >= 20 ? '2' : '1') }));
  const before = define(REFRESH);
  const after = define({
    ...REFRESH,
    index: { ...REFRESH.index, settings: { number_of_shards: 5, number_of_replicas: 1 } },
  });
  const analysed = partOf({ experiment, judged: analyseRuns(runs), cluster: undefined }, P95);
  expect(analysed.asked.definitions).toEqual(['run-19', 'run-20']);
  expect(analysed.build().changes[0]!.cause.differs).toEqual([
    { of: 'definition', what: 'definition', before: null, after: null, often: false },
  ]);
  const definitions = new Map([
    ['run-19', before],
    ['run-20', after],
  ]);
  expect(analysed.build({ definitions }).changes[0]!.cause.differs).toEqual([
    { of: 'definition', what: 'index.settings.number_of_shards', before: '3', after: '5', often: false },
  ]);
});

test('a definition that changed only in another cell is not a difference of this cell', () => {
  const runs = madeHistoryRuns({
    runs: 30,
    factor: (run, cell) => (run >= 20 && cell === 0 ? 1.2 : 1),
    definition: (run) => (run >= 20 ? '2' : '1'),
  });
  const { changes } = buildHistory({ experiment, runs }, P95);
  expect(changes.map(({ label }) => label)).toEqual(['number_of_shards=1']);
  expect(changes[0]!.cause.differs).toEqual([]);
});

test('warnings that begin with the change are shown, those that come and go are not', () => {
  const cause = causeOf({
    warnings: (run) => [
      { kind: 'generator-limited', shares: [0, run >= 20 ? 1 : 0] },
      { kind: 'machine-shared', shares: [0, run % 3 === 0 ? 1 / 3 : 0] },
    ],
  });
  expect(cause.differs).toEqual([
    {
      of: 'trials',
      what: 'the load generator was the limit',
      before: '0% of trials',
      after: '100% of trials',
      often: false,
    },
  ]);
});

test('cluster metrics that moved with a change come first, those that did not are marked', () => {
  const { moved, looked } = causeOf({ merges: (run) => (run >= 20 ? 56 : 40) });
  expect(looked).toEqual({ before: 20, after: 10 });
  expect(moved.map(({ metric, moved: isMoved }) => [metric, isMoved])).toEqual([
    ['cluster.merges.count', true],
    ['cluster.cpu', false],
  ]);
  const [merges, cpu] = moved;
  expect(merges!.ratio).toBeCloseTo(1.4, 1);
  expect(merges!.interval!.low).toBeGreaterThan(1.35);
  expect(sayMoved(merges!)).toMatch(/^merges \+(39|40|41)% \[\+\d+%, \+\d+%\]$/);
  expect(cpu!.ratio).toBeCloseTo(1, 1);
});

test('a metric that moved at another run did not move with the change', () => {
  const early = causeOf({ merges: (run) => (run >= 8 ? 56 : 40) });
  expect(early.moved.filter(({ moved }) => moved)).toEqual([]);
  expect(causeLines(early)[1]).toMatch(/^No metric of the cluster changed with it\. Unchanged: merges /);
});

test('a metric that was 0 before a change is shown without a ratio', () => {
  const { moved } = causeOf({ merges: (run) => (run >= 20 ? 12 : 0) });
  expect(moved[0]).toMatchObject({ metric: 'cluster.merges.count', ratio: null, moved: true });
  expect(sayMoved(moved[0]!)).toMatch(/^merges 0 → 12(\.0)? \[\+1\d(\.\d+)?, \+1\d(\.\d+)?\]$/);
});

test('cluster metrics are requested only for runs around the changes, and other runs do not count', () => {
  const runs = madeHistoryRuns(slower({ runs: 100, merges: (run) => (run >= 20 ? 56 : 40) }));
  const bare = runs.map((run) => ({ ...run, cluster: [] }));
  const analysed = partOf({ experiment, judged: analyseRuns(bare), cluster: undefined }, P95);
  expect(analysed.asked.clusters).toEqual(runs.slice(0, 50).map(({ run }) => run));
  expect(analysed.build().changes[0]!.cause).toMatchObject({ moved: [], looked: { before: 0, after: 0 } });
  const clusters = new Map(runs.map(({ run, cluster }) => [run, cluster]));
  expect(analysed.build({ clusters }).changes[0]!.cause).toEqual(
    buildHistory({ experiment, runs }, P95).changes[0]!.cause,
  );
});

test('steady cluster metrics are rarely reported as moved, however noisy they are', () => {
  // With 200 changes and two metrics each, one false report in 100 changes is expected.
  let count = 0;
  for (let seed = 0; seed < 200; seed += 1) {
    const random = createRandom(seed);
    const merges = Array.from({ length: 24 }, () => 40 * Math.exp(0.15 * normal(random)));
    count += causeOf({ runs: 24, merges: (run) => merges[run]! }).moved.filter(({ moved }) => moved).length;
  }
  expect(count).toBeLessThanOrEqual(6);
});
