/** Finds the published row of a cell. */
import { showLevel } from '../experiment/cells';
import { environmentLabel, type Environment } from '../experiment/environment';
import type { Cell } from '../measurement/trial';
import type { FigureNote, Published, PublishedRow } from './published';

/**
 * Returns the published row of a cell: the row whose levels all match the cell. If several rows match, returns the row with the most
 * levels. Levels are compared as texts: 5 is equal to "5". A row whose labels differ from `environment`, the labels of the cell's
 * environment, does not match.
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

/** Returns the labels of the rows without duplicates, such as `machine: DS4`. Empty if no row has labels. */
export const labelsOf = (of: readonly (PublishedRow | null)[]): string[] => [
  ...new Set(of.flatMap((row) => (row?.labels ? [environmentLabel(row.labels)] : []))),
];

/** Returns the notes that concern a figure: the column `figure` of the `row`. */
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
