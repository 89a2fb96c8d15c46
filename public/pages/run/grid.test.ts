import type { TrialBrief } from '../../../common/api/runs';
import type { StoredPlan } from '../../../common/experiment/plan';
import { makeRun, REFRESH } from '../../../common/analysis/testing/made-run';
import type { TaskDefinition } from '../../../common/experiment/definition';
import { writtenMetric } from '../../../common/measurement/metric';
import { gridMetric, gridOf, tasksInCell, trialInView } from './grid';

const PLAN: StoredPlan = {
  cells: ['1s', '30s'].map((level, index) => ({
    index,
    id: level,
    label: `refresh=${level}`,
    levels: { refresh: level },
  })),
  baseline: 0,
  trials: [
    { order: 0, cell: 0, repetition: 0 },
    { order: 1, cell: 1, repetition: 0 },
    { order: 2, cell: 1, repetition: 1 },
    { order: 3, cell: 0, repetition: 1 },
  ],
  estimate: { ms: 0, documents: 0, bytes: 0, assumption: '' },
};

const INGEST = { task: 'ingest', figure: 'throughput' };

const trial = (order: number, state: TrialBrief['state'], throughput = 0): TrialBrief => {
  const { cell, repetition } = PLAN.trials[order % 4]!;
  const started = new Date(order * 60_000).toISOString();
  return {
    id: `t${order}`,
    order,
    cell,
    repetition,
    state,
    reason: '',
    started,
    warmup: started,
    measure: null,
    drain: null,
    ended: null,
    tasks: [
      { task: 'ingest', unit: 'docs/s', throughput, rejectionRate: 0, latencyP50: null, latencyP99: null },
    ],
    focus: null,
    doubts: [],
  };
};

describe('the grid of a run', () => {
  it('has a row for each cell and a square for each repetition, planned until it begins', () => {
    const rows = gridOf(PLAN, [trial(0, 'completed'), trial(1, 'running')], INGEST);
    expect(rows.map(({ squares }) => squares.map(({ state }) => state))).toEqual([
      ['completed', 'planned'],
      ['running', 'planned'],
    ]);
    expect(rows[0]!.squares[1]!.order).toBe(3);
    expect(rows.map(({ baseline }) => baseline)).toEqual([true, false]);
  });

  it('distinguishes completed trials from those that could not be verified', () => {
    const [row] = gridOf(PLAN, [{ ...trial(0, 'completed', 9), unverified: 'not counted' }], INGEST);
    expect(row!.squares[0]!.state).toBe('unverified');
    expect(row!.mean).toBe(9);
  });

  it('shows the newest trial of each square, and counts the others', () => {
    const [row] = gridOf(PLAN, [trial(0, 'interrupted'), trial(4, 'completed')], INGEST);
    expect(row!.squares[0]).toMatchObject({ state: 'completed', earlier: 1 });
  });

  it('averages the throughput of completed trials only', () => {
    const trials = [trial(1, 'completed', 100), trial(2, 'failed', 900)];
    const rows = gridOf(PLAN, trials, INGEST);
    expect(rows[1]).toMatchObject({ mean: 100, unit: 'docs/s' });
    expect(rows[0]!.mean).toBeNull();
  });
});

describe('the trial of the heat map', () => {
  const trials = [trial(0, 'completed'), trial(1, 'running'), trial(2, 'completed')];

  it('is the chosen one', () => expect(trialInView(trials, 't0')?.id).toBe('t0'));
  it('else the running one', () => expect(trialInView(trials, '')?.id).toBe('t1'));
  it('else the last one', () => expect(trialInView([trials[0]!, trials[2]!], '')?.id).toBe('t2'));
  it('else no trial', () => expect(trialInView([], 'gone')).toBeNull());
});

test('the tasks of a cell are those of its levels', () => {
  const find = { name: 'find', search: { set: 'azure-queries' } };
  const pay = { name: 'pay', transaction: { set: 'azure-queries' } };
  const { run } = makeRun(
    { ...REFRESH, expect: [], thresholds: [], factors: { tasks: [[find], [pay]] } },
    () => ({
      tasks: {},
    }),
  );
  const names = (cell: number | undefined): string[] => tasksInCell(run, cell).map(({ name }) => name);
  expect([names(0), names(1), names(undefined)]).toEqual([['find'], ['pay'], ['find']]);
});

describe('the metric of the grid', () => {
  const tasks = [{ name: 'ingest' }, { name: 'find' }] as TaskDefinition[];
  const claims = (metric: string): Parameters<typeof gridMetric>[0] => ({
    tasks,
    expect: [`${metric} falls with index.settings.number_of_shards`],
  });
  const withFocus = (focus: number | null): TrialBrief[] => [{ ...trial(0, 'completed', 100), focus }];

  it.each([
    'find.latency.p99',
    'find.latency.p95',
    'find.top-15.latency.p99',
    'index.store_bytes',
    'cluster.merges.count',
  ])('is %s where the first claim is about it, and some trial has it', (name) => {
    const metric = gridMetric(claims(name), withFocus(90));
    expect(writtenMetric(metric)).toBe(name);
    expect(gridOf(PLAN, withFocus(90), metric)[0]).toMatchObject({ mean: 90 });
  });

  it('is the throughput of the task if no trial has the metric, and without a claim', () => {
    expect(gridMetric(claims('find.latency.p99'), withFocus(null))).toMatchObject({
      task: 'find',
      figure: 'throughput',
    });
    const metric = gridMetric({ tasks, expect: [] }, withFocus(100));
    expect(metric).toMatchObject(INGEST);
    expect(gridOf(PLAN, withFocus(100), metric)[0]).toMatchObject({ mean: 100, unit: 'docs/s' });
  });

  it('omits a trial without the metric', () => {
    const both = [...withFocus(90), { ...trial(3, 'completed', 500), focus: null }];
    expect(gridOf(PLAN, both, gridMetric(claims('find.latency.p99'), both))[0]).toMatchObject({ mean: 90 });
  });
});
