/** Reading a definition: schema, factors, conditions and claims, with everything that is wrong told at once. */
import { isSecretPath } from '../secrets/definition';
import { isSecretHeaderName } from '../secrets/redact';
import { REMOVED } from '../secrets/removed';
import { DynoError, showValue, type Problem } from '../problem';
import { factorLevels, factorPaths, showLevel } from './cells';
import { mappingOf } from './cell-definition';
import { checkDataStream } from './data-stream';
import { environmentKey } from './environment';
import {
  parseClaim,
  parseCondition,
  type Claim,
  type Condition,
  type LanguageError,
  type NamedTask,
} from '../measurement/condition';
import { isOfTask, PER_MONEY } from '../measurement/metric';
import { withDefaultDuration } from './default-duration';
import { definitionSchema, type Definition } from './definition';
import { executorProblems } from '../executors/registry';
import { checkCaches, checkExisting } from './existing';
import { problemsFrom, withoutConsequences } from './problems';
import { problemsBeyond } from './repair';
import { settingProblems } from './setting-problems';
import { parseText } from './document';
import { generatorOf } from '../tasks/source';
import { checkDatedFiles } from './dated-files';
import { removedProblems } from './removed-credentials';
import { checkRecipe, recipeNames } from './recipe';
import { formatPath, parsePath, type PathSegment } from './path';
import { checkPreload, documentSources } from './preload';
import { PRICE, PRICE_FORM, priceOf, priceProblems } from './price';
import { checkFactors, resolveCells, type ResolvedCell } from './resolved-cells';
import { scheduleProblem } from './schedule';
import { checkScheduled } from './scheduled';
import { settledDefinition } from './settle';
import { checkOneEnvironment, checkTrials } from './trial-counts';
import { checkVectors } from './vectors';
import { answerFiguresWithin, indexProblems, namedWithin, workProblems } from '../tasks/registry';

function checkNames({ tasks }: Definition): Problem[] {
  const names = tasks.map(({ name }) => name);
  return names
    .map((name, index) => ({ name, index }))
    .filter(({ name, index }) => names.indexOf(name) < index)
    .map(({ name, index }) => ({
      code: 'definition.name-twice',
      path: `tasks[${index}].name`,
      message: 'another task has this name',
      found: name,
      allowed: 'a name for each task',
    }));
}

/** What must fit between the parts of a definition. */
function checkParts(definition: Definition): Problem[] {
  const { tasks, measure, index } = definition;
  const problems: Problem[] = [];
  const ingests = tasks.filter(({ ingest }) => ingest);
  if (measure.documents !== undefined && ingests.length === 0) {
    problems.push({
      code: 'definition.documents-without-ingest',
      path: 'measure.documents',
      message: 'no task sends documents',
      allowed: 'measure.duration, or a task with ingest',
    });
  }
  const sources = documentSources(definition);
  if (
    index.existing === undefined &&
    index.mapping === undefined &&
    sources.length > 0 &&
    sources.every((source) => generatorOf(source) === undefined && source.vectors === undefined)
  ) {
    problems.push({
      code: 'definition.mapping-missing',
      path: 'index.mapping',
      message: 'documents from a file or a profile need a mapping',
      allowed:
        'the name of one that comes with Dyno, or a mapping written out: `dyno learn` writes that of a profile; {} lets Elasticsearch guess',
    });
  }
  return problems;
}

/** The tasks that metrics may speak of: those of any cell, for a factor may give them names or requests of its own. */
function namedTasks(definitions: readonly Pick<Definition, 'tasks'>[]): NamedTask[] {
  const found = new Map<string, NamedTask>();
  for (const task of definitions.flatMap(({ tasks }) => tasks)) {
    const requests = namedWithin(task);
    const known = found.get(task.name) ?? { name: task.name, requests: [], answerFigures: [] };
    const answerFigures = [...new Set([...known.answerFigures, ...answerFiguresWithin(task)])];
    const all =
      requests === null || known.requests === null ? null : [...new Set([...known.requests, ...requests])];
    found.set(task.name, { ...known, requests: all, answerFigures });
  }
  return [...found.values()];
}

/** Without it the bytes of fields are not known. */
const DISK_USAGE = 'measure.disk-usage';

function checkLanguages(
  definition: Definition,
  tasks: readonly NamedTask[],
  recipeSteps: readonly string[],
  isPriced: boolean,
  /** Paths that misspelt factors were meant to be: a claim that names one is right. */
  meantFactors: readonly string[],
): Problem[] {
  const factors = factorPaths(definition);
  const check = (key: 'thresholds' | 'stop-when' | 'expect', parse: (text: string) => object): Problem[] =>
    definition[key].flatMap((text, index) => {
      const { message, allowed, meant } = parse(text) as Partial<LanguageError>;
      return message === undefined
        ? []
        : [
            {
              code: `definition.${key}`,
              path: `${key}[${index}]`,
              message,
              found: showValue(text),
              allowed,
              ...(meant === undefined ? {} : { meant: { text: meant } }),
            },
          ];
    });
  const readsFields = definition.measure['disk-usage'] === true || factors.includes(DISK_USAGE);
  const ofMoney = (parsed: Claim | Condition, isUnderLoad: boolean): object =>
    isUnderLoad
      ? {
          message: 'figures per money are known of whole trials only',
          allowed: 'throughput; thresholds and claims may name per_money',
        }
      : isPriced
        ? parsed
        : { message: `there is no price: environment.${PRICE}`, allowed: PRICE_FORM };
  /** What is found of the indices is told where it can be. */
  const ofIndex = (parsed: Claim | Condition | LanguageError, isUnderLoad = false): object => {
    if ('message' in parsed) return parsed;
    if (parsed.metric.figure === PER_MONEY && isOfTask(parsed.metric)) return ofMoney(parsed, isUnderLoad);
    if (isOfTask(parsed.metric)) return parsed;
    if (isUnderLoad && parsed.metric.ofCluster)
      return {
        message: 'figures of the cluster are read when the load has ended',
        allowed: 'figures of a task; thresholds and claims may name those of the cluster',
      };
    if (isUnderLoad)
      return {
        message: 'figures of the indices are read when the load has ended',
        allowed: 'figures of a task; thresholds and claims may name those of the indices',
      };
    const { step } = parsed.metric;
    if (step !== undefined && !recipeSteps.includes(step))
      return {
        message: recipeSteps.length === 0 ? 'there is no measure.recipe' : 'measure.recipe has no such step',
        allowed: recipeSteps.join(', ') || 'measure.recipe: a list of steps',
      };
    return parsed.metric.field === undefined || readsFields
      ? parsed
      : { message: `the bytes by field are not read without ${DISK_USAGE}`, allowed: `${DISK_USAGE}: true` };
  };
  return [
    ...check('thresholds', (text) => ofIndex(parseCondition(text, tasks))),
    ...check('stop-when', (text) => ofIndex(parseCondition(text, tasks), true)),
    ...check('expect', (text) => ofIndex(parseClaim(text, tasks, [...factors, ...meantFactors]))),
    ...checkRanges(definition, factors),
  ];
}

/** A claim's range must name levels of its factor. */
function checkRanges(definition: Definition, factors: readonly string[]): Problem[] {
  const known = new Map<string, readonly string[]>();
  return definition.expect.flatMap((text, index) => {
    const claim = parseClaim(text);
    if ('message' in claim || claim.range === null || !factors.includes(claim.factor)) return [];
    const { factor } = claim;
    const levels = known.get(factor) ?? [
      ...new Set(factorLevels(definition, factor).map(isSecretPath(factor) ? () => REMOVED : showLevel)),
    ];
    known.set(factor, levels);
    return [claim.range.from, claim.range.to]
      .filter((level) => !levels.includes(level))
      .map((level) => ({
        code: 'definition.expect',
        path: `expect[${index}]`,
        message: `not a level of ${claim.factor}`,
        found: level,
        allowed: levels.join(', '),
      }));
  });
}

const checkTasks = (definition: Definition): Problem[] => [
  ...checkNames(definition),
  ...workProblems(definition.tasks),
  ...executorProblems(definition.tasks),
];

/** What must fit together in the definition as it stands, and in each of its cells. */
const checkFit = (definition: Definition): Problem[] => [
  ...removedProblems(definition),
  ...checkParts(definition),
  ...checkPreload(definition),
  ...checkExisting(definition),
  ...checkCaches(definition),
  ...checkRecipe(definition),
  ...checkDataStream(definition, mappingOf(definition)),
  ...checkVectors(definition),
];

/** Whether each cell has the indices that its tasks name. */
function checkIndices(cells: readonly ResolvedCell[]): Problem[] {
  const problems = new Map<string, Problem>();
  for (const { definition } of cells)
    for (const problem of indexProblems(definition.tasks, definition.index))
      problems.set(problem.path, problem);
  return [...problems.values()];
}

/** Where the definition as it stands is right, a cell is judged by what its levels may have broken. */
function checkCells(definition: Definition): Problem[] {
  const variesTasks = factorPaths(definition).some((path) => /^tasks\b/.test(path));
  return checkFactors(definition, (own) => [...(variesTasks ? checkTasks(own) : []), ...checkFit(own)]);
}

/** Levels are the names of cells: they are in every table, chart, file and stored trial. */
const secretFactors = (definition: Definition): Problem[] =>
  factorPaths(definition)
    .filter(
      (path) =>
        isSecretPath(path) ||
        // A factor may vary all headers or parameters at once.
        factorLevels(definition, path).some((level) => isSecretLevel(path, level)),
    )
    .map((path) => ({
      code: 'definition.secret-factor',
      path: `factors.${path}`,
      message: 'a factor must not vary a credential, because every table and export shows its levels',
      allowed: 'an experiment for each credential, compared by `dyno compare`',
    }));

const isSecretLevel = (path: string, level: unknown): boolean =>
  /(?:^|\.)(?:headers|params)$/.test(path) &&
  typeof level === 'object' &&
  level !== null &&
  Object.keys(level).some((name) => isSecretPath(`${path}.${name}`));

/** What was found is not repeated where a credential belongs, or may have been put by mistake. */
const withoutFound = (problem: Problem): Problem =>
  problem.found !== undefined &&
  (isSecretPath(problem.path) || isSecretHeaderName(parsePath(problem.path).at(-1) ?? ''))
    ? { ...problem, found: REMOVED }
    : problem;

/** Numbers that JSON cannot write: `.inf` and `.nan` where a definition takes any value. */
function checkFinite(value: unknown, path: readonly PathSegment[] = []): Problem[] {
  if (typeof value === 'number' && !Number.isFinite(value))
    return [
      {
        code: 'definition.not-json',
        path: formatPath(path),
        message: 'JSON has no such number, so it cannot be sent',
        found: String(value),
        allowed: 'a finite number, or a text in quotes',
      },
    ];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    checkFinite(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** Everything that is wrong with a definition that fits the schema. */
function problemsWithin(definition: Definition): Problem[] {
  const asItStands = [
    ...checkFinite(definition),
    ...checkTasks(definition),
    ...checkFit(definition),
    ...checkTrials(definition),
  ];
  const ofFactors = asItStands.length > 0 ? checkFactors(definition) : checkCells(definition);
  // Cells can be told only where their factors are right.
  const cells = ofFactors.length === 0 ? resolveCells(definition) : null;
  const all = cells?.map(({ definition: own }) => own) ?? [definition];
  const isPriced = all.some(({ environment }) => priceOf(environment) !== undefined);
  const ofSettings = settingProblems(definition);
  const meant = [...ofFactors, ...ofSettings].flatMap(({ path, meant: suggested }) =>
    path.startsWith('factors') && suggested !== undefined && 'key' in suggested ? [suggested.key] : [],
  );
  const problems = [
    ...secretFactors(definition),
    ...asItStands,
    ...ofSettings,
    ...ofFactors,
    ...checkDatedFiles(definition),
    ...checkLanguages(definition, namedTasks(all), recipeNames(all), isPriced, meant),
    ...priceProblems(cells ?? []),
    ...(definition.schedule === undefined ? [] : (scheduleProblem(definition.schedule)?.problems ?? [])),
  ];
  if (cells === null) return problems;
  // Which host it is for is not known here: that one looks again.
  const environments = new Set(cells.map(({ definition: own }) => environmentKey(own.environment)));
  return [
    ...problems,
    // Tasks that are wrong by themselves cannot be held against the indices.
    ...(asItStands.length > 0 ? [] : checkIndices(cells)),
    ...checkOneEnvironment(definition, environments.size),
    ...checkScheduled(definition, cells, true),
  ];
}

/** Reads an exact value (`common/json/exact.ts`). Throws a DynoError (`input`) with all problems. */
export function readDefinition(input: unknown): Definition {
  const { input: whole, perCell } = withDefaultDuration(settledDefinition(input));
  const withoutDuration = (read: Definition): Definition => {
    if (perCell) delete read.measure.duration;
    return read;
  };
  const result = definitionSchema.safeParse(whole, { reportInput: true });
  if (!result.success) {
    const issues = withoutConsequences(result.error.issues, definitionSchema);
    const beyond = problemsBeyond(whole, issues, (read) => problemsWithin(withoutDuration(read)));
    throw new DynoError(
      'input',
      withoutRepeated([...problemsFrom(issues, definitionSchema), ...beyond]).map(withoutFound),
    );
  }
  const definition = withoutDuration(result.data);
  const problems = problemsWithin(definition);
  if (problems.length > 0) throw new DynoError('input', problems.map(withoutFound));
  return definition;
}

/** What of a definition may be wrong without a bearing on its indices, documents and requests. */
const BESIDE = { expect: [], thresholds: [], 'stop-when': [], tags: [], schedule: undefined, trials: 1 };

/** Reads a definition that is still being written, as far as its indices, documents and requests need it. Throws as {@link readDefinition}. */
export const readForTrying = (written: Readonly<Record<string, unknown>>): Definition =>
  readDefinition({ ...written, ...BESIDE });

/** One problem a path and message. */
const withoutRepeated = (problems: readonly Problem[]): Problem[] =>
  [...new Map(problems.toReversed().map((one) => [`${one.path} ${one.message}`, one])).values()].toReversed();

/** The value of YAML or JSON text as a definition holds it, whether it is one or not. */
export const parseDefinition = (text: string, name: string): unknown =>
  settledDefinition(parseText(text, name));

/** {@link readDefinition} of YAML or JSON text; `name` of the file is for messages. */
export const readDefinitionText = (text: string, name: string): Definition =>
  readDefinition(parseText(text, name));
