import { makeRun } from '../../analysis/testing/made-run';
import type { DefinitionInput } from '../../experiment/definition';
import type { IndexState } from '../../measurement/server';
import { buildReport } from '../model/build';
import { fieldsTable, indexTable } from './server';
import { withoutEmptyColumns, type Table } from './table';

const input: DefinitionInput = {
  version: 1,
  name: 'modes',
  tasks: [{ name: 'ingest', ingest: { source: { generator: 'apache-logs' } } }],
  factors: { 'index.settings.mode': ['standard', 'logsdb'] },
  trials: 3,
};

const state = (more: Partial<IndexState>): IndexState => ({
  docs: 1000,
  storeBytes: 200_000,
  segments: 1,
  primaries: '1',
  shards: '1',
  ...more,
});

function reportOf(own: (cell: number) => Partial<IndexState>) {
  const { run, trials } = makeRun(input, () => ({ tasks: { ingest: { rate: 100 } } }));
  for (const trial of trials) trial.index = state(own(trial.cell.index));
  return buildReport(run, trials);
}

const texts = (table: Table): string[][] => table.rows.map((row) => row.map(({ text }) => text));

const SYNTHETIC = { mode: 'logsdb', source: 'synthetic' };
const STANDARD = { mode: 'standard', source: 'stored' };

it('shows bytes per document, the actual modes and whether segments were merged', () => {
  const report = reportOf((cell) =>
    cell === 0 ? { modes: STANDARD, merged: 1 } : { modes: SYNTHETIC, merged: 1, storeBytes: 80_000 },
  );
  const table = withoutEmptyColumns(indexTable(report)!);
  expect(texts(table).map((row) => row.slice(3, 7))).toEqual([
    ['200 B', '1', 'standard', 'stored'],
    ['80 B', '1', 'logsdb', 'synthetic'],
  ]);
  expect(table.note).toContain('after a merge of each shard into at most 1 segment');
  expect(report.warnings.join()).not.toContain('synthetic');
});

it('flags trials whose source is not synthetic although the definition asks for it', () => {
  const report = reportOf((cell) => ({ modes: cell === 0 ? STANDARD : { ...SYNTHETIC, source: 'stored' } }));
  expect(report.warnings.join('\n')).toMatch(
    /The source of the documents was not synthetic in 3 of 6 trials \(.*\): mode: logsdb was requested, but it is stored\./,
  );
  expect(indexTable(report)!.note).toContain('without a forced merge');
});

it('has no columns for modes that older results lack', () => {
  const heads = withoutEmptyColumns(indexTable(reportOf(() => ({})))!).columns.map(({ name }) => name);
  expect(heads).toContain('per document');
  expect(heads).not.toContain('index mode');
});

it('names the largest fields, if the definition asks for bytes by field', () => {
  const report = reportOf((cell) => (cell === 0 ? { fields: { message: 90_000, _id: 10_000 } } : {}));
  expect(texts(fieldsTable(report)!)).toEqual([
    ['standard', 'message', '90 B', '45%'],
    ['standard', '_id', '10 B', '5%'],
  ]);
  expect(fieldsTable(reportOf(() => ({})))).toBeNull();
});
