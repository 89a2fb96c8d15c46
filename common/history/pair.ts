/**
 * Two definitions as one experiment: what differs between them is what varies, all else stays. A list of two cells says it, each of
 * which sets every path that differs; a claim may then speak of any one of these.
 */
import { withLevels } from '../tuning/template';
import { flattenSettings } from '../elasticsearch/settings';
import { cellsOf, type Levels } from '../experiment/cells';
import type { Definition } from '../experiment/definition';
import { environmentKey } from '../experiment/environment';
import { canonical, effective } from './history-run';

/** A path on which trials depend, with both values; undefined where a definition has none there. */
export interface Difference {
  path: string;
  good: unknown;
  bad: unknown;
}

/** Keys that a path can name: no dots, and none that looks like a place in a list. */
const NAMEABLE = /^[a-z_@][\w@-]*$/i;

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSame = (good: unknown, bad: unknown): boolean => canonical(good) === canonical(bad);

const definedIn = (tree: Tree): Tree =>
  Object.fromEntries(Object.entries(tree).filter(([, value]) => value !== undefined));

/** A list of named things as a tree of them; undefined where they cannot be named by a path. */
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

/** Of settings that only one has, the other has null: that is the default, as Elasticsearch takes it. */
function settingsOf(good: Tree, bad: Tree): [good: Tree, bad: Tree] {
  const [one, other] = [definedIn(flattenSettings(good)), definedIn(flattenSettings(bad))];
  const none = Object.fromEntries([...Object.keys(one), ...Object.keys(other)].map((name) => [name, null]));
  return [
    { ...none, ...one },
    { ...none, ...other },
  ];
}

/** Both with the same keys in them; undefined where they can only be told as a whole. */
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
  // The order of tasks says something.
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

/** What a factor may vary; see resolved-cells. */
export const VARIABLE: readonly string[] = [
  ...['index', 'cluster', 'environment', 'preload', 'tasks', 'measure', 'spread', 'request-timeout'],
];

/** Of definitions of one cell each: the shortest paths that make the one of the other, of which every value can be written. */
export function differencesOf(good: Definition, bad: Definition): Difference[] {
  const [one, other] = [effective(good), effective(bad)];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((root) =>
    differencesAt(root, one[root], other[root]),
  );
}

/** The definition of one cell: its levels put in, and nothing varied. Undefined where there is none of this id or label. */
export function definitionOfCell(definition: Definition, cell: string): Definition | undefined {
  const found = cellsOf(definition).find(({ id, label }) => id === cell || label === cell);
  if (found === undefined) return undefined;
  return { ...withLevels(definition, found.levels), factors: {}, baseline: undefined };
}

export interface Pair {
  /** With the two cells, good first, and their base; without words, claims and number of trials of its own. */
  definition: Definition;
  /** What claims speak of. */
  factor: string;
  differences: Difference[];
  /** Paths that differ and cannot vary within a run: both cells have them as the bad one has. */
  leftOut: string[];
  /** The two have environments of their own, and are measured one after the other. */
  changesEnvironment: boolean;
}

/** Where only one of the two has what differs, each cell is named by its indices, so that claims have a factor with two levels. */
const NAME = 'index.name';

/** Two definitions of one cell each as one experiment; null where nothing that a factor may vary differs. */
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

/** As a file says it: keys that are undefined are not there. */
export const writable = (definition: Definition): Record<string, unknown> =>
  Object.fromEntries(Object.entries(definition).filter(([, value]) => value !== undefined));
