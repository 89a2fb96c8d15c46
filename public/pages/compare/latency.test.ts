import type { Distribution } from '../../../common/api/runs';
import { cellInRuns, labelsOf } from './latency';

const run = (...labels: string[]): Distribution[] => [
  {
    task: 'search',
    cells: labels.map((label, cell) => ({ cell, label, count: 10, percentiles: [], buckets: [] })),
  },
];

test('cells are matched by label, those of most runs first', () => {
  const runs = [run('a', 'b'), run('b', 'c'), undefined];
  expect(labelsOf(runs, 'search')).toEqual(['b', 'a', 'c']);
  expect(cellInRuns(runs, 'search', 'b').map((cell) => cell?.cell ?? null)).toEqual([1, 0, null]);
  expect(labelsOf(runs, 'ingest')).toEqual([]);
});

test('runs of one cell each are matched in that cell, whatever its levels', () => {
  const runs = [run('shards=1'), run('shards=5')];
  expect(labelsOf(runs, 'search')).toEqual(['']);
  expect(cellInRuns(runs, 'search', '').every((cell) => cell !== null)).toBe(true);
});

test('a cell without responses is left out', () => {
  const empty = run('a', 'b');
  empty[0]!.cells[0]!.count = 0;
  expect(labelsOf([empty, run('a', 'b')], 'search')).toEqual(['b', 'a']);
});
