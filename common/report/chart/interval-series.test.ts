import { makeRun, REFRESH } from '../../analysis/testing/made-run';
import type { DefinitionInput } from '../../experiment/definition';
import type { TrialDocument } from '../../measurement/trial';
import { buildReport } from '../model/build';
import type { Report } from '../model/report';
import {
  firstMetric,
  firstTask,
  intervalSeries,
  metricAxis,
  metricWords,
  tooFewRequests,
  type MetricName,
} from './interval-series';
import { intervalsChart } from './intervals';
import { orderSeries } from './order-series';

/** Returns a report in which a single trial has too few requests for a p99. All trials of a cell together have `count` requests. */
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

test('one trial with too few requests makes every cell show all its requests', () => {
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

test('if all requests are too few, the chart says how many it needs', () => {
  const report = fewRequests(640);
  expect(intervalSeries(report, 'ingest', 'p99').every((cell) => cell === null)).toBe(true);
  expect(tooFewRequests(report, 'ingest', 'p99')).toMatch(/p99 needs 1,000 in a cell\. .*640/);
  expect(tooFewRequests(report, 'ingest', 'throughput')).toBe('');
});

test('the axis of a rate begins at zero, that of a size has round numbers of its unit', () => {
  const marks = [{ mean: 900, low: 850, high: 950, values: [] }];
  expect(metricAxis('throughput', marks)).toMatchObject({ fromZero: true, unit: 1, span: { min: 0 } });
  expect(metricAxis('ingest.latency.p99', marks).span.min).toBeGreaterThan(800);
  expect(metricAxis('p99', marks, { fromZero: true }).span.min).toBe(0);
  const mb = 1024 ** 2;
  expect(metricAxis('index.store_bytes', [{ mean: 30 * mb, low: null, high: null, values: [] }]).unit).toBe(
    mb,
  );
});

const FIND: DefinitionInput['tasks'][number] = {
  name: 'find',
  search: { requests: [{ name: 'Top 15', body: { query: { match_all: {} } } }] },
  executor: { 'constant-clients': { clients: 1 } },
};

/** Returns a report with two tasks. Its first claim is about `metric`. `change`: changes its trials. */
function claimed(
  metric: string | undefined,
  change: (trial: TrialDocument) => void = () => undefined,
): Report {
  const expect = metric === undefined ? [] : [`${metric} stays with index.settings.refresh_interval`];
  const { run, trials } = makeRun(
    { ...REFRESH, tasks: [...REFRESH.tasks, FIND], thresholds: [], expect },
    () => ({ tasks: { ingest: { rate: 100 }, find: { rate: 40, medianMs: 90 } } }),
  );
  trials.forEach((trial) => {
    const { latency, service, serviceHistogram, latencyHistogram } = trial.tasks[1]!;
    trial.tasks[1]!.requests = {
      'Top 15': { count: latency.count, failed: 0, service, latency, serviceHistogram, latencyHistogram },
    };
    change(trial);
  });
  return buildReport(run, trials);
}

const shownFirst = (report: Report): string[] => [firstTask(report), firstMetric(report, firstTask(report))];

test.each([
  ['find.latency.p99', ['find', 'p99']],
  ['find.latency.p95', ['find', 'find.latency.p95']],
  ['find.throughput', ['find', 'throughput']],
  ['find.top-15.latency.p99', ['find', 'find.top-15.latency.p99']],
  ['find.top-15.error_rate', ['find', 'find.top-15.error_rate']],
  ['ingest.rejection_rate', ['ingest', 'rejections']],
  ['ingest.unsent', ['ingest', 'ingest.unsent']],
  ['index.store_bytes', ['ingest', 'index.store_bytes']],
  ['index.bytes_per_document', ['ingest', 'index.bytes_per_document']],
  ['cluster.gc', ['ingest', 'cluster.gc']],
  [undefined, ['ingest', 'throughput']],
])('a claim about %s decides what charts show first, in every cell with every trial', (metric, shown) => {
  const report = claimed(metric);
  expect(shownFirst(report)).toEqual(shown);
  const [task, first] = shown as [string, MetricName];
  const cells = intervalSeries(report, task, first);
  expect(cells.map((cell) => cell?.trials.length)).toEqual([3, 3, 3]);
  expect(orderSeries(report, task, first).metric).toBe(first);
  expect(intervalsChart(report, task).svg).toContain(
    `${metricWords(metric ?? 'ingest.throughput', report, 'docs/s').title} by cell`,
  );
  expect(firstMetric(report, task === 'find' ? 'ingest' : 'find')).toBe('throughput');
});

test('the throughput replaces a metric that no trial has', () => {
  expect(shownFirst(claimed('cluster.iowait'))).toEqual(['ingest', 'throughput']);
  expect(shownFirst(claimed('find.other.latency.p99'))).toEqual(['find', 'throughput']);
});

test('a percentile of one request that no trial has is that of all its requests', () => {
  const report = claimed('find.top-15.latency.p99', (trial) => {
    const own = trial.tasks[1]!.requests['Top 15']!;
    own.latency = { ...own.latency, p99: null };
  });
  expect(shownFirst(report)).toEqual(['find', 'find.top-15.latency.p99']);
  for (const { tasks } of report.cells)
    tasks[1]!.requests = [
      { name: 'Top 15', count: 1200, failed: 0, service: null, latency: { ...tasks[1]!.latency, p99: 300 } },
    ];
  expect(intervalSeries(report, 'find', 'find.top-15.latency.p99')[0]).toMatchObject({
    mean: 300,
    pooled: true,
  });
  for (const { tasks } of report.cells)
    tasks[1]!.requests[0]!.latency = { ...tasks[1]!.latency, p99: null, count: 640 };
  expect(tooFewRequests(report, 'find', 'find.top-15.latency.p99')).toMatch(
    /p99 needs 1,000 in a cell\. .*640/,
  );
});
