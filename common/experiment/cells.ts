/** From factors to cells: each combination of levels, and what it is called. */
import { showValue } from '../problem';
import type { Cell } from '../measurement/trial';
import type { Definition } from './definition';
import { parsePath } from './path';

/** Largest number of cells of one experiment. */
export const MOST_CELLS = 1000;

export type Levels = Record<string, unknown>;

/** The paths that an experiment varies. */
export const factorPaths = ({ factors }: Pick<Definition, 'factors'>): string[] =>
  Array.isArray(factors) ? [...new Set(factors.flatMap((cell) => Object.keys(cell)))] : Object.keys(factors);

/** The levels of every cell: crossed in the order in which they are written (the last factor changes fastest), or as listed. */
export function cellLevels({ factors }: Pick<Definition, 'factors'>): Levels[] {
  if (Array.isArray(factors)) return factors;
  return Object.entries(factors).reduce<Levels[]>(
    (cells, [path, levels]) => cells.flatMap((cell) => levels.map((level) => ({ ...cell, [path]: level }))),
    [{}],
  );
}

/** A level as people read it. */
export const showLevel = (level: unknown): string => (typeof level === 'string' ? level : showValue(level));

/** Last segments that say nothing by themselves: `requests.cache.enable` is called `cache.enable`. */
const SAYING_NOTHING = ['enable', 'enabled'];

/** The shortest ends of the paths that still tell them apart. */
export function shortNames(paths: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const path of paths) {
    const segments = parsePath(path);
    let length = SAYING_NOTHING.includes(segments.at(-1) ?? '') ? 2 : 1;
    const tail = (of: string): string => parsePath(of).slice(-length).join('.');
    while (length < segments.length && paths.some((other) => other !== path && tail(other) === tail(path)))
      length += 1;
    names.set(path, tail(path));
  }
  return names;
}

/** The cells of a definition, by name; see `resolveCells` for what they do. */
export function cellsOf(definition: Pick<Definition, 'factors'>): Cell[] {
  const names = shortNames(factorPaths(definition));
  return cellLevels(definition).map((levels, index) => ({
    index,
    id:
      Object.entries(levels)
        .map(([path, level]) => `${path}=${JSON.stringify(level)}`)
        .join(',') || 'all',
    label:
      Object.entries(levels)
        .map(([path, level]) => `${names.get(path)}=${showLevel(level)}`)
        .join(', ') || 'all',
    levels,
  }));
}

export const sameLevels = (left: Levels, right: Levels): boolean =>
  Object.keys(left).length === Object.keys(right).length &&
  Object.entries(left).every(([path, level]) => JSON.stringify(level) === JSON.stringify(right[path]));

/** Index of the baseline cell; -1 if `baseline` names none. */
export function baselineIndex({ factors, baseline }: Pick<Definition, 'factors' | 'baseline'>): number {
  return baseline === undefined
    ? 0
    : cellLevels({ factors }).findIndex((levels) => sameLevels(levels, baseline));
}
