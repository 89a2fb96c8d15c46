import { createRandom } from '../random';
import type { CellFigures } from './blocks';
import { normals } from './blocked';
import { compareCells, type Comparison } from './comparison';
import { lookAt } from './looks';

/**
 * Returns cells from rows. Rows are repetitions, columns are cells. A value is null if the trial failed, or if the cell had no more trials
 * because its comparisons were decided.
 */
const cellsOf = (rows: readonly (readonly (number | null)[])[]): CellFigures[] =>
  rows[0]!.map((_, cell) => ({
    environment: '',
    trials: rows.flatMap((row, repetition) => {
      const value = row[cell];
      return value == null ? [] : [{ value, repetition, order: repetition * row.length + cell }];
    }),
  }));

const LOOKS = { least: 3, most: 8 };

const compare = (rows: readonly (readonly (number | null)[])[], margin = 0.05): Comparison[] =>
  compareCells(
    cellsOf(rows),
    rows[0]!.slice(1).map((_, at) => [at + 1, 0] as const),
    { margin, order: 'interleaved', trials: { 'until-decided': LOOKS } },
  ).comparisons;

const CLEAR = [
  [100, 120, 100.5],
  [101, 120.4, 100.2],
  [99, 119.3, 99.5],
];

test('a clear difference is found at the first look', () => {
  expect(compare(CLEAR).map(({ word, method }) => [word, method])).toEqual([
    ['higher', 'looks'],
    ['no difference within the margin', 'looks'],
  ]);
});

test('before the first look the word is undecided, with a reason', () => {
  expect(compare(CLEAR.slice(0, 2))).toMatchObject([
    {
      word: 'undecided',
      reason: 'fewer than 3 repetitions are complete, and the first comparison needs that many',
      interval: null,
    },
    { word: 'undecided' },
  ]);
});

test('an interval of many looks is wider than that of a single look at the same trials', () => {
  const width = (looks: { least: number; most: number }): number => {
    const [found] = lookAt(cellsOf(CLEAR), [[1, 0]], looks)!;
    return Math.log(found!.interval.high / found!.interval.low);
  };
  expect(width({ least: 3, most: 20 })).toBeGreaterThan(width({ least: 3, most: 8 }));
  expect(width({ least: 3, most: 8 })).toBeGreaterThan(1.2 * width({ least: 3, most: 3 }));
});

test('a cell that stopped keeps its word, and the others are compared by all their trials', () => {
  const later = [
    [100, null, 104],
    [101, null, 96],
    [99, null, 101],
  ];
  const found = lookAt(cellsOf([...CLEAR, ...later]), [[1, 0], [2, 0]], LOOKS)!; // oxfmt-ignore
  const first = lookAt(cellsOf(CLEAR), [[1, 0], [2, 0]], LOOKS)!; // oxfmt-ignore
  expect(found[0]).toEqual(first[0]);
  expect(found.map((one) => one!.repetitions)).toEqual([3, 6]);
});

test('a later look does not revoke the result of an earlier one', () => {
  const later = [
    [100, 100, 100],
    [100, 95, 100],
    [100, 101, 100],
  ];
  expect(compare([...CLEAR, ...later])[0]).toMatchObject({ word: 'higher' });
  const [found] = lookAt(cellsOf([...CLEAR, ...later]), [[1, 0]], LOOKS)!;
  expect(found!.interval.low).toBeGreaterThan(1);
});

test('there is no look after a repetition in which a trial is missing', () => {
  const found = lookAt(cellsOf([...CLEAR, [100, null, 100], [100, 120, 100]]), [[1, 0]], LOOKS)!;
  expect(found[0]!.repetitions).toBe(4);
});

test('a value without a logarithm gives no word, but a reason', () => {
  const [found] = compare([[0, 1, 1], ...CLEAR]);
  expect(found).toMatchObject({ word: 'undecided', method: 'none' });
  expect(found!.reason).toContain('the metric is 0 in a trial');
});

test('equal cells are called different at any look in about 5% of runs', () => {
  const normal = normals(Math.floor(createRandom(14).unit() * 1e6));
  const runs = 400;
  let wrong = 0;
  for (let run = 0; run < runs; run += 1) {
    const rows = Array.from({ length: LOOKS.most }, () =>
      Array.from({ length: 4 }, () => 100 * Math.exp(0.03 * normal())),
    );
    if (compare(rows, 0).some(({ word }) => word === 'higher' || word === 'lower')) wrong += 1;
  }
  // The bound is 5% plus three standard errors. Plain 95% intervals after each repetition would be wrong in about 15% of runs.
  expect(wrong / runs).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs));
  expect(wrong / runs).toBeGreaterThan(0.01);
});
