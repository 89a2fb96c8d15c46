import { buildReport } from '../../../common/report/model/build';
import { makeRun, REFRESH, refreshRun } from '../../../common/analysis/testing/made-run';
import type { Table } from '../../../common/report/tables/table';
import { comparisonTable, latencyTable, throughputTable } from '../../../common/report/tables/task';
import { indexTable } from '../../../common/report/tables/server';
import { firstMetric } from '../../../common/report/chart/interval-series';
import { cellColumns, usualColumns } from './cell-columns';
import { cellRows, sortedRows } from './cell-rows';
import { cellsCsv } from './cell-csv';

const { run, trials } = refreshRun();
const report = buildReport(run, trials);
const rows = cellRows(report, 'ingest');
const columns = cellColumns(report, 'ingest', 'throughput');

const shown = (id: string): string[] =>
  rows.map(({ cell, task }) => columns.find((column) => column.id === id)!.show(cell, task!).text);
/** Table of response times, without the rows of latencies, which are corrected for coordinated omission. */
const latencies: Table = latencyTable(report, 'ingest');
latencies.rows = latencies.rows.filter((row) => row[1]!.text === 'response time');

const namesIn = (table: Table, name: string): string[] =>
  table.rows.map((row) => row[table.columns.findIndex((column) => column.name === name)]!.text);

describe('the table of cells', () => {
  test.each([
    ['mean', throughputTable(report, 'ingest'), 'mean'],
    ['interval', throughputTable(report, 'ingest'), '95% interval'],
    ['best', throughputTable(report, 'ingest'), 'best trial'],
    ['cv', throughputTable(report, 'ingest'), 'CV'],
    ['p50', latencies, 'p50'],
    ['p99', latencies, 'p99'],
    ['max', latencies, 'max'],
    ['p99found', latencies, 'p99 against the baseline'],
    ['shards', indexTable(report)!, 'with replicas'],
  ])('%s says what the report says', (id, table, name) => expect(shown(id)).toEqual(namesIn(table, name)));

  test('the comparison has the words of the report, and the baseline is named', () => {
    const table = comparisonTable(report, 'ingest')!;
    expect(shown('change')).toEqual(['baseline', ...namesIn(table, 'change')]);
    expect(shown('changes')).toEqual(['', ...namesIn(table, '95% interval')]);
    expect(shown('found')).toEqual(['', ...namesIn(table, 'found')]);
  });

  test('is sorted by value and not by text, and cells without a value stay last', () => {
    const silent = [{ ...rows[0]!, task: null }, ...rows];
    expect(sortedRows(silent, columns, 'mean', true).map(({ name, task }) => (task ? name : ''))).toEqual([
      '30s',
      '5s',
      '1s',
      '',
    ]);
    expect(sortedRows(silent, columns, 'name', false).map(({ name }) => name)).toEqual([
      '1s',
      '1s',
      '5s',
      '30s',
    ]);
    expect(sortedRows(rows, columns, '', false)).toEqual(rows);
  });

  test('a cluster metric in a claim is shown and written as in the report', () => {
    const claimed = makeRun(
      { ...REFRESH, expect: ['cluster.gc falls with index.settings.refresh_interval'] },
      () => ({ tasks: { ingest: { rate: 10_000, batch: 3000 } } }),
    );
    const made = buildReport(claimed.run, claimed.trials);
    const metric = firstMetric(made, 'ingest');
    expect(metric).toBe('cluster.gc');
    const own = cellColumns(made, 'ingest', metric);
    const usual = own.filter(({ id }) => usualColumns(own).includes(id));
    const [header, first] = cellsCsv('refresh_interval', usual, cellRows(made, 'ingest')).split('\n');
    expect(header!.split(',').slice(1, 8)).toEqual([
      'cluster.gc (share)',
      'cluster.gc 95% low (share)',
      'cluster.gc 95% high (share)',
      'cluster.gc ratio to baseline',
      'cluster.gc ratio 95% low',
      'cluster.gc ratio 95% high',
      'cluster.gc found',
    ]);
    expect(header).toContain('throughput mean (/s)');
    const figure = made.cluster.find((one) => one.metric === 'cluster.gc')!;
    expect(first!.split(',')[1]).toBe(String(figure.cells[0]!.summary.mean));
  });

  test('is exported with full precision', () => {
    const usual = columns.filter(({ id }) => usualColumns(columns).includes(id));
    const [header, first] = cellsCsv('refresh_interval', usual, rows).split('\n');
    expect(header!.split(',').slice(0, 4)).toEqual([
      'refresh_interval',
      'throughput mean (/s)',
      'throughput 95% low (/s)',
      'throughput 95% high (/s)',
    ]);
    expect(first!.split(',')[1]).toBe(String(rows[0]!.task!.throughput.mean));
  });
});
