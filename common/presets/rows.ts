/** Finds the row of published figures that belongs to a combination of factor levels. */
import { showLevel } from '../experiment/cells';
import { environmentLabel, type Environment } from '../experiment/environment';
import type { Cell } from '../measurement/trial';
import type { FigureNote, Published, PublishedRow } from './published';

/**
 * Returns the row of published figures that belongs to a combination of factor levels; null if there is no such row. All levels of the row
 * must match. If several rows match, the row with the most levels is returned. Levels are compared as texts: 5 is equal to "5".
 *
 * `environment`: labels of the machines on which the run measured, such as `machine: DS4`. A row with a different label does not match.
 */
export function rowOf(
  { rows }: Pick<Published, 'rows'>,
  { levels }: Pick<Cell, 'levels'>,
  environment: Environment = {},
): PublishedRow | null {
  const fitting = rows.filter(
    (row) =>
      Object.entries(row.levels).every(
        ([path, level]) => path in levels && showLevel(levels[path]) === showLevel(level),
      ) && Object.entries(row.labels ?? {}).every(([name, label]) => (environment[name] ?? label) === label),
  );
  return [...fitting].sort((a, b) => Object.keys(b.levels).length - Object.keys(a.levels).length)[0] ?? null;
}

/** Returns the labels of machines in the rows, such as `machine: DS4`, without duplicates. Empty if no row has labels. */
export const labelsOf = (of: readonly (PublishedRow | null)[]): string[] => [
  ...new Set(of.flatMap((row) => (row?.labels ? [environmentLabel(row.labels)] : []))),
];

/** Returns the notes on one published figure: the column `figure` of `row`. */
export const notesOnFigure = (
  { doubts }: Pick<Published, 'doubts'>,
  row: Pick<PublishedRow, 'levels'>,
  figure: string,
): FigureNote[] =>
  doubts.filter(
    ({ figures, levels }) =>
      (figures.length === 0 || figures.includes(figure)) &&
      Object.entries(levels).every(([path, any]) =>
        any.some((level) => showLevel(level) === showLevel(row.levels[path])),
      ),
  );
