import { createRandom } from '../random';
import type { CellFigures } from './blocks';
import { normals } from './blocked';
import { compareCells, type Comparison } from './comparison';
import { lookAt } from './looks';

/** Rows are repetitions, columns cells; null where a cell has stopped, or the trial failed. */
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

test('what is clear is said at the first look', () => {
  expect(compare(CLEAR).map(({ word, method }) => [word, method])).toEqual([
    ['higher', 'looks'],
    ['no difference within the margin', 'looks'],
  ]);
});

test('before the first look nothing is said, and why', () => {
  expect(compare(CLEAR.slice(0, 2))).toMatchObject([
    {
      word: 'undecided',
      reason: 'fewer than 3 repetitions are whole, and before that there is no look',
      interval: null,
    },
    { word: 'undecided' },
  ]);
});

test('an interval of many looks is wider than one of the same trials that are looked at once', () => {
  const width = (looks: { least: number; most: number }): number => {
    const [found] = lookAt(cellsOf(CLEAR), [[1, 0]], looks)!;
    return Math.log(found!.interval.high / found!.interval.low);
  };
  expect(width({ least: 3, most: 20 })).toBeGreaterThan(width({ least: 3, most: 8 }));
  expect(width({ least: 3, most: 8 })).toBeGreaterThan(1.2 * width({ least: 3, most: 3 }));
});

test('a cell that stopped keeps its word, and the others are compared by all of their trials', () => {
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

test('what one look has found no later look takes back', () => {
  const later = [
    [100, 100, 100],
    [100, 95, 100],
    [100, 101, 100],
  ];
  expect(compare([...CLEAR, ...later])[0]).toMatchObject({ word: 'higher' });
  const [found] = lookAt(cellsOf([...CLEAR, ...later]), [[1, 0]], LOOKS)!;
  expect(found!.interval.low).toBeGreaterThan(1);
});

test('a repetition that lacks a trial is no look', () => {
  const found = lookAt(cellsOf([...CLEAR, [100, null, 100], [100, 120, 100]]), [[1, 0]], LOOKS)!;
  expect(found[0]!.repetitions).toBe(4);
});

test('a figure without a logarithm gets no word, and why', () => {
  const [found] = compare([[0, 1, 1], ...CLEAR]);
  expect(found).toMatchObject({ word: 'undecided', method: 'none' });
  expect(found!.reason).toContain('the figure is 0 in some trial');
});

test('equal cells are called different at any of the looks in about 5% of runs', () => {
  const normal = normals(Math.floor(createRandom(14).unit() * 1e6));
  const runs = 400;
  let wrong = 0;
  for (let run = 0; run < runs; run += 1) {
    const rows = Array.from({ length: LOOKS.most }, () =>
      Array.from({ length: 4 }, () => 100 * Math.exp(0.03 * normal())),
    );
    if (compare(rows, 0).some(({ word }) => word === 'higher' || word === 'lower')) wrong += 1;
  }
  // 5% and three standard errors; looking each time at plain intervals of 95% is wrong in some 15%.
  expect(wrong / runs).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / runs));
  expect(wrong / runs).toBeGreaterThan(0.01);
});
