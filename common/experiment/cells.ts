/** From factors to cells: each combination of levels, and the definition that it stands for. */
import { showValue, type Problem } from '../problem';
import type { Cell } from '../measurement/trial';
import { definitionSchema, type Definition } from './definition';
import { parsePath, setAt } from './path';
import { problemsFrom } from './problems';

/** What a factor may vary; the rest says how the experiment as a whole is done. */
const VARIABLE_ROOTS = [
  'index',
  'cluster',
  'environment',
  'preload',
  'tasks',
  'measure',
  'spread',
  'request-timeout',
];

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

/** Cells of a definition that {@link checkFactors} finds nothing wrong with. */
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

/** The definition with the levels put in, or what is wrong with them. */
function withLevels(definition: Definition, levels: Levels): Definition | Problem[] {
  const varied = structuredClone({ ...definition, factors: {}, baseline: undefined });
  const problems: Problem[] = [];
  for (const [path, level] of Object.entries(levels)) {
    const root = parsePath(path)[0];
    const why = VARIABLE_ROOTS.includes(root ?? '')
      ? setAt(varied, path, structuredClone(level))
      : 'no factor may vary this';
    if (why !== undefined) {
      const allowed = `a path that begins with ${VARIABLE_ROOTS.join(', ')}`;
      problems.push({ code: 'definition.factor-path', path: `factors.${path}`, message: why, allowed });
    }
  }
  if (problems.length > 0) return problems;
  const result = definitionSchema.safeParse(varied, { reportInput: true });
  if (result.success) return result.data;
  return problemsFrom(result.error.issues, definitionSchema).map((problem) => ({
    ...problem,
    path: `factors (${Object.entries(levels)
      .map(([path, level]) => `${path}=${showLevel(level)}`)
      .join(', ')}): ${problem.path}`,
    message: problem.code === 'definition.unknown-key' ? 'the factor path does not exist' : problem.message,
  }));
}

/** Reading a definition again for each trial of a report would take longer than all of its statistics. */
const varieties = new WeakMap<Definition, Map<string, Definition>>();

/**
 * What a trial of `cell` does: the definition with the cell's levels and no factors. The same for the same definition
 * and levels: neither may be changed.
 */
export function definitionFor(definition: Definition, cell: Pick<Cell, 'levels'>): Definition {
  const known = varieties.get(definition) ?? new Map<string, Definition>();
  varieties.set(definition, known);
  const key = JSON.stringify(cell.levels);
  const own = known.get(key) ?? readVaried(definition, cell);
  known.set(key, own);
  return own;
}

function readVaried(definition: Definition, cell: Pick<Cell, 'levels'>): Definition {
  const found = withLevels(definition, cell.levels);
  if (Array.isArray(found))
    throw new Error(`cell was not checked: ${found.map(({ message }) => message).join('; ')}`);
  return found;
}

const sameLevels = (left: Levels, right: Levels): boolean =>
  Object.keys(left).length === Object.keys(right).length &&
  Object.entries(left).every(([path, level]) => JSON.stringify(level) === JSON.stringify(right[path]));

/** Index of the baseline cell; -1 if `baseline` names none. */
export function baselineIndex({ factors, baseline }: Pick<Definition, 'factors' | 'baseline'>): number {
  return baseline === undefined
    ? 0
    : cellLevels({ factors }).findIndex((levels) => sameLevels(levels, baseline));
}

/** Largest number of cells of one experiment. */
const MOST_CELLS = 1000;

/** Everything that is wrong with factors and baseline, each problem once. */
export function checkFactors(definition: Definition): Problem[] {
  const { factors } = definition;
  const crossed = Array.isArray(factors)
    ? factors.length
    : Object.values(factors).reduce((n, { length }) => n * length, 1);
  if (crossed > MOST_CELLS) {
    return [
      {
        code: 'definition.out-of-range',
        path: 'factors',
        message: 'too many cells',
        found: String(crossed),
        allowed: `at most ${MOST_CELLS}`,
      },
    ];
  }
  const cells = cellLevels(definition);
  const problems = new Map<string, Problem>();
  for (const levels of cells) {
    // One level at a time names the guilty factor; all together finds what only their combination breaks.
    const parts = Object.entries(levels).map(([path, level]): Levels => ({ [path]: level }));
    const found = parts.flatMap((part) => withoutDefinition(withLevels(definition, part)));
    for (const problem of found.length > 0 ? found : withoutDefinition(withLevels(definition, levels))) {
      problems.set(`${problem.path} ${problem.message}`, problem);
    }
  }
  cells.forEach((levels, index) => {
    if (cells.findIndex((other) => sameLevels(other, levels)) < index) {
      problems.set(`twice ${index}`, {
        code: 'definition.factor-twice',
        path: 'factors',
        message: 'the same cell stands here twice',
        found: showValue(levels),
      });
    }
  });
  if (baselineIndex(definition) === -1) {
    const allowed = 'the levels of one cell, a level for each factor';
    problems.set('baseline', {
      code: 'definition.baseline',
      path: 'baseline',
      message: 'is none of the cells',
      found: showValue(definition.baseline),
      allowed,
    });
  }
  return [...problems.values()];
}

const withoutDefinition = (result: Definition | Problem[]): Problem[] =>
  Array.isArray(result) ? result : [];
