import { blocksOfCells, type CellFigures } from './blocks';
import { varianceParts } from './blocked';
import { compareCells, type Comparison } from './comparison';
import { studentQuantile } from './student';

/** Returns cells interleaved as in a plan. Rows are repetitions, columns are cells. */
const cellsOf = (rows: readonly (readonly (number | null)[])[], environment = ''): CellFigures[] =>
  rows[0]!.map((_, cell) => ({
    environment,
    trials: rows.flatMap((row, repetition) => {
      const value = row[cell];
      const place = (((cell - repetition) % row.length) + row.length) % row.length;
      return value == null ? [] : [{ value, repetition, order: repetition * row.length + place }];
    }),
  }));

const compare = (
  rows: readonly (readonly (number | null)[])[],
  order: 'interleaved' | 'sequential' = 'interleaved',
): Comparison[] =>
  compareCells(
    cellsOf(rows),
    rows[0]!.slice(1).map((_, at) => [at + 1, 0] as const),
    { margin: 0.02, order, trials: rows.length },
  ).comparisons;

/** In the second repetition, all cells are much slower. */
const SLOWER = [
  [100, 101, 99, 106],
  [70, 69.65, 70.84, 75.25],
  [101, 101.5, 100.8, 105.95],
];

describe('cells that were measured in turn', () => {
  test('are distinguished although the repetitions differ more than they do', () => {
    const found = compare(SLOWER);
    expect(found.map(({ word }) => word)).toEqual(['undecided', 'undecided', 'higher']);
    expect(found[2]).toMatchObject({ method: 'pooled', n: 3, family: 3 });
    // The expected value is the ratio of the geometric means.
    expect(found[2]!.ratio).toBeCloseTo(((106 * 75.25 * 105.95) / (100 * 70 * 101)) ** (1 / 3), 2);
    expect(found[2]!.difference).toBeCloseTo(((100 + 70 + 101) / 3) * (found[2]!.ratio! - 1), 6);
    expect(found[2]!.adjusted!.low).toBeGreaterThan(1);
    expect(found[2]!.adjusted!.low).toBeLessThan(found[2]!.interval!.low);
  });

  test('give the same result in another unit', () => {
    const scaled = compare(SLOWER.map((row) => row.map((value) => value * 1000)));
    expect(scaled.map(({ ratio }) => ratio)).toEqual(
      compare(SLOWER).map(({ ratio }) => expect.closeTo(ratio!, 9)),
    );
  });

  test('get no word but a reason if they ran one after another', () => {
    for (const { word, reason, adjusted, method } of compare(SLOWER, 'sequential')) {
      expect({ word, adjusted, method }).toEqual({ word: 'undecided', adjusted: null, method: 'none' });
      expect(reason).toContain('order: sequential');
    }
  });

  test('lose the repetition in which a trial is missing, and report it', () => {
    const five = [...SLOWER, [99, 98.9, 99.6, 104.8], [100.4, null, 100, 103]];
    const found = compare(five);
    expect(found[2]).toMatchObject({ n: 5, word: 'higher' });
    // The fifth repetition is left out, because the second cell has no trial in it.
    expect(found[2]!.ratio).toBeCloseTo(
      ((106 * 75.25 * 105.95 * 104.8) / (100 * 70 * 101 * 99)) ** (1 / 4),
      2,
    );
    expect(found[1]!.reason).toContain('1 of 5 repetitions were left out because a trial is missing');
  });

  test('are each judged by their own error if one varies ten times as much', () => {
    const noisy = [1.3, 0.75, 1.2, 0.8, 1.15, 0.7].map((factor, repetition) => [
      100 + repetition,
      (103 + repetition) * (1 + (repetition % 2) / 1000),
      100.2 + repetition,
      100 * factor,
    ]);
    const [quiet, , wild] = compare(noisy);
    expect(quiet).toMatchObject({ method: 'paired', word: 'higher' });
    expect(wild).toMatchObject({ method: 'paired', word: 'undecided' });
  });

  test('are compared as two samples if there are only two with three trials, or if a value is 0', () => {
    expect(compare(SLOWER.map((row) => row.slice(0, 2)))[0]!.method).toBe('apart');
    expect(compare([...SLOWER, [100, 100, 101, 107]].map((row) => row.slice(0, 2)))[0]!.method).toBe(
      'paired',
    );
    expect(compare(SLOWER.map(([first, ...rest]) => [first!, ...rest.slice(1), 0]))[0]!.method).toBe('apart');
  });

  test('are not paired across two environments', () => {
    const cells = cellsOf(SLOWER).map((cell, at) => ({ ...cell, environment: at < 2 ? 'a' : 'b' }));
    const { comparisons } = compareCells(cells, [[2, 0]], { margin: 0.02, order: 'interleaved', trials: 3 });
    expect(comparisons[0]!.method).toBe('apart');
  });
});

test('an undecided comparison says how many trials would show the observed difference, and how many a difference of the margin', () => {
  const [first] = compare([
    [100, 108, 95],
    [112, 99, 104],
    [93, 105, 110],
  ]);
  expect(first!.reason).toMatch(
    /^the trials vary too much; about \d+ trials of each cell would show a difference as large as this one in 80% of runs, about \d+ one of 2%$/,
  );
});

test('without a margin it says how many would show the observed difference', () => {
  const rows = [
    [100, 128, 75],
    [125, 130, 122],
  ];
  const { comparisons } = compareCells(cellsOf(rows), [[1, 0]], {
    margin: 0,
    order: 'interleaved',
    trials: 2,
  });
  expect(comparisons[0]!.reason).toMatch(
    /^the trials vary too much; about \d+ trials of each cell would show a difference as large as this one in 80% of runs$/,
  );
});

describe('the variation of a metric', () => {
  test('is split into its parts, and an outlier is named', () => {
    const rows = Array.from({ length: 6 }, (_, repetition) =>
      [100, 120, 144].map(
        (mean, cell) => mean * (repetition % 2 === 0 ? 1 : 1.1) * (1 + 0.001 * ((repetition * cell) % 3)),
      ),
    );
    rows[4]![1]! *= 0.9;
    const parts = varianceParts(blocksOfCells(cellsOf(rows))!)!;
    expect(parts.cell).toBeCloseTo(0.18, 1);
    expect(parts.repetition).toBeCloseTo(0.05, 1);
    expect(parts.rest).toBeLessThan(0.04);
    expect(parts.farOut.map(({ order }) => order)).toContain(12);
    expect(Math.max(...parts.farOut.map(({ away }) => Math.abs(away)))).toBeCloseTo(0.06, 1);
  });

  test('shows the effect of the place within a repetition', () => {
    const cells = 4;
    const rows = Array.from({ length: 5 }, (_, repetition) =>
      Array.from({ length: cells }, (_unused, cell) => {
        const place = (((cell - repetition) % cells) + cells) % cells;
        return 100 * 0.97 ** place * (1 + 0.002 * ((cell * 7 + repetition * 3) % 5));
      }),
    );
    const { place } = varianceParts(blocksOfCells(cellsOf(rows))!)!;
    expect(place).toMatchObject({ found: true });
    expect(place!.slope).toBeCloseTo(Math.log(0.97), 2);
  });

  test('is unknown if a value is 0 and has no logarithm', () => {
    expect(
      blocksOfCells(
        cellsOf([
          [1, 0],
          [1, 2],
        ]),
      ),
    ).toBeNull();
  });
});

describe('with more than 95% confidence', () => {
  const at = (rows: readonly (readonly number[])[], level?: number): Comparison[] =>
    compareCells(
      cellsOf(rows),
      rows[0]!.slice(1).map((_, place) => [place + 1, 0] as const),
      { margin: 0.02, order: 'interleaved', trials: rows.length },
      level,
    ).comparisons;
  const PAIRS = [
    [100, 108],
    [90, 99],
    [95, 103],
    [101, 106],
    [98, 107],
  ];

  test('intervals of two cells are wider by the ratio of the t quantiles', () => {
    const reach = ({ interval, ratio }: Comparison): number => Math.log(interval!.high / ratio!);
    const [usual, more] = [at(PAIRS)[0]!, at(PAIRS, 0.975)[0]!];
    expect(usual).toEqual(at(PAIRS, 0.95)[0]);
    expect(more.interval!.level).toBe(0.975);
    expect(reach(more) / reach(usual)).toBeCloseTo(
      studentQuantile(1 - 0.025 / 2, 4) / studentQuantile(1 - 0.05 / 2, 4),
      9,
    );
    expect(more.word).toBe('higher');
    // The difference is significant at 95%, but not at 99.9999%.
    expect(at(PAIRS, 0.999999)[0]!.word).toBe('undecided');
  });

  test('intervals of several cells are wider', () => {
    expect(at(SLOWER)[2]!.word).toBe('higher');
    expect(at(SLOWER, 0.99)[2]!.adjusted!.low).toBeLessThan(at(SLOWER, 0.95)[2]!.adjusted!.low);
  });

  test('a run that ends when it is decided has no word', () => {
    const [found] = compareCells(
      cellsOf(PAIRS),
      [[1, 0]],
      { margin: 0.02, order: 'interleaved', trials: { 'until-decided': { least: 3, most: 6 } } as never },
      0.975,
    ).comparisons;
    expect(found).toMatchObject({ word: 'undecided', method: 'none' });
    expect(found!.reason).toContain('only 95%');
  });
});
