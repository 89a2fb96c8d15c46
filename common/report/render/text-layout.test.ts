import { cell, type Table } from '../tables/table';
import { layTable } from './text-layout';

const TABLE: Table = {
  title: 'Made',
  note: '',
  columns: [
    { name: 'refresh_interval', align: 'left' },
    { name: 'difference', align: 'right' },
    { name: 'found', align: 'left' },
    { name: 'p', align: 'right' },
  ],
  rows: [[cell('a-long-level-of-it'), cell('+11,706'), cell('undecided', 'warning'), cell('0.21')]],
};
const linesAt = (width: number): string[] => layTable(TABLE, width, (text) => text);

test('a table that is too wide shortens names, and keeps its verdict whole', () => {
  const lines = linesAt(42);
  expect(lines.join('\n')).toMatch(/\S…\S.*\+11,706 {2}undecided {2}0\.21/);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(42);
});

test('a table that is still too wide leaves other columns out before its verdict', () => {
  const text = linesAt(22).join('\n');
  expect(text).toContain('undecided');
  expect(text).not.toContain('0.21');
});
