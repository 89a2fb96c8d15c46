import { buildReport } from '../../../common/report/model/build';
import { makeRun, REFRESH, refreshRun } from '../../../common/analysis/testing/made-run';
import type { Report } from '../../../common/report/model/report';
import { EVERY_CELL, factorsOf, factorView, parseFixed } from './factor-view';

const one = (): Report => {
  const { run, trials } = refreshRun();
  return buildReport(run, trials);
};

function made(factors: Record<string, unknown[]> | Record<string, unknown>[]): Report {
  const { run, trials } = makeRun({ ...REFRESH, expect: [], trials: 2, factors }, () => ({
    tasks: { ingest: { rate: 1000 } },
  }));
  return buildReport(run, trials);
}

describe('the view of factors', () => {
  test('one factor is on the x axis in its order, and durations are numbers', () => {
    const view = factorView(one());
    expect(view.places).toEqual({
      names: ['1s', '5s', '30s'],
      values: [1000, 5000, 30_000],
      title: 'refresh_interval',
    });
    expect(view.groups).toEqual(['']);
    expect(view.cells.map(({ x }) => x)).toEqual([0, 1, 2]);
  });

  const two = made({
    'index.settings.number_of_shards': [1, 3],
    'index.settings.refresh_interval': ['1s', '5s', '-1'],
  });

  test('of two factors, the one with more levels is on the x axis and the other one groups', () => {
    const view = factorView(two);
    expect(view.choice.x).toBe('index.settings.refresh_interval');
    expect(view.groups).toEqual(['number_of_shards 1', 'number_of_shards 3']);
    expect(view.cells).toHaveLength(6);
    expect(view.places.values).toBeNull();
  });

  test('the choice in a link is shown, as far as it exists', () => {
    const view = factorView(two, { x: 'index.settings.number_of_shards', by: 'no.such.factor' });
    expect(view.choice).toEqual({
      x: 'index.settings.number_of_shards',
      by: 'index.settings.refresh_interval',
      fixed: {},
    });
    expect(factorView(two, { x: EVERY_CELL }).cells).toHaveLength(6);
  });

  test('further factors have the level of the baseline until another one is chosen', () => {
    const report = made({
      'index.settings.number_of_shards': [1, 3, 5],
      'index.settings.refresh_interval': ['1s', '5s'],
      'index.settings.number_of_replicas': [0, 1],
    });
    const path = 'index.settings.number_of_replicas';
    expect(factorView(report).cells.map(({ cell }) => report.cells[cell]!.levels[path])).toEqual(
      Array(6).fill(0),
    );
    const other = factorView(report, { fixed: { [path]: '1' } });
    expect(other.cells.map(({ cell }) => report.cells[cell]!.levels[path])).toEqual(Array(6).fill(1));
  });

  test('without a second factor in the chart, all other factors are fixed', () => {
    const view = factorView(two, { x: 'index.settings.refresh_interval', by: '' });
    expect(view.choice.fixed).toEqual({ 'index.settings.number_of_shards': '1' });
    expect(view.cells).toHaveLength(3);
  });

  test('listed cells each have a place', () => {
    const report = made([
      { 'index.settings.number_of_shards': 1, 'index.settings.refresh_interval': '1s' },
      { 'index.settings.number_of_shards': 3, 'index.settings.refresh_interval': '5s' },
    ]);
    expect(factorView(report).choice.x).toBe(EVERY_CELL);
    expect(factorsOf(report)).toHaveLength(2);
  });

  test('a broken link fixes nothing', () => expect(parseFixed('{')).toEqual({}));
});
