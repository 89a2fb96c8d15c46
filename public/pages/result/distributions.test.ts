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

  test('are those in the link if they exist, and never the same cell twice', () => {
    expect(chosenCells('1,0', cells, 0)).toEqual([1, 0]);
    expect(chosenCells('2,9', cells, 0)).toEqual([0, 3]);
    expect(chosenCells('1,1', cells, 0)).toEqual([1, 3]);
  });

  test('are one for a run with one cell, and none for a run without cells', () => {
    expect(chosenCells('', cells.slice(0, 1), 0)).toEqual([0]);
    expect(chosenCells('', [], 0)).toEqual([]);
  });

  test('have a table with the known percentiles', () => {
    const table = percentilesTable('t', cells.slice(0, 1), ['1s']);
    expect(table.columns.map(({ name }) => name)).toEqual(['cell', 'answers', 'p50', 'p99']);
    expect(table.rows[0]!.map(({ text }) => text)).toEqual(['1s', '1,234', '10 ms', '30.5 ms']);
  });
});
