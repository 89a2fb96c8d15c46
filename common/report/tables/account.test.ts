import { findPreset } from '../../presets';
import { accountTable } from './account';

const heads = ({ columns }: ReturnType<typeof accountTable>): string[] => columns.map(({ name }) => name);
const texts = ({ rows }: ReturnType<typeof accountTable>): string[][] =>
  rows.map((row) => row.map(({ text }) => text));

test('the table of a published benchmark has a row for each cell', () => {
  const table = accountTable(findPreset('azure-shards')!.published);
  expect(heads(table)).toEqual(['number_of_shards', 'bulks/s', 'documents in 2 hours', 'primaries by node']);
  expect(texts(table)[0]).toEqual(['4', '31.6', '227,360,412', '1-1-0-1-1-0']);
});

test('many metrics of few cells are rows, with the labels of the environment', () => {
  const table = accountTable(findPreset('azure-queries-only-replicas')!.published);
  expect(heads(table)).toEqual(['machine, number_of_replicas', 'DS4, 1', 'DS4, 2', 'DS14, 1', 'DS14, 2']);
  expect(texts(table)[0]).toEqual(['queries in 90 minutes', '7,369', '7,966', '12,872', '12,002']);
  expect(texts(table)[1]).toEqual(['ms of Count By Rating', '4,489', '4,079', '1,927', '2,330']);
});
