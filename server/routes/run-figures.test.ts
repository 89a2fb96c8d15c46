import { makeRun, REFRESH } from '../../common/analysis/testing/made-run';
import { buildReport } from '../../common/report/model/build';
import { figuresOf } from './run-figures';

test('the last run is summarised by a task that its cells have, in the unit of that task', () => {
  const find = { name: 'find', search: { set: 'azure-queries' as const } };
  const { run, trials } = makeRun(
    {
      ...REFRESH,
      expect: [],
      thresholds: [],
      factors: [{ tasks: [find] }, { tasks: [find, { ...find, name: 'other' }] }],
    },
    () => ({ tasks: { find: { rate: 40 } } }),
  );
  const { task, unit, cells } = figuresOf(run, trials);
  expect({ task, unit, cells: cells.length }).toEqual({ task: 'find', unit: 'searches/s', cells: 2 });
});

test('it agrees with the report', () => {
  const { run, trials } = makeRun(REFRESH, ({ index }) => ({
    tasks: { ingest: { rate: 1000 + index * 50 } },
  }));
  const report = buildReport(run, trials);
  expect(figuresOf(run, trials).cells).toEqual(
    report.cells.map(({ label, baseline, tasks }) => {
      const { mean, interval } = tasks[0]!.throughput;
      return { label, baseline, mean, low: interval!.low, high: interval!.high };
    }),
  );
});

test('it shows the metric of the first claim, or the throughput if no trial has that metric', () => {
  const search = { name: 'find', search: { set: 'azure-queries' as const } };
  const definition = {
    ...REFRESH,
    tasks: [...REFRESH.tasks, search],
    thresholds: [],
    expect: ['find.latency.p99 falls with index.settings.refresh_interval'],
  };
  const made = (p99: number | undefined) =>
    makeRun(definition as typeof REFRESH, () => ({
      tasks: { ingest: { rate: 1000 }, find: { rate: 40, ...(p99 === undefined ? {} : { p99 }) } },
    }));
  const { run, trials } = made(120);
  const figures = figuresOf(run, trials);
  expect(figures).toMatchObject({ metric: 'find.latency.p99', task: 'find', unit: 'searches/s' });
  expect(figures.cells.every(({ mean }) => mean > 0)).toBe(true);
  for (const trial of trials) for (const task of trial.tasks) task.latency.p99 = null;
  expect(figuresOf(run, trials)).toMatchObject({ metric: 'find.throughput', task: 'find' });
});
