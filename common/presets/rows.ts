/** Finding the published row of a cell. */
import type { Cell } from '../measurement/trial';
import type { Published, PublishedRow } from './published';

/** The row whose levels all stand in the cell; the one that says most where several do. Levels are compared as text: 5 is "5". */
export function rowOf(
  { rows }: Pick<Published, 'rows'>,
  { levels }: Pick<Cell, 'levels'>,
): PublishedRow | null {
  const text = (level: unknown): string => (typeof level === 'string' ? level : JSON.stringify(level));
  const fitting = rows.filter((row) =>
    Object.entries(row.levels).every(([path, level]) => path in levels && text(levels[path]) === text(level)),
  );
  return [...fitting].sort((a, b) => Object.keys(b.levels).length - Object.keys(a.levels).length)[0] ?? null;
}
