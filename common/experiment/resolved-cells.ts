/** Creates the definition of each cell by applying the levels of the cell. The results are cached. */
import { nearest } from '../near';
import { MOST_PROBLEMS, showValue, type Problem } from '../problem';
import type { Cell } from '../measurement/trial';
import { cellDefinition, type CellDefinition } from './cell-definition';
import {
  baselineIndex,
  cellsOf,
  countCells,
  factorPaths,
  levelsKey,
  MOST_CELLS,
  MOST_FACTORS,
  MOST_TRIALS,
  MOST_WRITTEN_OUT,
  shortNames,
  showLevels,
  writtenOut,
  type Levels,
} from './cells';
import { withOwnDuration } from './default-duration';
import { cellSchema, definitionSchema, type Definition, type TaskDefinition } from './definition';
import { parsePath, setShared } from './path';
import { problemsFrom } from './problems';
import { mostTrials } from './trial-counts';

/** A cell (combination of factor levels) with the definition of its trials. Runs store only the {@link Cell}; see `storedCell`. */
export interface ResolvedCell extends Cell {
  definition: CellDefinition;
}

/** First keys of paths that a factor can vary. All other keys apply to the experiment as a whole. */
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

/**
 * Returns the definition with the levels of a cell applied. The result has not been validated by the schema yet. `problems`: one for each
 * factor whose path does not exist or cannot be varied.
 */
function varied(definition: Definition, levels: Levels): { own: Definition; problems: Problem[] } {
  const own: Definition = { ...definition, factors: {}, baseline: undefined };
  const problems: Problem[] = [];
  for (const [path, level] of Object.entries(levels)) {
    const root = parsePath(path)[0];
    const why = VARIABLE_ROOTS.includes(root ?? '')
      ? setShared(own as unknown as Record<string, unknown>, path, level)
      : 'this cannot be a factor';
    if (why !== undefined) {
      const allowed = `a path that begins with ${VARIABLE_ROOTS.join(', ')}`;
      const meant = pathMeant(definition, path);
      problems.push({
        code: 'definition.factor-path',
        path: `factors.${path}`,
        message: why,
        allowed,
        ...(meant === undefined ? {} : { meant: { key: meant } }),
      });
    }
  }
  return { own: withOwnDuration(own, definition), problems };
}

/** Returns the path with its first key, or the name of its task, corrected if this is misspelt. Otherwise undefined. */
function pathMeant({ tasks }: Definition, path: string): string | undefined {
  const [root = '', task = '', ...rest] = path.split('.');
  if (!VARIABLE_ROOTS.includes(root)) {
    const meant = nearest(root, VARIABLE_ROOTS);
    return meant === undefined ? undefined : [meant, ...path.split('.').slice(1)].join('.');
  }
  const names = tasks.map(({ name }) => name);
  const meant = root === 'tasks' && !names.includes(task) ? nearest(task, names) : undefined;
  return meant === undefined ? undefined : [root, meant, ...rest].join('.');
}

/**
 * Corrects the path of a factor that contains an unknown key: the most similar valid key replaces it. Undefined if no valid key is similar,
 * or if the unknown key is in a level of the factor instead of its path.
 */
function pathWithKey({ path, allowed = '' }: Problem, factor: string | undefined): Problem['meant'] {
  const key = /([^.[\]]+)$/.exec(path)?.[1] ?? '';
  // `allowed` lacks the keys that the definition already has. They are candidates too, because the factor replaces their values.
  const meant = nearest(key, allowed.split(', '));
  const segments = factor?.split('.') ?? [];
  const at = segments.lastIndexOf(key);
  return meant === undefined || at < 0 ? undefined : { key: segments.toSpliced(at, 1, meant).join('.') };
}

/**
 * Returns the top-level keys that levels may have changed: the first keys of their paths, and `measure`, because the default duration
 * depends on the tasks.
 */
const changedBy = (levels: Levels): string[] => {
  const roots = Object.keys(levels).map((path) => parsePath(path)[0]!);
  return [...new Set([...roots, 'measure'])];
};

/**
 * Returns the definition with the levels applied, or the problems. Only the parts that the levels change are validated. The other parts are
 * those of `definition`, not copies.
 */
function withLevels(definition: Definition, levels: Levels): Definition | readonly Problem[] {
  const { own, problems } = varied(definition, levels);
  if (problems.length > 0) return problems;
  const result = cellSchema(changedBy(levels)).safeParse(own, { reportInput: true });
  if (result.success) return result.data;
  const paths = Object.keys(levels);
  return problemsFrom(result.error.issues, definitionSchema).map((problem) => ({
    ...problem,
    path: `factors (${showLevels(levels)}): ${problem.path}`,
    ...(problem.code === 'definition.unknown-key'
      ? {
          message: 'the factor path does not exist',
          meant: pathWithKey(problem, paths.length === 1 ? paths[0] : undefined),
        }
      : {}),
  }));
}

const isRefused = (own: Definition | readonly Problem[]): own is readonly Problem[] => Array.isArray(own);

/** Cache of the cells of definitions. The plan, the cost and several checks need the same cells. */
const resolved = new WeakMap<Definition, readonly ResolvedCell[]>();

/**
 * Returns the cells of a definition, each with the definition of its trials. `definition`: result of `readDefinition`, which guarantees
 * that all cells are valid. Throws if a cell is invalid.
 */
export function resolveCells(definition: Definition): readonly ResolvedCell[] {
  const known = resolved.get(definition);
  if (known) return known;
  const cells = cellsOf(definition).map((cell) => {
    const own = withLevels(definition, cell.levels);
    if (!isRefused(own)) return { ...cell, definition: cellDefinition(own) };
    throw new Error(`cell ${cell.label} was not checked: ${own.map(({ message }) => message).join('; ')}`);
  });
  resolved.set(definition, cells);
  return cells;
}

/**
 * Returns a cell of a stored run with the definition of its trials. If this version of Dyno refuses the definition, it is used without
 * validation. Old results therefore remain readable.
 */
export function resolveStoredCell(definition: Definition, cell: Cell): ResolvedCell {
  const own = judgedAgain(definition, cell.levels);
  if (own) return { ...cell, definition: cellDefinition(own) };
  const { own: unchecked } = varied(definition, cell.levels);
  return { ...cell, definition: cellDefinition({ ...defaults(), ...unchecked }) };
}

/**
 * Applies the levels of a cell to a stored definition and validates the result. The validation adds defaults for keys that are new in this
 * version of Dyno. Returns undefined if this version refuses the result.
 */
function judgedAgain(definition: Definition, levels: Levels): Definition | undefined {
  const { own, problems } = varied(definition, levels);
  const result = problems.length > 0 ? undefined : definitionSchema.safeParse(own);
  return result?.data;
}

/**
 * Returns a definition that contains only defaults. It provides values for keys that did not exist yet when an older version of Dyno stored
 * a definition.
 */
const defaults = (): Definition =>
  definitionSchema.parse({
    version: 1,
    name: 'defaults',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
  });

/**
 * Returns the tasks of all cells, because a factor can change tasks. If cells have different tasks with the same name, only the first of
 * these is returned.
 */
export function tasksOf(cells: readonly ResolvedCell[]): TaskDefinition[] {
  const found = new Map<string, TaskDefinition>();
  for (const task of cells.flatMap(({ definition }) => definition.tasks))
    if (!found.has(task.name)) found.set(task.name, task);
  return [...found.values()];
}

/** Returns whether a factor replaces whole tasks or their names. Other factors only change values in tasks. */
const variesTasks = (definition: Pick<Definition, 'factors'>): boolean =>
  factorPaths(definition)
    .map(parsePath)
    .some(
      ([root, , key, ...deeper]) =>
        root === 'tasks' && (key === undefined || key === 'name') && deeper.length === 0,
    );

/**
 * Returns the tasks of all cells of a stored run; see {@link tasksOf}. Creates the definitions of the cells only if a factor replaces tasks
 * or their names. Otherwise, returns the tasks of the definition.
 */
export const storedTasks = (definition: Definition, cells: readonly Cell[]): TaskDefinition[] =>
  variesTasks(definition)
    ? tasksOf(cells.map((cell) => resolveStoredCell(definition, cell)))
    : definition.tasks;

/**
 * Returns the tasks of one cell of a stored run. The values in these tasks may be those of the definition instead of the cell, unless a
 * factor replaces tasks or their names.
 */
export const storedTasksIn = (definition: Definition, cell: Cell): TaskDefinition[] =>
  variesTasks(definition) ? resolveStoredCell(definition, cell).definition.tasks : definition.tasks;

/**
 * Returns the problems of the factors and the baseline. `checkOwn`: returns further problems of the definition of a cell. Dyno calls
 * `checkOwn` only for definitions that the schema accepts. The paths of these problems contain the levels of the cell.
 */
export function checkFactors(
  definition: Definition,
  checkOwn: (own: Definition) => Problem[] = () => [],
): Problem[] {
  const tooMuch = checkExtents(definition);
  if (tooMuch.length > 0) return tooMuch;
  const cells = cellsOf(definition);
  const problems = new Map<string, Problem>();
  const judge = judgeOf(definition);
  const names = shortNames(factorPaths(definition));
  const found: ResolvedCell[] = [];
  for (const cell of cells) {
    // Further problems would not be shown to the user.
    if (problems.size > MOST_PROBLEMS) break;
    const own = judge(cell.levels);
    if (!isRefused(own)) found.push({ ...cell, definition: cellDefinition(own) });
    const ownProblems = isRefused(own)
      ? own
      : checkOwn(own).map((problem) => ({
          ...problem,
          path: `factors (${showLevels(cell.levels, names)}): ${problem.path}`,
        }));
    for (const problem of ownProblems) problems.set(`${problem.path} ${problem.message}`, problem);
  }
  if (problems.size === 0) resolved.set(definition, found);
  const seen = new Set<string>();
  cells.forEach(({ levels }, index) => {
    const key = levelsKey(levels);
    if (seen.has(key)) {
      problems.set(`twice ${index}`, {
        code: 'definition.factor-twice',
        path: 'factors',
        message: 'this cell is listed twice',
        found: showValue(levels),
      });
    }
    seen.add(key);
  });
  if (baselineIndex(definition) === -1) {
    const allowed = 'the levels of one cell, a level for each factor';
    problems.set('baseline', {
      code: 'definition.baseline',
      path: 'baseline',
      message: 'is not one of the cells',
      found: showValue(definition.baseline),
      allowed,
    });
  }
  return [...problems.values()];
}

/** Returns a problem if there are too many factors, cells or trials, or if the definitions of all cells together are too large. */
function checkExtents(definition: Definition): Problem[] {
  const { index } = definition;
  const trials = mostTrials(definition.trials);
  const tooMany = (message: string, found: number, allowed: string, path = 'factors'): Problem[] => [
    { code: 'definition.out-of-range', path, message, found: String(found), allowed },
  ];
  const paths = factorPaths(definition).length;
  if (paths > MOST_FACTORS) return tooMany('too many factors', paths, `at most ${MOST_FACTORS}`);
  const cells = countCells(definition);
  if (cells > MOST_CELLS) return tooMany('too many cells', cells, `at most ${MOST_CELLS}`);
  if (cells * trials > MOST_TRIALS)
    return tooMany(
      'too many trials of all cells together',
      cells * trials,
      `at most ${MOST_TRIALS}`,
      'trials',
    );
  const { mapping } = index;
  // If cells share the documents that are loaded before trials, the check of each cell reads the whole mapping. Otherwise, it only reads
  // the top-level keys of the mapping.
  const isRead =
    definition.preload !== undefined || factorPaths(definition).some((path) => /^preload\b/.test(path));
  const read = typeof mapping === 'object' && !isRead ? Object.keys(mapping) : mapping;
  const shared = { ...definition, factors: {}, index: { ...index, mapping: read } };
  const extent = writtenOut(shared, definition);
  if (extent > MOST_WRITTEN_OUT)
    return tooMany(
      `too many cells for a definition of this size: together they have too many keys and values`,
      Math.round(extent),
      `at most ${MOST_WRITTEN_OUT}, that is fewer cells, or a shorter definition`,
    );
  return [];
}

/**
 * Returns a function that applies the levels of a cell, and returns the resulting definition or its problems. The function caches the
 * problems of single levels, because many cells have the same level.
 */
function judgeOf(definition: Definition): (levels: Levels) => Definition | readonly Problem[] {
  const alone = new Map<string, Map<unknown, readonly Problem[]>>();
  const problemsAlone = (path: string, level: unknown): readonly Problem[] => {
    const ofPath = alone.get(path) ?? new Map<unknown, readonly Problem[]>();
    alone.set(path, ofPath);
    const part = ofPath.get(level) ?? withLevels(definition, { [path]: level });
    const found = isRefused(part) ? part : [];
    ofPath.set(level, found);
    return found;
  };
  return (levels) => {
    const own = withLevels(definition, levels);
    if (!isRefused(own)) return own;
    // To find the factor that causes the problem, each level is tried alone. This finds nothing if only a combination of levels causes the
    // problem.
    const found = Object.entries(levels).flatMap(([path, level]) => problemsAlone(path, level));
    return found.length > 0 ? found : own;
  };
}
