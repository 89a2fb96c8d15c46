import { chosenCells, percentilesTable } from './distributions';

const cells = [0, 1, 3].map((index) => ({
  cell: index,
  label: `cell ${index}`,
  count: 1234,
  percentiles: [
    { percentile: 50, ms: 10 },
    { percentile: 99, ms: 30.5 },
  ],
  buckets: [],
}));

describe('the two distributions side by side', () => {
  test('are by default the baseline and the last other cell', () => {
    expect(chosenCells('', cells, 0)).toEqual([0, 3]);
    expect(chosenCells('', cells, 3)).toEqual([3, 1]);
  });

  test('are those of the link where they exist, and never one cell twice', () => {
    expect(chosenCells('1,0', cells, 0)).toEqual([1, 0]);
    expect(chosenCells('2,9', cells, 0)).toEqual([0, 3]);
    expect(chosenCells('1,1', cells, 0)).toEqual([1, 3]);
  });

  test('of a run with one cell there is one, of none none', () => {
    expect(chosenCells('', cells.slice(0, 1), 0)).toEqual([0]);
    expect(chosenCells('', [], 0)).toEqual([]);
  });

  test('as a table hold the percentiles that are known', () => {
    const table = percentilesTable('t', cells.slice(0, 1), ['1s']);
    expect(table.columns.map(({ name }) => name)).toEqual(['cell', 'answers', 'p50', 'p99']);
    expect(table.rows[0]!.map(({ text }) => text)).toEqual(['1s', '1,234', '10 ms', '30.5 ms']);
  });
});
