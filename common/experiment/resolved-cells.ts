/** What each cell stands for: the definition with its levels put in, worked out once and passed along from there. */
import { showValue, type Problem } from '../problem';
import type { Cell } from '../measurement/trial';
import { cellDefinition, type CellDefinition } from './cell-definition';
import { baselineIndex, cellsOf, factorPaths, MOST_CELLS, sameLevels, showLevel, type Levels } from './cells';
import { withOwnDuration } from './default-duration';
import { definitionSchema, type Definition, type TaskDefinition } from './definition';
import { parsePath, setAt } from './path';
import { problemsFrom } from './problems';

/** A cell with what its trials do. What is stored of a cell is {@link Cell} alone: see `storedCell`. */
export interface ResolvedCell extends Cell {
  definition: CellDefinition;
}

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

/** The definition without its factors, the levels put in as they are written, and what is wrong with their paths. */
function varied(definition: Definition, levels: Levels): { own: Definition; problems: Problem[] } {
  const own = structuredClone({ ...definition, factors: {}, baseline: undefined });
  const problems: Problem[] = [];
  for (const [path, level] of Object.entries(levels)) {
    const root = parsePath(path)[0];
    const why = VARIABLE_ROOTS.includes(root ?? '')
      ? setAt(own, path, structuredClone(level))
      : 'this cannot be a factor';
    if (why !== undefined) {
      const allowed = `a path that begins with ${VARIABLE_ROOTS.join(', ')}`;
      problems.push({ code: 'definition.factor-path', path: `factors.${path}`, message: why, allowed });
    }
  }
  return { own: withOwnDuration(own, definition), problems };
}

/** The definition with the levels put in, or what is wrong with them. */
function withLevels(definition: Definition, levels: Levels): Definition | Problem[] {
  const { own, problems } = varied(definition, levels);
  if (problems.length > 0) return problems;
  const result = definitionSchema.safeParse(own, { reportInput: true });
  if (result.success) return result.data;
  return problemsFrom(result.error.issues, definitionSchema).map((problem) => ({
    ...problem,
    path: `factors (${Object.entries(levels)
      .map(([path, level]) => `${path}=${showLevel(level)}`)
      .join(', ')}): ${problem.path}`,
    message: problem.code === 'definition.unknown-key' ? 'the factor path does not exist' : problem.message,
  }));
}

/** The cells of a definition that was read by `readDefinition`. Throws where one of them is refused, which that excludes. */
export const resolveCells = (definition: Definition): ResolvedCell[] =>
  cellsOf(definition).map((cell) => {
    const own = withLevels(definition, cell.levels);
    if (!Array.isArray(own)) return { ...cell, definition: cellDefinition(own) };
    throw new Error(`cell ${cell.label} was not checked: ${own.map(({ message }) => message).join('; ')}`);
  });

/**
 * What the trials of a cell did, by a definition that was stored with its defaults. It is not judged again: where this
 * version would refuse it, it holds as it stands, so that what was measured with it can still be read.
 */
export function resolveStoredCell(definition: Definition, cell: Cell): ResolvedCell {
  const own = withLevels(definition, cell.levels);
  if (!Array.isArray(own)) return { ...cell, definition: cellDefinition(own) };
  const { own: asItStands } = varied(definition, cell.levels);
  return { ...cell, definition: cellDefinition({ ...defaults(), ...asItStands }) };
}

/** Of the parts that a definition need not have, nor had when it was stored by a version that did not know them. */
const defaults = (): Definition =>
  definitionSchema.parse({
    version: 1,
    name: 'defaults',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
  });

/** The tasks of all cells, for a factor may give a cell others: each name once, as the first cell has it. */
export function tasksOf(cells: readonly ResolvedCell[]): TaskDefinition[] {
  const found = new Map<string, TaskDefinition>();
  for (const task of cells.flatMap(({ definition }) => definition.tasks))
    if (!found.has(task.name)) found.set(task.name, task);
  return [...found.values()];
}

/** Whether a factor gives cells other tasks, and not only other values in them. */
const variesTasks = (definition: Pick<Definition, 'factors'>): boolean =>
  factorPaths(definition)
    .map(parsePath)
    .some(
      ([root, , key, ...deeper]) =>
        root === 'tasks' && (key === undefined || key === 'name') && deeper.length === 0,
    );

/** {@link tasksOf} a run as it is stored; its cells are resolved only where they may differ in their tasks. */
export const storedTasks = (definition: Definition, cells: readonly Cell[]): TaskDefinition[] =>
  variesTasks(definition)
    ? tasksOf(cells.map((cell) => resolveStoredCell(definition, cell)))
    : definition.tasks;

/** The tasks of one cell of a run as it is stored. */
export const storedTasksIn = (definition: Definition, cell: Cell): TaskDefinition[] =>
  variesTasks(definition) ? resolveStoredCell(definition, cell).definition.tasks : definition.tasks;

/** Everything that is wrong with factors and baseline, each problem once; `checkOwn` judges a cell beyond its schema. */
export function checkFactors(
  definition: Definition,
  checkOwn: (own: Definition) => Problem[] = () => [],
): Problem[] {
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
  const cells = cellsOf(definition);
  const problems = new Map<string, Problem>();
  for (const { levels, label } of cells) {
    for (const problem of checkCell(definition, levels, label, checkOwn))
      problems.set(`${problem.path} ${problem.message}`, problem);
  }
  cells.forEach(({ levels }, index) => {
    if (cells.findIndex((other) => sameLevels(other.levels, levels)) < index) {
      problems.set(`twice ${index}`, {
        code: 'definition.factor-twice',
        path: 'factors',
        message: 'this cell is listed twice',
        found: showValue(levels),
      });
    }
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

function checkCell(
  definition: Definition,
  levels: Levels,
  label: string,
  checkOwn: (own: Definition) => Problem[],
): Problem[] {
  const own = withLevels(definition, levels);
  if (!Array.isArray(own))
    return checkOwn(own).map((problem) => ({ ...problem, path: `factors (${label}): ${problem.path}` }));
  // One level at a time names the guilty factor, unless it is only their combination.
  const found = Object.entries(levels).flatMap(([path, level]) => {
    const part = withLevels(definition, { [path]: level });
    return Array.isArray(part) ? part : [];
  });
  return found.length > 0 ? found : own;
}
