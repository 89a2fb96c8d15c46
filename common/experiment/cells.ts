/** Creates the cells of an experiment from its factors. A cell is a combination of factor levels, and has a name. */
import { exactText, stringifyExact } from '../json/exact';
import { nameOfValue, showValue } from '../problem';
import { isSecretPath } from '../secrets/definition';
import { isSecretHeaderName, withoutShownSecrets } from '../secrets/redact';
import { REMOVED } from '../secrets/removed';
import type { Cell } from '../measurement/trial';
import type { Definition } from './definition';
import { parsePath } from './path';

export const MOST_CELLS = 1000;

/** Maximum number of trials of an experiment, in all cells together. */
export const MOST_TRIALS = 10_000;

export type Levels = Record<string, unknown>;

/** Returns the paths of all factors. */
export const factorPaths = ({ factors }: Pick<Definition, 'factors'>): string[] =>
  Array.isArray(factors) ? [...new Set(factors.flatMap((cell) => Object.keys(cell)))] : Object.keys(factors);

/**
 * Returns the levels of one factor, without creating all cells. If the definition lists its cells, the result has one level per cell, and a
 * level may occur several times.
 */
export const factorLevels = ({ factors }: Pick<Definition, 'factors'>, path: string): readonly unknown[] =>
  Array.isArray(factors) ? factors.map((cell) => cell[path]) : (factors[path] ?? [undefined]);

/**
 * Returns the levels of each cell. If the definition lists its cells, returns the levels in this list. Otherwise, returns all combinations
 * of levels; the last factor changes fastest.
 */
export function cellLevels({ factors }: Pick<Definition, 'factors'>): Levels[] {
  if (Array.isArray(factors)) return factors;
  return Object.entries(factors).reduce<Levels[]>(
    (cells, [path, levels]) => cells.flatMap((cell) => levels.map((level) => ({ ...cell, [path]: level }))),
    [{}],
  );
}

/** Returns the names of the elements of a list, such as the requests of a task, as one text. Undefined if an element has no name. */
function namesOf(level: unknown): string | undefined {
  if (!Array.isArray(level) || level.length === 0) return undefined;
  const names = level.map((each: unknown) => (each as { name?: unknown } | null)?.name);
  return names.every((name) => typeof name === 'string') ? names.join(', ') : undefined;
}

/** Returns a level as text for people. A list whose elements have names becomes a list of these names. */
export const showLevel = (level: unknown): string =>
  typeof level === 'string' ? exactText(level) : (namesOf(level) ?? nameOfValue(level));

/**
 * Returns whether the value at a path may be a credential. Because a path may be misspelt, it is enough that its last part looks like the
 * name of a secret.
 */
const mayBeSecret = (path: string): boolean =>
  isSecretPath(path) || isSecretHeaderName(parsePath(path).at(-1) ?? '');

/** Shows a level of the factor at `path` as text for people. */
export type LevelText = (path: string, level: unknown) => string;

/**
 * Returns a function that shows the levels of a definition's factors without credentials. Different levels of a factor have different texts:
 * if {@link showLevel} returns the same text for several of them, such as two lists of requests with equal names, the text contains their
 * number among the factor's levels: `search#1`, `search#2`.
 */
export function levelTexts(definition: Pick<Definition, 'factors'>): LevelText {
  const { factors } = definition;
  const known = texts.get(factors) ?? numberedTexts(definition);
  texts.set(factors, known);
  return known;
}

/** Cache of {@link levelTexts}: each table and chart of a report asks for the names of the cells. */
const texts = new WeakMap<Definition['factors'], LevelText>();

function numberedTexts(definition: Pick<Definition, 'factors'>): LevelText {
  const plain: LevelText = (path, level) => (isSecretPath(path) ? REMOVED : showLevel(level));
  const numbered = new Map<string, Map<string, string>>();
  for (const path of factorPaths(definition)) {
    const levels = new Map(factorLevels(definition, path).map((level) => [levelKey(level), level]));
    levels.delete(undefined);
    const alike = new Map<string, number>();
    for (const level of levels.values()) {
      const text = plain(path, level);
      alike.set(text, (alike.get(text) ?? 0) + 1);
    }
    const own = new Map<string, string>();
    [...levels].forEach(([key, level], at) => {
      const text = plain(path, level);
      if (alike.get(text)! > 1) own.set(key!, `${text}#${at + 1}`);
    });
    if (own.size > 0) numbered.set(path, own);
  }
  return (path, level) => numbered.get(path)?.get(levelKey(level) ?? '') ?? plain(path, level);
}

/** Returns a text that is equal for equal levels. Undefined for a level that is not set. */
const levelKey = (level: unknown): string | undefined =>
  level === undefined ? undefined : stringifyExact(level);

const levelWithoutSecrets = (level: unknown): string =>
  typeof level === 'string' ? withoutShownSecrets(exactText(level)) : (namesOf(level) ?? showValue(level));

/** Returns the levels of a cell for an error message, without credentials. `names`: shorter names for paths. */
export const showLevels = (levels: Levels, names?: ReadonlyMap<string, string>): string =>
  Object.entries(levels)
    .map(
      ([path, level]) =>
        `${names?.get(path) ?? path}=${mayBeSecret(path) ? REMOVED : levelWithoutSecrets(level)}`,
    )
    .join(', ') || 'all';

/**
 * Last parts of a path that are too general to be a name. They are shown with the part before: `cache.enable` for `requests.cache.enable`.
 */
const SAYING_NOTHING = ['enable', 'enabled'];

/**
 * Returns a short name for each path: the shortest ending that distinguishes it from the other paths. The keys of the result are the paths.
 */
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

/** Returns the cells of a definition with their names and levels. `resolveCells` also returns the definition of each cell. */
export function cellsOf(definition: Pick<Definition, 'factors'>): Cell[] {
  const names = shortNames(factorPaths(definition));
  const text = levelTexts(definition);
  return cellLevels(definition).map((levels, index) => ({
    index,
    id:
      Object.entries(levels)
        .map(([path, level]) => `${path}=${stringifyExact(level)}`)
        .join(',') || 'all',
    label:
      Object.entries(levels)
        .map(([path, level]) => `${names.get(path)}=${text(path, level)}`)
        .join(', ') || 'all',
    levels,
  }));
}

/** Returns a text that identifies these levels. It does not depend on the order of the paths. */
export const levelsKey = (levels: Levels): string =>
  stringifyExact(Object.entries(levels).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Returns the index of the baseline cell; 0 without a `baseline`, and -1 if no cell has the levels of `baseline`. */
export function baselineIndex({ factors, baseline }: Pick<Definition, 'factors' | 'baseline'>): number {
  if (baseline === undefined) return 0;
  const key = levelsKey(baseline);
  return cellLevels({ factors }).findIndex((levels) => levelsKey(levels) === key);
}

/** Returns the number of cells without creating them. */
export const countCells = ({ factors }: Pick<Definition, 'factors'>): number =>
  Array.isArray(factors)
    ? factors.length
    : Object.values(factors).reduce((product, { length }) => product * length, 1);

export const MOST_FACTORS = 50;

/**
 * Maximum number of keys and values in the definitions of all cells together. The limit keeps the time short that Dyno needs to create and
 * check these definitions. It is enough for 1,000 cells of a definition with 200 values, or for 20 cells of the largest definition.
 */
export const MOST_WRITTEN_OUT = 200_000;

/** In the size of a definition, this number of characters of a text counts as much as one additional value. */
const CHARACTERS = 50;

/** Returns the size of a definition: its number of keys and values, where a long text counts several times. */
function extentOf(value: unknown): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / CHARACTERS);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.entries(value).reduce(
    (sum, [key, inner]) => sum + 1 + Math.floor(key.length / CHARACTERS) + extentOf(inner),
    1,
  );
}

/**
 * Returns the total size of the definitions of all cells, as a number of keys and values. `shared`: the definition without its factors. It
 * counts once for each cell, because Dyno checks it again for each cell.
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
