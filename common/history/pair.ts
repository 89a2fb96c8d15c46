/**
 * Combines two definitions, called the good and the bad one, into one experiment that compares them. Its factor has two levels. The first
 * level sets all differing paths to the values of the good definition, the second to those of the bad definition. A claim can name any of
 * these paths as its factor.
 */
import { withLevels } from '../tuning/template';
import { flattenSettings } from '../elasticsearch/settings';
import { cellsOf, type Levels } from '../experiment/cells';
import type { Definition } from '../experiment/definition';
import { environmentKey } from '../experiment/environment';
import { canonical, effective } from './history-run';

/**
 * A path at which two definitions differ, with both values. Only paths that affect trials count. A value is undefined if its definition
 * does not have the path.
 */
export interface Difference {
  path: string;
  good: unknown;
  bad: unknown;
}

/**
 * Matches keys that can be part of a path. Keys with dots, and keys that begin with a digit, do not match, because they would have another
 * meaning in a path.
 */
const NAMEABLE = /^[a-z_@][\w@-]*$/i;

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSame = (good: unknown, bad: unknown): boolean => canonical(good) === canonical(bad);

const definedIn = (tree: Tree): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([, value]) => value !== undefined));

/** Converts a list of named elements to an object by name. Undefined if an element has no name, or a name that paths cannot contain. */
function byName(value: unknown): Tree | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const names = value.map((one: unknown) => (isTree(one) ? one['name'] : undefined));
  if (!names.every((name): name is string => typeof name === 'string' && NAMEABLE.test(name)))
    return undefined;
  return new Set(names).size === names.length
    ? Object.fromEntries(value.map((one, at) => [names[at]!, one as unknown]))
    : undefined;
}

const SETTINGS = /^(index|cluster)\.settings$/;

/**
 * Returns both objects of settings with the same keys. A setting that only one of them has is null in the other, which means
 * Elasticsearch's default.
 */
function settingsOf(good: Tree, bad: Tree): [good: Tree, bad: Tree] {
  const [one, other] = [definedIn(flattenSettings(good)), definedIn(flattenSettings(bad))];
  const none = Object.fromEntries([...Object.keys(one), ...Object.keys(other)].map((name) => [name, null]));
  return [
    { ...none, ...one },
    { ...none, ...other },
  ];
}

/** Returns both values as objects with the same keys. Undefined if Dyno can compare the values only as a whole. */
function partsOf(path: string, good: unknown, bad: unknown): [good: Tree, bad: Tree] | undefined {
  if (isTree(good) && isTree(bad)) {
    if (SETTINGS.test(path)) return settingsOf(good, bad);
    const [one, other] = [definedIn(good), definedIn(bad)];
    const names = Object.keys(one);
    const isAlike =
      names.length === Object.keys(other).length &&
      names.every((name) => NAMEABLE.test(name) && name in other);
    return isAlike ? [one, other] : undefined;
  }
  const [one, other] = [byName(good), byName(bad)];
  // Tasks are compared as a whole if their order differs, because the order matters.
  const isAlike = one && other && Object.keys(one).join() === Object.keys(other).join();
  return isAlike ? [one, other] : undefined;
}

function differencesAt(path: string, good: unknown, bad: unknown): Difference[] {
  if (isSame(good, bad)) return [];
  const parts = partsOf(path, good, bad);
  if (parts === undefined) return [{ path, good, bad }];
  const [one, other] = parts;
  return Object.keys(one).flatMap((key) => differencesAt(`${path}.${key}`, one[key], other[key]));
}

/** First keys of the paths that a factor may vary. `resolved-cells.ts` checks definitions with the same rule. */
export const VARIABLE: readonly string[] = [
  ...['index', 'cluster', 'environment', 'preload', 'tasks', 'measure', 'spread', 'request-timeout'],
];

/**
 * Returns the differences between two definitions without factors. Each difference has the longest path at which a factor can still set
 * both values.
 */
export function differencesOf(good: Definition, bad: Definition): Difference[] {
  const [one, other] = [effective(good), effective(bad)];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((root) =>
    differencesAt(root, one[root], other[root]),
  );
}

/** Returns the definition of one combination of factor levels, without factors. Undefined if no combination has this id or label. */
export function definitionOfCell(definition: Definition, cell: string): Definition | undefined {
  const found = cellsOf(definition).find(({ id, label }) => id === cell || label === cell);
  if (found === undefined) return undefined;
  return { ...withLevels(definition, found.levels), factors: {}, baseline: undefined };
}

export interface Pair {
  /**
   * The experiment. The combination of the good definition comes first. Texts, claims and the number of trials are those of the bad
   * definition.
   */
  definition: Definition;
  /** Path that a claim names as the factor. If several paths differ, it stands for all of them, because they vary together. */
  factor: string;
  differences: Difference[];
  /** Paths that differ but cannot vary within a run. Both combinations have the value of the bad definition. */
  leftOut: string[];
  /** Whether the two combinations need different environments. They are then measured one after the other. */
  changesEnvironment: boolean;
}

/**
 * Path of the index name. The experiment varies it if no differing path exists in both definitions, because a factor needs a path that
 * exists in both.
 */
const NAME = 'index.name';

/** Combines two definitions without factors. Returns null if the definitions do not differ in any path that a factor may vary. */
export function pairOf(good: Definition, bad: Definition): Pair | null {
  const all = differencesOf(good, bad);
  const canVary = ({ path }: Difference): boolean => VARIABLE.includes(path.split('.')[0]!);
  const differences = all.filter(canVary);
  if (differences.length === 0) return null;
  const isInBoth = ({ good: one, bad: other }: Difference): boolean =>
    one !== undefined && other !== undefined;
  const shared = differences.find(isInBoth);
  const levels = (side: 'good' | 'bad'): Levels => ({
    ...(shared === undefined ? { [NAME]: `${bad.index.name}-${side}` } : {}),
    ...Object.fromEntries(
      differences.flatMap(({ path, [side]: value }) => (value === undefined ? [] : [[path, value]])),
    ),
  });
  const [only] = differences;
  const factors = (
    differences.length === 1 && shared !== undefined
      ? { [only!.path]: [only!.good, only!.bad] }
      : [levels('good'), levels('bad')]
  ) as Definition['factors'];
  const base = Object.fromEntries(
    Object.entries(bad).filter(([key]) => differences.every((one) => isInBoth(one) || one.path !== key)),
  ) as unknown as Definition;
  return {
    definition: {
      ...base,
      factors,
      baseline: undefined,
      order: 'interleaved',
    },
    factor: shared?.path ?? NAME,
    differences,
    leftOut: all.filter((one) => !canVary(one)).map(({ path }) => path),
    changesEnvironment: environmentKey(good.environment) !== environmentKey(bad.environment),
  };
}

/** Removes keys that are undefined, so that the definition can be written to a file. */
export const writable = (definition: Definition): Record<string, unknown> =>
  Object.fromEntries(Object.entries(definition).filter(([, value]) => value !== undefined));
