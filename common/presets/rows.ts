/** Finding the published row of a cell. */
import { showLevel } from '../experiment/cells';
import { environmentLabel, type Environment } from '../experiment/environment';
import type { Cell } from '../measurement/trial';
import type { Doubt, Published, PublishedRow } from './published';

/**
 * The row whose levels all stand in the cell; the one that says most where several do. Levels are compared as text: 5 is
 * "5". A row whose labels say otherwise than `environment`, that of the cell, is none of it.
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

/** Labels of the rows that `of` stand beside, each once: `machine: DS4`; empty where no row has any. */
export const labelsOf = (of: readonly (PublishedRow | null)[]): string[] => [
  ...new Set(of.flatMap((row) => (row?.labels ? [environmentLabel(row.labels)] : []))),
];

/** Of the `doubts` those that concern a figure: the column `figure` of the `row`. */
export const doubtsOf = (
  { doubts }: Pick<Published, 'doubts'>,
  row: Pick<PublishedRow, 'levels'>,
  figure: string,
): Doubt[] =>
  doubts.filter(
    ({ figures, levels }) =>
      (figures.length === 0 || figures.includes(figure)) &&
      Object.entries(levels).every(([path, any]) =>
        any.some((level) => showLevel(level) === showLevel(row.levels[path])),
      ),
  );
