/**
 * Measures the errors of the analysis with simulated runs whose true values are known. Counts runs in which a cell (combination of factor
 * levels) is called higher or lower although all are equal ("false words"). Also counts how often a real difference is found ("power").
 *
 * Dyno's own functions analyse the runs. For comparison, a simple analysis does too (Welch's t-test with Holm's correction). Random numbers
 * are seeded.
 */
import type { CellFigures } from '../../common/analysis/blocks';
import type { CellPair } from '../../common/analysis/blocked';
import { compareFamily, wordsOfCells, type Word } from '../../common/analysis/comparison';
import { createRandom, deriveSeed } from '../../common/random';
import type { Row } from './table';

const FAMILIES = 2000;
/** Number of simulated runs for the simple analysis, which is slow. */
const PLAIN_FAMILIES = 400;
const CELLS = [2, 3, 4, 5, 6, 7, 8, 9];
const TRIALS = [3, 5, 8];
const CV = 0.02;
/**
 * Smallest relative difference that counts when power is measured. It is the default in definitions. When false differences are counted,
 * every difference counts.
 */
const MARGIN = 0.05;
const ALLOWED = 0.05;
/**
 * Number of standard errors by which the highest share in a table may exceed 5%. A table has many shares, and one of them is usually well
 * above 5% by chance.
 */
const STANDARD_ERRORS = 3;

export interface Trial {
  cell: number;
  repetition: number;
  /** Start of the trial within the run, as a fraction of the run in [0, 1). */
  time: number;
  order: number;
}

/** Draws a number from the standard normal distribution. */
export type Normal = () => number;

/**
 * Returns a simulated value for each trial of a run, relative to the true mean. `normal`: draws a standard normal number. `unit`: draws a
 * random number in [0, 1).
 */
export type Noise = (trials: readonly Trial[], cells: number, normal: Normal, unit: () => number) => number[];

const independent =
  (factor: (trial: Trial, unit: number, trials: number) => number): Noise =>
  (trials, _, normal, unit) => {
    const chance = unit();
    return trials.map((trial) => factor(trial, chance, trials.length) * (1 + CV * normal()));
  };

const unequal =
  (isNoisy: (cell: number, noisy: number) => boolean): Noise =>
  (trials, cells, normal, unit) => {
    const noisy = Math.floor(unit() * cells);
    return trials.map(({ cell }) => Math.max(0.01, 1 + (isNoisy(cell, noisy) ? 0.1 : 0.01) * normal()));
  };

export const NOISES: Record<string, Noise> = {
  normal: independent(() => 1),
  'log-normal, sigma 0.3': (trials, _, normal) => trials.map(() => Math.exp(0.3 * normal())),
  'drift of 10%': independent(({ time }) => 1 - 0.1 * time),
  'AR(1), 0.7': (trials, _, normal) => {
    let state = normal();
    return trials.map(() => {
      const factor = Math.exp(CV * state);
      state = 0.7 * state + Math.sqrt(1 - 0.49) * normal();
      return factor;
    });
  },
  'step of 10%': independent(({ time }, at) => (time < at ? 1 : 0.9)),
  'cold start of 20%': independent(({ order }) => 1 - 0.2 * 0.5 ** order),
  'unequal, one cell 10%': unequal((cell, noisy) => cell === noisy),
  'unequal, baseline 10%': unequal((cell) => cell === 0),
  'unequal, every other 10%': unequal((cell) => cell % 2 === 0),
  'cells drift apart': (trials, cells, normal) => {
    const slopes = Array.from({ length: cells }, () => 0.1 * normal());
    const last = Math.max(...trials.map(({ repetition }) => repetition));
    return trials.map(({ cell, repetition }) =>
      Math.exp(slopes[cell]! * (repetition / last - 0.5) + CV * normal()),
    );
  },
};

/**
 * Returns the trials in the order of a real run: each repetition begins with another cell (combination of factor levels) than the
 * repetition before.
 */
function interleaved(cells: number, repetitions: number): Trial[] {
  return Array.from({ length: cells * repetitions }, (_, order) => {
    const repetition = Math.floor(order / cells);
    return {
      cell: ((order % cells) + repetition) % cells,
      repetition,
      order,
      time: order / (cells * repetitions),
    };
  });
}

function normals(unit: () => number): Normal {
  return () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
}

/**
 * Simulates the results of `families` runs. `truth`: the true mean of each cell (combination of factor levels), in the order of the cells.
 */
export function* simulate(
  name: string,
  noise: Noise,
  truth: readonly number[],
  repetitions: number,
  families: number,
): Generator<CellFigures[]> {
  const cells = truth.length;
  const trials = interleaved(cells, repetitions);
  const random = createRandom(deriveSeed(14, name, cells, repetitions));
  const unit = (): number => random.unit();
  const normal = normals(unit);
  for (let family = 0; family < families; family += 1) {
    const factors = noise(trials, cells, normal, unit);
    const figures = truth.map((): CellFigures => ({ environment: '', trials: [] }));
    trials.forEach(({ cell, repetition, order }, at) => {
      figures[cell]!.trials.push({ value: truth[cell]! * factors[at]!, repetition, order });
    });
    yield figures;
  }
}

const againstBaseline = (cells: number): CellPair[] =>
  Array.from({ length: cells - 1 }, (_, at) => [at + 1, 0] as const);

const blocked = (figures: readonly CellFigures[], margin: number): Word[] =>
  wordsOfCells(figures, againstBaseline(figures.length), {
    margin,
    order: 'interleaved',
    trials: figures[0]!.trials.length,
  });

const plain = (figures: readonly CellFigures[], margin: number): Word[] =>
  compareFamily(
    againstBaseline(figures.length).map(([cell, against]) => ({
      values: figures[cell]!.trials.map(({ value }) => value),
      against: figures[against]!.trials.map(({ value }) => value),
    })),
    margin,
  ).map(({ word }) => word);

const isDirection = (word: Word): boolean => word === 'higher' || word === 'lower';

function share(families: Iterable<CellFigures[]>, is: (figures: CellFigures[]) => boolean): number {
  let found = 0;
  let all = 0;
  for (const figures of families) {
    all += 1;
    if (is(figures)) found += 1;
  }
  return found / all;
}

const percent = (of: number): string => `${(100 * of).toFixed(1)}%`;
const limit = ALLOWED + STANDARD_ERRORS * Math.sqrt((ALLOWED * (1 - ALLOWED)) / FAMILIES);

/**
 * Measures in how many simulated runs some cell is called higher or lower, although all cells (combinations of factor levels) are equal.
 * `beyond`: a text for each case above the limit.
 */
function falseWords(): { rows: Row[]; beyond: string[] } {
  const beyond: string[] = [];
  const rows = Object.entries(NOISES).flatMap(([name, noise]) =>
    TRIALS.map((repetitions): Row => {
      const row: Row = { 'equal cells': name, trials: repetitions };
      for (const cells of CELLS) {
        const truth = new Array<number>(cells).fill(10_000);
        const found = share(simulate(name, noise, truth, repetitions, FAMILIES), (figures) =>
          blocked(figures, 0).some(isDirection),
        );
        if (found > limit) beyond.push(`${name}, ${cells} cells of ${repetitions} trials: ${percent(found)}`);
        row[`${cells} cells`] = percent(found);
      }
      const four = new Array<number>(4).fill(10_000);
      row['4 cells, plain'] = percent(
        share(simulate(name, noise, four, repetitions, PLAIN_FAMILIES), (figures) =>
          plain(figures, 0).some(isDirection),
        ),
      );
      return row;
    }),
  );
  return { rows, beyond };
}

/**
 * Minimum share of simulated runs in which a difference of 5% must be found, by the number of trials per combination of factor levels. It
 * applies to 4 combinations with a CV of 2% and a drift of 10%.
 */
const LEAST_POWER: Record<number, number> = { 3: 0.33, 5: 0.7 };

/**
 * Measures in how many simulated runs the analysis finds a cell (combination of factor levels) that is 5% higher. In turn, each cell except
 * the first is the higher one.
 */
function power(): { rows: Row[]; short: string[] } {
  const short: string[] = [];
  const rows = ['normal', 'drift of 10%'].flatMap((name) =>
    [2, 4, 8].flatMap((cells) =>
      TRIALS.map((repetitions): Row => {
        const found = (words: typeof blocked, families: number): number =>
          Array.from({ length: cells - 1 }, (_, at) => at + 1)
            .map((raised) => {
              const truth = Array.from({ length: cells }, (_, cell) => (cell === raised ? 10_500 : 10_000));
              return share(
                simulate(
                  `${name} ${raised}`,
                  NOISES[name]!,
                  truth,
                  repetitions,
                  Math.ceil(families / (cells - 1)),
                ),
                (figures) => words(figures, MARGIN)[raised - 1] === 'higher',
              );
            })
            .reduce((sum, one) => sum + one / (cells - 1), 0);
        const own = found(blocked, 3 * FAMILIES);
        const least = cells === 4 && name !== 'normal' ? (LEAST_POWER[repetitions] ?? 0) : 0;
        if (own < least)
          short.push(
            `${name}, ${cells} cells of ${repetitions} trials: ${percent(own)} of ${percent(least)}`,
          );
        return {
          'one cell 5% higher, CV 2%': name,
          cells,
          trials: repetitions,
          found: percent(own),
          'found, plain': percent(found(plain, PLAIN_FAMILIES)),
        };
      }),
    ),
  );
  return { rows, short };
}

export interface StatisticsTable {
  title: string;
  rows: Row[];
}

/** Returns the tables of results, and a text for each requirement that was not met. */
export function benchStatistics(): { tables: StatisticsTable[]; failures: string[] } {
  const words = falseWords();
  const found = power();
  return {
    tables: [
      {
        title: `False words: families in which one of equal cells is called higher or lower, of ${FAMILIES} (at most ${percent(limit)}: 5% and ${STANDARD_ERRORS} standard errors)`,
        rows: words.rows,
      },
      { title: 'Power: a difference of 5% that is found', rows: found.rows },
    ],
    failures: [...words.beyond, ...found.short],
  };
}
