/** Reads a definition. Checks it against the schema, and checks its factors, conditions and claims. Reports all problems together. */
import { isSecretPath } from '../secrets/definition';
import { isSecretHeaderName } from '../secrets/redact';
import { REMOVED } from '../secrets/removed';
import { DynoError, showValue, type Problem } from '../problem';
import { factorLevels, factorPaths, levelTexts } from './cells';
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
import { EVENTS, profiledIn, type ProfileEvent } from '../profile/events';
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

/** Checks keys that depend on each other, such as `measure.documents`, which needs a task that sends documents. */
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
        "the name of a mapping that comes with Dyno, or a mapping in Elasticsearch's syntax (`dyno learn` writes that of a profile; {} lets Elasticsearch guess)",
    });
  }
  return problems;
}

/**
 * Returns the tasks that metrics may name, with their requests. The tasks of all cells are included, because a factor may change the names
 * or requests of tasks.
 */
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

/** Path of the key of a definition that makes Dyno read the size of each field. */
const DISK_USAGE = 'measure.disk-usage';

function checkLanguages(
  definition: Definition,
  tasks: readonly NamedTask[],
  recipeSteps: readonly string[],
  isPriced: boolean,
  /** Event that the trials profile instead of CPU time. Undefined if a trial profiles CPU time, or if no trial has a profile. */
  otherEvent: ProfileEvent | undefined,
  /** Suggested corrections of misspelt paths of factors. A claim that uses such a corrected path is not reported as a further problem. */
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
          message: 'metrics per money are only known for whole trials',
          allowed: 'throughput; thresholds and claims can also use per_money',
        }
      : isPriced
        ? parsed
        : { message: `there is no price: environment.${PRICE}`, allowed: PRICE_FORM };
  /**
   * Checks whether a metric of the cluster, of the indices or of costs is possible with this definition. Returns the claim or condition
   * unchanged, or the problem. `isUnderLoad`: whether the condition is evaluated during the load, when fewer metrics exist.
   */
  const ofIndex = (parsed: Claim | Condition | LanguageError, isUnderLoad = false): object => {
    if ('message' in parsed) return parsed;
    if (parsed.metric.figure === PER_MONEY && isOfTask(parsed.metric)) return ofMoney(parsed, isUnderLoad);
    if (isOfTask(parsed.metric)) return parsed;
    if (isUnderLoad && parsed.metric.ofCluster)
      return {
        message: 'metrics of the cluster are read after the load',
        allowed: 'metrics of a task; thresholds and claims can also use metrics of the cluster',
      };
    if (isUnderLoad)
      return {
        message: 'metrics of the indices are read after the load',
        allowed: 'metrics of a task; thresholds and claims can also use metrics of the indices',
      };
    if (otherEvent !== undefined && parsed.metric.ofCluster?.nodeMetric.group === 'activities')
      return {
        message: `the profile counts ${EVENTS[otherEvent].name} instead of CPU time`,
        allowed: 'measure.profile-event: cpu',
      };
    const { step } = parsed.metric;
    if (step !== undefined && !recipeSteps.includes(step))
      return {
        message: recipeSteps.length === 0 ? 'there is no measure.recipe' : 'measure.recipe has no such step',
        allowed: recipeSteps.join(', ') || 'measure.recipe: a list of steps',
      };
    return parsed.metric.field === undefined || readsFields
      ? parsed
      : {
          message: `the bytes of each field are only read with ${DISK_USAGE}`,
          allowed: `${DISK_USAGE}: true`,
        };
  };
  return [
    ...check('thresholds', (text) => ofIndex(parseCondition(text, tasks))),
    ...check('stop-when', (text) => ofIndex(parseCondition(text, tasks), true)),
    ...check('expect', (text) => ofIndex(parseClaim(text, tasks, [...factors, ...meantFactors]))),
    ...checkRanges(definition, factors),
  ];
}

/** Returns a problem for each claim whose `from` or `to` is not a level of the factor. */
function checkRanges(definition: Definition, factors: readonly string[]): Problem[] {
  const known = new Map<string, readonly string[]>();
  const text = levelTexts(definition);
  return definition.expect.flatMap((written, index) => {
    const claim = parseClaim(written);
    if ('message' in claim || claim.range === null || !factors.includes(claim.factor)) return [];
    const { factor } = claim;
    const levels = known.get(factor) ?? [
      ...new Set(factorLevels(definition, factor).map((level) => text(factor, level))),
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

/** Returns the problems of one definition. Dyno calls it for the definition without its factors, and for the definition of each cell. */
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

/** Returns a problem for each task that uses an index which the trials of its cell do not create. */
function checkIndices(cells: readonly ResolvedCell[]): Problem[] {
  const problems = new Map<string, Problem>();
  for (const { definition } of cells)
    for (const problem of indexProblems(definition.tasks, definition.index))
      problems.set(problem.path, problem);
  return [...problems.values()];
}

/** Returns a problem if a cell chooses what to count without the profiler. A cell without a profile may do so if another cell uses it. */
function checkProfileEvent(cells: readonly ResolvedCell[]): Problem[] {
  const chosen = cells
    .map(({ definition: { measure } }) => measure)
    .filter((measure) => measure['profile-event'] !== undefined);
  const isUsed = chosen.some(({ profile }) => profile === 'profiler');
  const wrong = chosen.find(
    ({ profile = 'off', 'profile-event': event }) =>
      (profile === 'hot-threads' && event !== 'cpu') || (profile === 'off' && !isUsed),
  );
  return wrong === undefined
    ? []
    : [
        {
          code: 'definition.profile-event',
          path: 'measure.profile-event',
          message: 'only the profiler can count an event; hot threads only have the CPU time',
          found: wrong['profile-event']!,
          allowed: 'measure.profile: profiler, or no measure.profile-event',
        },
      ];
}

/** Returns the event that the cells profile. Undefined if a cell profiles CPU time, or without a profile. */
function otherEventOf(definitions: readonly Pick<Definition, 'measure'>[]): ProfileEvent | undefined {
  const events = definitions.flatMap(({ measure }) => profiledIn(measure)?.event ?? []);
  return events.includes('cpu') ? undefined : events[0];
}

/**
 * Checks the definition of each cell. The definition without its factors must be valid already. The levels of factors are therefore the
 * cause of all problems found here.
 */
function checkCells(definition: Definition): Problem[] {
  const variesTasks = factorPaths(definition).some((path) => /^tasks\b/.test(path));
  return checkFactors(definition, (own) => [...(variesTasks ? checkTasks(own) : []), ...checkFit(own)]);
}

/**
 * Returns a problem for each factor that varies a credential. This is not allowed, because the names of cells contain the levels, and all
 * tables, charts, files and stored trials contain these names.
 */
const secretFactors = (definition: Definition): Problem[] =>
  factorPaths(definition)
    .filter(
      (path) =>
        isSecretPath(path) ||
        // A level can contain all headers or all parameters.
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

/**
 * Replaces the wrong value (`found`) in a problem if it may be a credential, so that errors do not show it. The decision depends on the
 * path of the value.
 */
const withoutFound = (problem: Problem): Problem =>
  problem.found !== undefined &&
  (isSecretPath(problem.path) || isSecretHeaderName(parsePath(problem.path).at(-1) ?? ''))
    ? { ...problem, found: REMOVED }
    : problem;

/** Returns a problem for each `.inf` and `.nan` in parts of the definition that allow any value, because JSON has no such numbers. */
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

/** Returns all problems of a definition that has passed the schema. */
function problemsWithin(definition: Definition): Problem[] {
  const ownProblems = [
    ...checkFinite(definition),
    ...checkTasks(definition),
    ...checkFit(definition),
    ...checkTrials(definition),
  ];
  const ofFactors = ownProblems.length > 0 ? checkFactors(definition) : checkCells(definition);
  // The cells can be created only if the factors are valid.
  const cells = ofFactors.length === 0 ? resolveCells(definition) : null;
  const all = cells?.map(({ definition: own }) => own) ?? [definition];
  const isPriced = all.some(({ environment }) => priceOf(environment) !== undefined);
  const ofSettings = settingProblems(definition);
  const meant = [...ofFactors, ...ofSettings].flatMap(({ path, meant: suggested }) =>
    path.startsWith('factors') && suggested !== undefined && 'key' in suggested ? [suggested.key] : [],
  );
  const problems = [
    ...secretFactors(definition),
    ...ownProblems,
    ...ofSettings,
    ...ofFactors,
    ...checkDatedFiles(definition),
    ...checkLanguages(definition, namedTasks(all), recipeNames(all), isPriced, otherEventOf(all), meant),
    ...priceProblems(cells ?? []),
    ...(definition.schedule === undefined ? [] : (scheduleProblem(definition.schedule)?.problems ?? [])),
  ];
  if (cells === null) return problems;
  // This code does not know whether the host can start clusters. The host therefore checks the schedule again.
  const environments = new Set(cells.map(({ definition: own }) => environmentKey(own.environment)));
  return [
    ...problems,
    // Tasks are compared with the indices only if they are valid themselves.
    ...(ownProblems.length > 0 ? [] : checkIndices(cells)),
    ...checkProfileEvent(cells),
    ...checkOneEnvironment(definition, environments.size),
    ...checkScheduled(definition, cells, true),
  ];
}

/**
 * Reads a definition from a value whose numbers and strings keep their exact notation (`common/json/exact.ts`). Throws a DynoError
 * (`input`) with all problems.
 */
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

/**
 * Neutral values for the keys of a definition that do not affect its indices, documents and requests. {@link readForTrying} replaces these
 * keys.
 */
const BESIDE = { expect: [], thresholds: [], 'stop-when': [], tags: [], schedule: undefined, trials: 1 };

/**
 * Reads an unfinished definition in order to preview its documents, or to send one of its requests once. Ignores problems in the keys that
 * do not matter for this ({@link BESIDE}). Throws like {@link readDefinition}.
 */
export const readForTrying = (written: Readonly<Record<string, unknown>>): Definition =>
  readDefinition({ ...written, ...BESIDE });

/** Returns the problems without duplicates. Problems with the same path and message are duplicates. */
const withoutRepeated = (problems: readonly Problem[]): Problem[] =>
  [...new Map(problems.toReversed().map((one) => [`${one.path} ${one.message}`, one])).values()].toReversed();

/** Parses YAML or JSON text into the value of a definition, valid or not. */
export const parseDefinition = (text: string, name: string): unknown =>
  settledDefinition(parseText(text, name));

/** Parses YAML or JSON, and reads it as a definition. `name`: name of the file, for errors. Throws like {@link readDefinition}. */
export const readDefinitionText = (text: string, name: string): Definition =>
  readDefinition(parseText(text, name));
