import { makeRun, REFRESH, refreshRun } from '../../analysis/testing/made-run';
import { buildReport } from '../model/build';
import { driftChart } from './drift';
import { orderSeries } from './order-series';

test('trials are in the order of execution, and compared with the mean of their cell', () => {
  const { run, trials } = refreshRun();
  const report = buildReport(run, trials);
  const { points, x, y } = orderSeries(report, 'ingest', 'throughput');
  expect(points.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(x).toEqual({ min: 0.5, max: 9.5 });
  report.cells.forEach((_, at) => {
    const ratios = points.flatMap(({ cell, ratio }) => (cell === at ? [ratio!] : []));
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeCloseTo(1, 12);
  });
  expect(y.ratio.min).toBeLessThan(1);
  expect(y.ratio.max).toBeGreaterThan(1);
  expect(y.value.max).toBeGreaterThan(Math.max(...points.map(({ value }) => value!)));
});

test('the trials and their drift show the requested metric', () => {
  const { run, trials } = makeRun(
    { ...REFRESH, expect: ['index.store_bytes stays with index.settings.refresh_interval'] },
    () => ({ tasks: { ingest: { rate: 9000, batch: 3000 } } }),
  );
  trials.forEach((trial, at) => (trial.index!.storeBytes = 1000 * 2 ** 20 + at * 2 ** 20));
  const report = buildReport(run, trials);
  const { points, words, y } = orderSeries(report, 'ingest', 'index.store_bytes');
  expect(words.title).toBe('Index store bytes');
  expect(points.map(({ value }) => value! / 2 ** 20 - 1000)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(y.value.unit).toBe(2 ** 20);
  expect(driftChart(report, 'ingest').caption).toMatch(/^Index store bytes of each trial/);
});

test('if no trial has the metric, they show the throughput', () => {
  const { run, trials } = refreshRun();
  const { metric, words } = orderSeries(buildReport(run, trials), 'ingest', 'cluster.iowait');
  expect([metric, words.title]).toEqual(['throughput', 'Ingest throughput']);
});

test('the only trial of a cell is not compared with itself', () => {
  const { run, trials } = makeRun({ ...REFRESH, trials: 1 }, () => ({ tasks: { ingest: { rate: 9000 } } }));
  const report = buildReport(run, trials);
  expect(orderSeries(report, 'ingest', 'throughput').points.map(({ ratio }) => ratio)).toEqual([
    null,
    null,
    null,
  ]);
  expect(driftChart(report, 'ingest').svg).toBe('');
});

test('a trial that did not complete has no value, but a reason', () => {
  const { run, trials } = refreshRun();
  trials[4]!.trial.state = 'failed';
  trials[4]!.trial.reason = 'the host went away';
  const { points } = orderSeries(buildReport(run, trials), 'ingest', 'throughput');
  expect(points[4]).toMatchObject({
    value: null,
    ratio: null,
    lines: [{ label: 'failed', value: 'the host went away' }],
  });
});
