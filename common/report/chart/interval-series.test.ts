import { makeRun, REFRESH } from '../../analysis/testing/made-run';
import { buildReport } from '../model/build';
import type { Report } from '../model/report';
import { firstMetric, firstTask, intervalSeries, metricAxis, tooFewRequests } from './interval-series';

/** A report in which single trials have too few requests for a p99, and all trials of a cell together have `count`. */
function fewRequests(count = 1200): Report {
  const { run, trials } = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 100 } } }));
  const report = buildReport(run, trials);
  for (const trial of report.trials) for (const task of trial.tasks) task.latencyP99 = null;
  report.cells.forEach(({ tasks }, at) => {
    const [own] = tasks;
    own!.latencyP99 = { ...own!.latencyP99, n: 0, mean: null, interval: null, values: [] };
    own!.latency = { ...own!.latency, count, p99: count < 1000 ? null : 300 + at };
    own!.intervals.latency.p99 = count < 1000 ? null : { low: 250, high: 400 };
  });
  return report;
}

test('a percentile that no trial has is that of all requests of the cell, with its interval', () => {
  const [first, second] = intervalSeries(fewRequests(), 'ingest', 'p99');
  expect(first).toMatchObject({ mean: 300, low: 250, high: 400, values: [], pooled: true });
  expect(second).toMatchObject({ mean: 301, pooled: true });
});

test('all cells are shown alike: one trial with too few requests pools every cell', () => {
  const { run, trials } = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 100, p99: 200 } } }));
  const report = buildReport(run, trials);
  expect(intervalSeries(report, 'ingest', 'p99').some((cell) => cell?.pooled)).toBe(false);
  report.trials[0]!.tasks[0]!.latencyP99 = null;
  for (const { tasks } of report.cells) {
    tasks[0]!.latency.p99 = 210;
    tasks[0]!.intervals.latency.p99 = { low: 200, high: 230 };
  }
  const cells = intervalSeries(report, 'ingest', 'p99');
  expect(cells.every((cell) => cell!.pooled && cell!.mean === 210)).toBe(true);
  expect(cells.some((cell) => cell!.values.length > 0)).toBe(true);
});

test('where all requests are too few, the chart says how many it needs', () => {
  const report = fewRequests(640);
  expect(intervalSeries(report, 'ingest', 'p99').every((cell) => cell === null)).toBe(true);
  expect(tooFewRequests(report, 'ingest', 'p99')).toMatch(/p99 needs 1,000 in a cell\. .*640/);
  expect(tooFewRequests(report, 'ingest', 'throughput')).toBe('');
});

test('the axis of a rate begins at zero, that of a size is round in its unit', () => {
  const marks = [{ mean: 900, low: 850, high: 950, values: [] }];
  expect(metricAxis('throughput', marks)).toMatchObject({ fromZero: true, unit: 1, span: { min: 0 } });
  expect(metricAxis('ingest.latency.p99', marks).span.min).toBeGreaterThan(800);
  expect(metricAxis('p99', marks, { fromZero: true }).span.min).toBe(0);
  const mb = 1024 ** 2;
  expect(metricAxis('index.store_bytes', [{ mean: 30 * mb, low: null, high: null, values: [] }]).unit).toBe(
    mb,
  );
});

test('charts show the task and metric of the first claim first', () => {
  const find = { name: 'find', search: { set: 'azure-queries' as const } };
  const reportOf = (expect: string[]): Report => {
    const definition = { ...REFRESH, tasks: [...REFRESH.tasks, find], thresholds: [], expect };
    const { run, trials } = makeRun(definition as typeof REFRESH, () => ({
      tasks: { ingest: { rate: 100 }, find: { rate: 40, p99: 90 } },
    }));
    return buildReport(run, trials);
  };
  const shown = (claim?: string): string[] => {
    const report = reportOf(
      claim === undefined ? [] : [`${claim} stays with index.settings.refresh_interval`],
    );
    return [firstTask(report), firstMetric(report, firstTask(report))];
  };
  expect(shown('find.latency.p99')).toEqual(['find', 'p99']);
  expect(shown('find.latency.p95')).toEqual(['find', 'find.latency.p95']);
  expect(shown('find.throughput')).toEqual(['find', 'throughput']);
  expect(shown('ingest.rejection_rate')).toEqual(['ingest', 'rejections']);
  expect(shown('index.store_bytes')).toEqual(['ingest', 'throughput']);
  expect(shown()).toEqual(['ingest', 'throughput']);
  expect(firstMetric(reportOf([]), 'find')).toBe('throughput');
});
