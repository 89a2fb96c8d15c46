/** The values of one metric in all trials, by cell and repetition. In an interleaved or randomised run, each repetition is a block. */
import { environmentKey } from '../experiment/environment';
import { areInTurn } from '../experiment/environment-blocks';
import type { Plan } from '../experiment/plan';
import type { TrialDocument } from '../measurement/trial';
import { trialsOf } from './validity';

/** The value of a metric in one trial. */
export interface Measured {
  value: number;
  repetition: number;
  /** Order of execution in the run, from 0. */
  order: number;
}

export interface CellFigures {
  /**
   * Key of the environment in which the cell was measured, such as a number of nodes. Cells with the same key were measured in turn with
   * each other and can be compared within repetitions. '' for all cells if the run alternated between environments.
   */
  environment: string;
  /** Completed trials that have a value, in the order of their execution. */
  trials: Measured[];
}

/**
 * Returns the values of a metric in all completed trials, grouped by the cells of the plan. `read`: returns the value of a trial. Trials
 * without a value (null) are left out.
 */
export const figuresOf = (
  plan: Plan,
  trials: readonly TrialDocument[],
  read: (document: TrialDocument) => number | null,
): CellFigures[] => {
  const isInTurn = areInTurn(plan);
  return plan.cells.map(({ index, definition }) => ({
    environment: isInTurn ? '' : environmentKey(definition.environment),
    trials: trialsOf(trials, index).flatMap((document) => {
      const value = read(document);
      const { repetition, order } = document.trial;
      return value === null ? [] : [{ value, repetition, order }];
    }),
  }));
};

export const valuesOf = ({ trials }: Pick<CellFigures, 'trials'>): number[] =>
  trials.map(({ value }) => value);

/** The complete repetitions: those in which every cell has a value. In each table, rows are repetitions and columns are cells. */
export interface Blocks {
  /** Natural logarithms of the values. */
  logs: number[][];
  /** Position of each trial in its repetition, from 0. */
  places: number[][];
  /** Position of each trial in the order of execution. */
  orders: number[][];
  /** Number of repetitions that were left out because a cell has no value in them. */
  lost: number;
}

/** Returns the complete repetitions. Returns null if a value is 0 or negative, because such a value has no logarithm. */
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
