import { DynoError, type Problem } from '../problem';
import { extensionsOf, holdMs, holdTest, judgedMs, parseLimit, stepTest } from '../executors/highest-rate';
import { forBurnIn } from '../executors/registry';
import { makePlan } from './plan';
import { readDefinition } from './read';

const searching = (more: object = {}, search: object = {}): object => ({
  version: 1,
  name: 'test',
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'systembase' } },
      executor: { 'highest-rate': { start: 10, limits: ['latency.p99 < 500ms'], ...search } },
    },
  ],
  ...more,
});

function problemsOf(input: unknown): Problem[] {
  try {
    readDefinition(input);
    return [];
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    return [...error.problems];
  }
}

test('fills in defaults, and gives the search more time than a steady load', () => {
  const definition = readDefinition(searching());
  expect(definition.measure.duration).toBe('60m');
  expect(definition.tasks[0]!.executor['highest-rate']).toEqual({
    start: 10,
    limits: ['latency.p99 < 500ms'],
    grow: 1.5,
    settle: '5s',
    step: '15s',
    precision: 0.05,
    'max-clients': 256,
  });
  expect(readDefinition(definition)).toEqual(definition);
  expect(readDefinition(searching({ measure: { warmup: '1s' } })).measure.duration).toBe('60m');
  expect(readDefinition(searching({ measure: { duration: '4m' } })).measure.duration).toBe('4m');
});

test('only upper bounds on the task itself can be limits', () => {
  expect(parseLimit('latency.p99 < 500ms')).toMatchObject({ value: 500, operator: '<' });
  expect(parseLimit('rejection_rate <= 0.1%')).toMatchObject({ value: 0.001 });
  expect(parseLimit('throughput < 5')).toMatchObject({ message: 'throughput cannot be a limit' });
  expect(parseLimit('ingest.rejection_rate < 1%')).toMatchObject({
    message: 'no such metric: ingest.rejection_rate',
    allowed: expect.stringMatching(/^rejection_rate, /),
  });
  expect(parseLimit('latency.p99 > 500ms')).toMatchObject({ message: 'not an upper limit' });
  expect(parseLimit('top.latency.p99 < 5ms')).toMatchObject({ message: 'latency.p99 cannot be a limit' });
  expect(parseLimit('latency.p98 < 5ms')).toMatchObject({ message: 'no such metric: latency.p98' });
  expect(problemsOf(searching({}, { limits: ['accepted < 3', 'latency.p99 < soon'] }))).toMatchObject([
    { path: 'tasks[0].executor.highest-rate.limits[0]', message: 'accepted cannot be a limit' },
    { path: 'tasks[0].executor.highest-rate.limits[1]', message: 'not a value of latency.p99: soon' },
  ]);
});

test('refuses parts of the definition that do not apply to a search', () => {
  const [task] = (searching() as { tasks: object[] }).tasks;
  expect(problemsOf(searching({ measure: { documents: 5 } }))).toMatchObject([{ path: 'measure.documents' }]);
  expect(problemsOf(searching({ tasks: [task, { ...task, name: 'other' }] }))).toMatchObject([
    { path: 'tasks[1].executor.highest-rate' },
  ]);
  expect(problemsOf(searching({}, { max: 5 }))).toMatchObject([
    { path: 'tasks[0].executor.highest-rate.max', found: '5', allowed: 'at least 10' },
  ]);
  // Two settling phases, a step that needs 360 answers, and the hold.
  expect(problemsOf(searching({ measure: { duration: '346s' } }, { hold: '5m' }))).toMatchObject([
    { path: 'measure.duration', found: '"346s"', allowed: 'more than 346s' },
  ]);
  // The hold of this cell takes three refreshes.
  const slow = { 'index.settings.refresh_interval': ['1s', '120s'] };
  expect(problemsOf(searching({ measure: { duration: '6m' }, factors: slow }))[0]!.path).toContain(
    'refresh_interval=120s',
  );
});

test('a step is long enough that the absence of slow requests is not a coincidence', () => {
  const p99 = ['latency.p99 < 1s', 'error_rate < 1%'];
  expect(judgedMs(15_000, p99, 100, 0.05)).toBe(15_000);
  // 300 answers for a 5% error rate, 461 for 1%, plus a fifth.
  expect(judgedMs(15_000, p99, 1, 0.05)).toBe(360_000);
  expect(judgedMs(15_000, p99, 1, 0.01)).toBe(553_000);
  expect(judgedMs(15_000, ['service_time.p99.9 < 1s'], 40, 0.05)).toBe(90_000);
  expect(judgedMs(1000, ['latency.mean < 1s'], 10, 0.05)).toBe(1000);
  expect(problemsOf(searching({ measure: { duration: '15m' } }, { start: 1 }))).toMatchObject([
    { path: 'measure.duration', allowed: 'more than 923s' },
  ]);
});

test('an undecided step is repeated with a longer step, up to the length and the error rate of a hold', () => {
  const full = { stepMs: 15_000, holdMs: 300_000, limits: ['latency.p99 < 1s'] };
  expect(extensionsOf(full)).toBe(2);
  expect([0, 1, 2].map((extension) => stepTest(full, 100, extension))).toEqual([
    { judgedMs: 15_000, alpha: 0.05 },
    { judgedMs: 60_000, alpha: 0.05 },
    { judgedMs: 300_000, alpha: 0.01 },
  ]);
  // Each hold after a failed one is stricter.
  expect([0, 1, 2].map((failed) => holdTest(full, 100, failed).alpha)).toEqual([0.01, 0.005, 0.0025]);
  const short = { ...full, stepMs: 1000, holdMs: 2500 };
  expect(extensionsOf(short)).toBe(1);
  expect(stepTest(short, 1000, 1)).toEqual({ judgedMs: 2500, alpha: 0.01 });
  expect(extensionsOf({ ...full, holdMs: 5000 })).toBe(0);
});

test('runs at its first rate while there is no search yet', () => {
  const [task] = readDefinition(searching()).tasks;
  expect(forBurnIn(task!).executor).toEqual({ 'constant-rate': { rate: 10, 'max-clients': 256 } });
});

test('a hold takes five minutes, or a quarter of a short search, and at least three refreshes of the index', () => {
  const hold = (settings: object, measure: object = {}): number => {
    const definition = readDefinition(searching({ index: { settings }, measure }));
    return holdMs(definition, definition.tasks[0]!.executor['highest-rate']!);
  };
  expect(hold({})).toBe(300_000);
  expect(hold({}, { duration: '4m' })).toBe(60_000);
  expect(hold({ refresh_interval: '30s' }, { duration: '4m' })).toBe(90_000);
  expect(hold({ refresh_interval: '2m' })).toBe(360_000);
  expect(hold({ index: { refresh_interval: '3m' } })).toBe(540_000);
  expect(hold({ refresh_interval: -1 })).toBe(300_000);
});

test('the plan counts the longest time that a search may take, and says so', () => {
  const { estimate, cells } = makePlan(readDefinition(searching({ trials: 1 }, { max: 20 })));
  expect(estimate.ms).toBeGreaterThanOrEqual(60 * 60_000);
  expect(estimate.assumption).toContain('takes its longest time');
  // The estimate assumes the highest rate, in bulks of a thousand documents, during warm-up and search.
  expect(estimate.documents).toBeLessThanOrEqual(20 * 1000 * 3630);
  expect(cells).toHaveLength(1);
});

test('factors may vary a search, and replace another executor', () => {
  const path = 'tasks.ingest.executor.highest-rate.start';
  const definition = readDefinition(searching({ factors: { [path]: [1, 2] } }));
  const [, second] = makePlan(definition).cells;
  expect(second!.definition.tasks[0]!.executor['highest-rate']!.start).toBe(2);
});
