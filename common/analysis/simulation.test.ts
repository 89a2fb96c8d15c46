/** Simulations that check the statistics: 95% intervals contain the truth in 95% of cases. */
import { normal } from './testing/made-run';
import { createRandom } from '../random';
import type { CellFigures } from './blocks';
import { compareFamily, wordsOfCells, type Word } from './comparison';
import { meanInterval, ratioInterval } from './interval';

const draw = (random: ReturnType<typeof createRandom>, n: number, mean: number, cv: number): number[] =>
  Array.from({ length: n }, () => mean * (1 + cv * normal(random)));

/** Returns the share of `rounds` in which `round` returns true. */
const share = (rounds: number, round: () => boolean): number => {
  let hits = 0;
  for (let i = 0; i < rounds; i += 1) if (round()) hits += 1;
  return hits / rounds;
};

describe('the interval of a mean', () => {
  test.each([2, 3, 5, 8])('covers the true mean of normal data in 95 of 100 cases with %i trials', (n) => {
    const random = createRandom(n);
    const covered = share(4000, () => {
      const { low, high } = meanInterval(draw(random, n, 10_000, 0.05))!;
      return low <= 10_000 && 10_000 <= high;
    });
    expect(covered).toBeGreaterThan(0.94);
    expect(covered).toBeLessThan(0.96);
  });

  test.each([10, 20])('covers it about as well when bootstrapped with %i trials', (n) => {
    const random = createRandom(n);
    const covered = share(1000, () => {
      const { low, high } = meanInterval(draw(random, n, 10_000, 0.05))!;
      return low <= 10_000 && 10_000 <= high;
    });
    expect(covered).toBeGreaterThan(0.93);
    expect(covered).toBeLessThan(0.97);
  });
});

describe('the interval of a ratio', () => {
  test.each([
    [3, 0.05, 0.05],
    [3, 0.02, 0.1],
    [5, 0.05, 0.05],
    [8, 0.2, 0.1],
  ])('covers the true ratio in about 95 of 100 cases with %i trials of variation %f and %f', (n, a, b) => {
    const random = createRandom(n * 7);
    const covered = share(4000, () => {
      const { low, high } = ratioInterval(draw(random, n, 12_000, a), draw(random, n, 10_000, b))!;
      return low <= 1.2 && 1.2 <= high;
    });
    expect(covered).toBeGreaterThan(0.935);
    expect(covered).toBeLessThan(0.99);
  });

  test('covers it about as well when bootstrapped with 12 trials', () => {
    const random = createRandom(12);
    const covered = share(1000, () => {
      const { low, high } = ratioInterval(draw(random, 12, 12_000, 0.1), draw(random, 12, 10_000, 0.1))!;
      return low <= 1.2 && 1.2 <= high;
    });
    expect(covered).toBeGreaterThan(0.93);
    expect(covered).toBeLessThan(0.975);
  });
});

describe('the words of a family', () => {
  test.each([3, 5])(
    'name a difference between five equal cells in at most 5 of 100 runs with %i trials each',
    (n) => {
      const random = createRandom(n * 31);
      const wrong = share(1000, () => {
        const [baseline, ...others] = Array.from({ length: 5 }, () => draw(random, n, 10_000, 0.05));
        return compareFamily(
          others.map((values) => ({ values, against: baseline! })),
          0.05,
        ).some(({ word }) => word === 'higher' || word === 'lower');
      });
      expect(wrong).toBeLessThan(0.055);
    },
  );

  test('call a cell equal that differs by twice the margin in at most 5 of 100 runs', () => {
    const random = createRandom(5);
    const wrong = share(1000, () => {
      const baseline = draw(random, 5, 10_000, 0.03);
      const others = [1.1, 1.1, 1.1, 1.1].map((ratio) => draw(random, 5, 10_000 * ratio, 0.03));
      return compareFamily(
        others.map((values) => ({ values, against: baseline })),
        0.05,
      ).some(({ word }) => word === 'no difference within the margin' || word === 'lower');
    });
    expect(wrong).toBeLessThan(0.05);
  });

  test('nearly always find a difference of 25% between cells with little noise, with three trials each', () => {
    const random = createRandom(6);
    const found = share(1000, () => {
      const baseline = draw(random, 3, 10_000, 0.02);
      const others = [1, 1.25].map((ratio) => draw(random, 3, 10_000 * ratio, 0.02));
      return (
        compareFamily(
          others.map((values) => ({ values, against: baseline })),
          0.05,
        )[1]!.word === 'higher'
      );
    });
    expect(found).toBeGreaterThan(0.9);
  });
});

describe('the words of cells that were measured in turn, under a drift of 10%', () => {
  /** Generates four cells with three trials each. The values of the second cell are higher by the fraction `effect` (0.1 means 10%). */
  const measured = (random: ReturnType<typeof createRandom>, effect: number): CellFigures[] => {
    const cells = Array.from({ length: 4 }, (): CellFigures => ({ environment: '', trials: [] }));
    for (let order = 0; order < 12; order += 1) {
      const repetition = Math.floor(order / 4);
      const cell = (order + repetition) % 4;
      const factor = (cell === 1 ? 1 + effect : 1) * (1 - (0.1 * order) / 12) * (1 + 0.02 * normal(random));
      cells[cell]!.trials.push({ value: 10_000 * factor, repetition, order });
    }
    return cells;
  };
  const wordsOf = (cells: CellFigures[], margin: number): Word[] =>
    wordsOfCells(
      cells,
      [1, 2, 3].map((cell) => [cell, 0] as const),
      { margin, order: 'interleaved', trials: 3 },
    );

  test('name a difference between equal cells in about 5 of 100 runs at most', () => {
    const random = createRandom(14);
    const wrong = share(1000, () =>
      wordsOf(measured(random, 0), 0).some((word) => word === 'higher' || word === 'lower'),
    );
    expect(wrong).toBeLessThan(0.07);
  });

  test('find a difference of 5% in about a third of them, where two samples find it in one of a hundred', () => {
    const random = createRandom(15);
    const runs = Array.from({ length: 500 }, () => measured(random, 0.05));
    const found = runs.filter((cells) => wordsOf(cells, 0.05)[0] === 'higher').length / runs.length;
    expect(found).toBeGreaterThan(0.28);
  });
});
