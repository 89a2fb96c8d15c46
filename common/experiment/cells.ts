/** From factors to cells: each combination of levels, and what it is called. */
import { exactText, stringifyExact } from '../json/exact';
import { nameOfValue, showValue } from '../problem';
import { isSecretPath } from '../secrets/definition';
import { isSecretHeaderName, withoutShownSecrets } from '../secrets/redact';
import { REMOVED } from '../secrets/removed';
import type { Cell } from '../measurement/trial';
import type { Definition } from './definition';
import { parsePath } from './path';

/** Largest number of cells of one experiment. */
export const MOST_CELLS = 1000;

/** Most trials of all cells of one experiment together. */
export const MOST_TRIALS = 10_000;

export type Levels = Record<string, unknown>;

/** The paths that an experiment varies. */
export const factorPaths = ({ factors }: Pick<Definition, 'factors'>): string[] =>
  Array.isArray(factors) ? [...new Set(factors.flatMap((cell) => Object.keys(cell)))] : Object.keys(factors);

/** The levels of one factor, without making the cells; those of a list of cells as often as they are in it. */
export const factorLevels = ({ factors }: Pick<Definition, 'factors'>, path: string): readonly unknown[] =>
  Array.isArray(factors) ? factors.map((cell) => cell[path]) : (factors[path] ?? [undefined]);

/** The levels of every cell: crossed in the order in which they are written (the last factor changes fastest), or as listed. */
export function cellLevels({ factors }: Pick<Definition, 'factors'>): Levels[] {
  if (Array.isArray(factors)) return factors;
  return Object.entries(factors).reduce<Levels[]>(
    (cells, [path, levels]) => cells.flatMap((cell) => levels.map((level) => ({ ...cell, [path]: level }))),
    [{}],
  );
}

/** The names of a list whose elements all have one, such as requests or steps of a recipe. */
function namesOf(level: unknown): string | undefined {
  if (!Array.isArray(level) || level.length === 0) return undefined;
  const names = level.map((each: unknown) => (each as { name?: unknown } | null)?.name);
  return names.every((name) => typeof name === 'string') ? names.join(', ') : undefined;
}

/** A level as people read it: a list of named things by their names. */
export const showLevel = (level: unknown): string =>
  typeof level === 'string' ? exactText(level) : (namesOf(level) ?? nameOfValue(level));

/** Whether a credential may be at this path, even where the name of a part of it is misspelt. */
const mayBeSecret = (path: string): boolean =>
  isSecretPath(path) || isSecretHeaderName(parsePath(path).at(-1) ?? '');

const levelWithoutSecrets = (level: unknown): string =>
  typeof level === 'string' ? withoutShownSecrets(exactText(level)) : (namesOf(level) ?? showValue(level));

/** The levels of a cell as an error shows them: without credentials. `names`: of the paths, by default themselves. */
export const showLevels = (levels: Levels, names?: ReadonlyMap<string, string>): string =>
  Object.entries(levels)
    .map(
      ([path, level]) =>
        `${names?.get(path) ?? path}=${mayBeSecret(path) ? REMOVED : levelWithoutSecrets(level)}`,
    )
    .join(', ') || 'all';

/** Last segments that say nothing by themselves: `requests.cache.enable` is called `cache.enable`. */
const SAYING_NOTHING = ['enable', 'enabled'];

/** The shortest ends of the paths that still tell them apart. */
export function shortNames(paths: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const parsed = [...new Set(paths)].map((path) => ({ path, segments: parsePath(path) }));
  for (const { path, segments } of parsed) {
    let length = SAYING_NOTHING.includes(segments.at(-1) ?? '') ? 2 : 1;
    const tail = (of: readonly string[]): string => of.slice(-length).join('.');
    while (
      length < segments.length &&
      parsed.some((other) => other.segments !== segments && tail(other.segments) === tail(segments))
    )
      length += 1;
    names.set(path, tail(segments));
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
        .map(([path, level]) => `${path}=${stringifyExact(level)}`)
        .join(',') || 'all',
    label:
      Object.entries(levels)
        .map(([path, level]) => `${names.get(path)}=${isSecretPath(path) ? REMOVED : showLevel(level)}`)
        .join(', ') || 'all',
    levels,
  }));
}

/** The same text for the same levels, in whatever order their paths stand. */
export const levelsKey = (levels: Levels): string =>
  stringifyExact(Object.entries(levels).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Index of the baseline cell; -1 if `baseline` names none. */
export function baselineIndex({ factors, baseline }: Pick<Definition, 'factors' | 'baseline'>): number {
  if (baseline === undefined) return 0;
  const key = levelsKey(baseline);
  return cellLevels({ factors }).findIndex((levels) => levelsKey(levels) === key);
}

/** How many cells there are, without making them. */
export const countCells = ({ factors }: Pick<Definition, 'factors'>): number =>
  Array.isArray(factors)
    ? factors.length
    : Object.values(factors).reduce((product, { length }) => product * length, 1);

/** Most factors of one experiment. */
export const MOST_FACTORS = 50;

/**
 * Most keys and values of all cells together, which are all written out and checked: 1,000 cells of a definition of 200, or
 * 20 of one that has the most of them.
 */
export const MOST_WRITTEN_OUT = 200_000;

/** Characters of a text that count as one value more. */
const CHARACTERS = 50;

/** Keys and values of `value`, long texts as several. */
function extentOf(value: unknown): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / CHARACTERS);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce(
    (sum, [key, inner]) => sum + 1 + Math.floor(key.length / CHARACTERS) + extentOf(inner),
    1,
  );
}

/**
 * Keys and values of all cells together. `shared`: what all of them have in common, as far as
 * a cell reads it.
 */
export function writtenOut(shared: unknown, { factors }: Pick<Definition, 'factors'>): number {
  const own = extentOf(shared);
  if (Array.isArray(factors)) return factors.length * own + extentOf(factors);
  const cells = countCells({ factors });
  return (
    cells * own +
    Object.values(factors).reduce((sum, levels) => sum + (extentOf(levels) * cells) / levels.length, 0)
  );
}
