/** Finds the published row of a cell. */
import { showLevel } from '../experiment/cells';
import { environmentLabel, type Environment } from '../experiment/environment';
import type { Cell } from '../measurement/trial';
import type { FigureNote, Published, PublishedRow } from './published';

/**
 * Returns the row whose levels all match the cell; the one with the most levels if there are several. Levels are compared as text: 5 equals
 * "5". A row with other labels than `environment`, that of the cell, does not match.
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

/** Returns the labels of the rows, each once: `machine: DS4`; empty if no row has any. */
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
