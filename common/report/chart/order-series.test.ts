import { buildReport } from '../model/build';
import { refreshRun } from '../../analysis/testing/made-run';
import { orderSeries } from './order-series';

test('trials stand in the order in which they ran, each also to the mean of its cell', () => {
  const { run, trials } = refreshRun();
  const report = buildReport(run, trials);
  const { points, x, y } = orderSeries(report, 'ingest');
  expect(points.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(x).toEqual({ min: 0.5, max: 9.5 });
  report.cells.forEach((_, at) => {
    const ratios = points.flatMap(({ cell, ratio }) => (cell === at ? [ratio!] : []));
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeCloseTo(1, 12);
  });
  expect(y.ratio.min).toBeLessThan(1);
  expect(y.ratio.max).toBeGreaterThan(1);
  expect(y.throughput.max).toBeGreaterThan(Math.max(...points.map(({ throughput }) => throughput!)));
});

test('a trial that did not complete has no figure, and says why', () => {
  const { run, trials } = refreshRun();
  trials[4]!.trial.state = 'failed';
  trials[4]!.trial.reason = 'the host went away';
  const [lost] = orderSeries(buildReport(run, trials), 'ingest').points.filter(({ order }) => order === 5);
  expect(lost).toMatchObject({
    throughput: null,
    ratio: null,
    lines: [{ label: 'failed', value: 'the host went away' }],
  });
});
