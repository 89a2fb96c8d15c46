/**
 * Measures `trials: until-decided` in simulated experiments. With this setting, a run ends as soon as its claims are decided. Dyno's own
 * functions decide when a run ends. The number of trials is compared with the fixed number of trials that gives the right result equally
 * often. Random numbers are seeded.
 */
import type { CellFigures } from '../../common/analysis/blocks';
import type { CellPair } from '../../common/analysis/blocked';
import { wordsOfCells, type Word } from '../../common/analysis/comparison';
import { NOISES, simulate, type Noise } from './statistics';
import type { Row } from './table';

const EXPERIMENTS = 400;
/** Smallest relative difference that counts. The simulation plans trials for this difference, as `dyno plan` does. */
const MARGIN = 0.1;
const LOOKS = { least: 3, most: 40 };
/** Minimum and maximum number of trials in simulated experiments without a difference. These experiments usually run until the maximum. */
const SHORT_LOOKS = { least: 3, most: 20 };
const ORDER = 'interleaved';

const RIGHT = 0.95;
const MOST_AT_EFFECT = 0.75;
const MOST_AT_NONE = 1.25;
/** Number of simulated experiments without a difference. */
const FALSE_EXPERIMENTS = 2000;
const MOST_FALSE = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / FALSE_EXPERIMENTS);

/** Number of combinations of factor levels, and the pairs of them that are compared. */
interface Question {
  name: string;
  cells: number;
  pairs: readonly CellPair[];
}

const QUESTIONS: readonly Question[] = [
  { name: '2 cells', cells: 2, pairs: [[1, 0]] },
  { name: '4 cells, the last with the first', cells: 4, pairs: [[3, 0]] },
  {
    name: '4 cells, each with the first',
    cells: 4,
    pairs: [
      [1, 0],
      [2, 0],
      [3, 0],
    ],
  },
];

const until = (figures: readonly CellFigures[], repetition: number): CellFigures[] =>
  figures.map((cell) => ({
    ...cell,
    trials: cell.trials.filter((trial) => trial.repetition < repetition),
  }));

interface Ended {
  words: Word[];
  /** Number of trials of all combinations of factor levels together. */
  trials: number;
}

/**
 * Simulates a run. A combination of factor levels gets no more trials when all of its comparisons are decided. The run ends when all
 * comparisons are decided, or at the maximum number of trials.
 */
function simulateRun(all: readonly CellFigures[], { pairs }: Question, margin: number, looks = LOOKS): Ended {
  const stopped = new Map<number, number>();
  const soFar = (done: number): CellFigures[] =>
    all.map((cell, at) => until([cell], Math.min(done, stopped.get(at) ?? done))[0]!);
  const words = (done: number): Word[] =>
    wordsOfCells(soFar(done), pairs, { margin, order: ORDER, trials: { 'until-decided': looks } });
  for (let done = looks.least; ; done += 1) {
    const found = words(done);
    const open = new Set(pairs.flatMap((pair, at) => (found[at] === 'undecided' ? pair : [])));
    // Combinations of factor levels without a comparison continue as long as any comparison is undecided.
    const asked = new Set(pairs.flat());
    if (open.size === 0 || done === looks.most) {
      const trials = soFar(done).reduce((sum, cell) => sum + cell.trials.length, 0);
      return { words: found, trials };
    }
    for (const cell of asked) if (!open.has(cell) && !stopped.has(cell)) stopped.set(cell, done);
  }
}

const share = (found: readonly boolean[]): number => found.filter(Boolean).length / found.length;

/**
 * Returns the smallest fixed number of trials, for each combination of factor levels, that gives the right result in at least `power` of
 * the experiments. Infinity if even the maximum is not enough.
 */
function fixedNumber(
  experiments: readonly (readonly CellFigures[])[],
  { pairs }: Question,
  power: number,
  right: Word,
): number {
  const powerOf = (trials: number): number =>
    share(
      experiments.map((all) =>
        wordsOfCells(until(all, trials), pairs, { margin: MARGIN, order: ORDER, trials }).every(
          (word) => word === right,
        ),
      ),
    );
  for (let trials = 2; trials <= LOOKS.most; trials += 1) if (powerOf(trials) >= power) return trials;
  return Infinity;
}

const percent = (of: number): string => `${(100 * of).toFixed(1)}%`;

function experimentsOf(
  question: Question,
  noise: string,
  truth: readonly number[],
  count: number,
): (readonly CellFigures[])[] {
  return [
    ...simulate(`until-decided ${question.name} ${noise}`, NOISES_HERE[noise]!, truth, LOOKS.most, count),
  ];
}

/** Noise of the experiments. The CV is 5%. Therefore, finding a difference of 10% needs several trials. */
const NOISES_HERE: Record<string, Noise> = {
  'CV 5%': (trials, _, normal) => trials.map(() => Math.exp(0.05 * normal())),
  'CV 5%, drift of 10%': (trials, _, normal) =>
    trials.map(({ time }) => (1 - 0.1 * time) * Math.exp(0.05 * normal())),
};

export interface UntilDecidedTables {
  tables: { title: string; rows: Row[] }[];
  failures: string[];
}

function decided(): { rows: Row[]; failures: string[] } {
  const failures: string[] = [];
  const rows = QUESTIONS.flatMap((question) =>
    Object.keys(NOISES_HERE).map((noise): Row => {
      const raised = Array.from({ length: question.cells }, (_, at) =>
        question.pairs.some(([cell]) => cell === at) ? 10_000 * (1 + MARGIN) : 10_000,
      );
      const equal = raised.map(() => 10_000);
      const row: Row = { question: question.name, noise };
      let fixedAtEffect = NaN;
      for (const [name, truth, right, most] of [
        ['effect', raised, 'higher', MOST_AT_EFFECT],
        ['none', equal, 'no difference within the margin', MOST_AT_NONE],
      ] as const) {
        const experiments = experimentsOf(question, noise, truth, EXPERIMENTS);
        const ended = experiments.map((all) => simulateRun(all, question, MARGIN));
        const isRight = share(ended.map(({ words }) => words.every((word) => word === right)));
        const mean = ended.reduce((sum, { trials }) => sum + trials, 0) / ended.length / question.cells;
        if (name === 'effect') {
          fixedAtEffect = fixedNumber(experiments, question, isRight, right);
          row['fixed, as often right'] = fixedAtEffect > LOOKS.most ? `over ${LOOKS.most}` : fixedAtEffect;
          row['fixed, right in 95%'] = fixedNumber(experiments, question, RIGHT, right);
        }
        const of = mean / Math.min(fixedAtEffect, LOOKS.most);
        row[`${name}: right`] = percent(isRight);
        row[`${name}: trials`] = mean.toFixed(1);
        row[`${name}: of fixed`] = percent(of);
        if (isRight < RIGHT)
          failures.push(`${question.name}, ${noise}, ${name}: right in ${percent(isRight)}`);
        if (!(of <= most))
          failures.push(
            `${question.name}, ${noise}, ${name}: ${percent(of)} of the trials of a fixed number`,
          );
      }
      return row;
    }),
  );
  return { rows, failures };
}

const isDirection = (word: Word): boolean => word === 'higher' || word === 'lower';

/**
 * Returns whether any interim or final analysis reports a difference between equal combinations of factor levels. The margin is 0 here.
 * With a larger margin, a run could end early because the combinations are equal within the margin.
 */
const saysFalse = (all: readonly CellFigures[], { pairs }: Question): boolean =>
  wordsOfCells(all, pairs, { margin: 0, order: ORDER, trials: { 'until-decided': SHORT_LOOKS } }).some(
    isDirection,
  );

/**
 * Returns whether the analyses report a difference between equal combinations of factor levels. The first comparison does not count: it is
 * that of another combination, which differs a lot from the others and whose trials end early.
 */
const saysFalseBeside = (all: readonly CellFigures[], question: Question): boolean =>
  simulateRun(all, question, 0, SHORT_LOOKS).words.slice(1).some(isDirection);

function falseWords(): { rows: Row[]; failures: string[] } {
  const failures: string[] = [];
  const shareOf = (
    noise: string,
    question: Question,
    truth: readonly number[],
    isWrong: typeof saysFalse,
  ): string => {
    const made = NOISES[noise]!;
    const key = `looks ${question.name} ${noise}`;
    const wrong = [...simulate(key, made, truth, SHORT_LOOKS.most, FALSE_EXPERIMENTS)].map((all) =>
      isWrong(all, question),
    );
    if (share(wrong) > MOST_FALSE)
      failures.push(`${question.name}, ${noise}: ${percent(share(wrong))} false words`);
    return percent(share(wrong));
  };
  // Combinations of factor levels that drift apart are equal only on average over the whole run. In an early analysis they really differ.
  // They are left out here.
  const equalAtEveryLook = Object.keys(NOISES).filter((noise) => noise !== 'cells drift apart');
  const rows = equalAtEveryLook.map((noise): Row => {
    const row: Row = { 'equal cells': noise };
    for (const question of QUESTIONS) {
      const equal = new Array<number>(question.cells).fill(10_000);
      row[question.name] = shareOf(noise, question, equal, saysFalse);
    }
    row['and one far off'] = shareOf(noise, QUESTIONS[2]!, [10_000, 20_000, 10_000, 10_000], saysFalseBeside);
    return row;
  });
  return { rows, failures };
}

export function benchUntilDecided(): UntilDecidedTables {
  const ends = decided();
  const wrong = falseWords();
  return {
    tables: [
      {
        title: `${EXPERIMENTS} experiments each, difference and margin ${percent(MARGIN)}, ${LOOKS.least} to ${LOOKS.most} trials; "of fixed": share of the fixed number that is right equally often at the effect`,
        rows: ends.rows,
      },
      {
        title: `False words at any of the looks, margin 0, of ${FALSE_EXPERIMENTS} (at most ${percent(MOST_FALSE)}: 5% and 3 standard errors)`,
        rows: wrong.rows,
      },
    ],
    failures: [...ends.failures, ...wrong.failures],
  };
}
