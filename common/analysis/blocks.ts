/** One figure of every trial, by cell and repetition: the blocks that an interleaved or randomised run is measured in. */
import { environmentKey } from '../experiment/environment';
import type { Plan } from '../experiment/plan';
import type { TrialDocument } from '../measurement/trial';
import { trialsOf } from './validity';

/** One trial's figure. */
export interface Measured {
  value: number;
  repetition: number;
  /** Of execution in the run, from 0. */
  order: number;
}

export interface CellFigures {
  /** Cells of one environment are measured in turn with each other, and with no others. */
  environment: string;
  /** Completed trials that tell the figure, in order of execution. */
  trials: Measured[];
}

/** What `read` finds in each completed trial, by the plan's cells; trials that do not tell it (null) are missing. */
export const figuresOf = (
  plan: Plan,
  trials: readonly TrialDocument[],
  read: (document: TrialDocument) => number | null,
): CellFigures[] =>
  plan.cells.map(({ index, definition }) => ({
    environment: environmentKey(definition.environment),
    trials: trialsOf(trials, index).flatMap((document) => {
      const value = read(document);
      const { repetition, order } = document.trial;
      return value === null ? [] : [{ value, repetition, order }];
    }),
  }));

export const valuesOf = ({ trials }: Pick<CellFigures, 'trials'>): number[] =>
  trials.map(({ value }) => value);

/** Repetitions in which every cell has a figure. Rows are repetitions, columns are cells. */
export interface Blocks {
  /** Natural logarithms. */
  logs: number[][];
  /** Which place in its repetition each trial had, from 0. */
  places: number[][];
  /** Order of execution. */
  orders: number[][];
  /** Repetitions of which a cell has no figure, and which are therefore left out. */
  lost: number;
}

/** Null where a figure is not positive, so that it has no logarithm. */
export function blocksOfCells(cells: readonly CellFigures[]): Blocks | null {
  if (cells.some(({ trials }) => trials.some(({ value }) => !(value > 0)))) return null;
  const byRepetition = new Map<number, (Measured | undefined)[]>();
  cells.forEach(({ trials }, cell) => {
    for (const trial of trials) {
      const row = byRepetition.get(trial.repetition) ?? new Array<Measured | undefined>(cells.length);
      row[cell] = trial;
      byRepetition.set(trial.repetition, row);
    }
  });
  const rows = [...byRepetition].sort(([a], [b]) => a - b).map(([, row]) => row);
  const whole = rows.filter((row): row is Measured[] =>
    Array.from(row).every((trial) => trial !== undefined),
  );
  return {
    logs: whole.map((row) => row.map(({ value }) => Math.log(value))),
    orders: whole.map((row) => row.map(({ order }) => order)),
    places: whole.map((row) => row.map(({ order }) => row.filter((other) => other.order < order).length)),
    lost: rows.length - whole.length,
  };
}
