/** Finds changes of the definition and of the set-up (cluster, machine, versions) from one run to the next. */
import { isSecretPath } from '../secrets/definition';
import { REMOVED } from '../secrets/removed';
import { shownWhole } from '../json/exact';
import { formatPath, type PathSegment } from '../experiment/path';
import type { Definition } from '../experiment/definition';
import type { Cut } from './changes';
import { effective, type HistoryRunFacts } from './history-run';

/** Name of a change of the definition whose details are unknown. */
export const DEFINITION = 'definition';

/**
 * Properties of the set-up whose changes are ignored. `cluster` is the UUID of the cluster. It always changes if each run creates a new
 * cluster. Important differences between clusters have separate properties.
 */
const NO_CUT: ReadonlySet<string> = new Set(['cluster']);

/**
 * Number of runs for which a property of the set-up must have been constant before its change counts.
 *
 * Some properties change in most runs, such as host names of build machines or the size of growing data. Such changes are part of the noise
 * between runs. If all of them counted, too few runs would remain between two changes for an analysis.
 */
export const HELD = 3;

/** Maximum length of a value that is shown as a whole, in characters. */
const SHORT = 40;

/** A property that is compared between consecutive runs, with functions that detect and describe its changes. */
interface Followed {
  /** Returns whether the property changed. Null if this is unknown. */
  changed: (before: HistoryRunFacts, after: HistoryRunFacts) => boolean | null;
  describe: (before: HistoryRunFacts, after: HistoryRunFacts) => readonly string[];
}

const trait = (what: string): Followed => ({
  changed: ({ place: before }, { place: after }) =>
    before[what] === undefined || after[what] === undefined ? null : before[what] !== after[what],
  describe: ({ place: before }, { place: after }) => [traitChange(what, before[what]!, after[what]!)],
});

/**
 * Returns the differing parts of two values. If both values are short, they are returned as a whole. Otherwise, each is reduced to the
 * parts that the other value lacks.
 */
export function traitParts(before: string, after: string): { was: string; now: string } {
  if (after.length <= SHORT && before.length <= SHORT) return { was: before, now: after };
  const parts = (text: string): string[] => text.split(/[,;] | \/ /);
  const without = (text: string, other: string): string =>
    [...new Set(parts(text).filter((part) => !parts(other).includes(part)))].join(', ');
  return { was: without(before, after), now: without(after, before) };
}

/** Describes a changed property of the set-up, such as `Elasticsearch 9.5.3`. */
function traitChange(what: string, before: string, after: string): string {
  if (after.length <= SHORT && before.length <= SHORT) return `${what} ${after}`;
  const { was, now } = traitParts(before, after);
  if (now === '' && was === '') return `${what} in another number`;
  return `${what} ${now || 'without'}${was === '' ? '' : now === '' ? ` ${was}` : ` instead of ${was}`}`;
}

/**
 * Returns whether the definition changed. Compares only the combinations of factor levels that both runs have, so adding a level does not
 * count as a change. Returns null if the runs have no combination in common.
 */
export function definitionChanged(
  { cells: before }: HistoryRunFacts,
  { cells: after }: HistoryRunFacts,
): boolean | null {
  // Consecutive runs usually share the same list of combinations. Comparing the references is fast for thousands of runs.
  if (before === after) return before.length === 0 ? null : false;
  const known = new Map(before.map(({ id, definition }) => [id, definition]));
  const both = after.filter(({ id }) => known.has(id));
  return both.length === 0 ? null : both.some(({ id, definition }) => known.get(id) !== definition);
}

/** The changes of the set-up and of the definition between runs, and the runs whose definitions are needed to describe them. */
export interface Cuts {
  cuts: Cut[];
  /** Ids of the runs whose definitions {@link cutsOf} needs to describe a change of the definition. */
  asked: string[];
}

/**
 * Returns the changes of the set-up and of the definition between runs. `runs`: runs in the order of their times. `definitions`:
 * definitions of the runs that an earlier call returned in `asked`, by run id. If they are missing, the result only states that the
 * definition changed.
 */
export function cutsOf(
  runs: readonly HistoryRunFacts[],
  definitions: ReadonlyMap<string, Definition> = new Map(),
): Cuts {
  const asked = new Set<string>();
  const definition: Followed = {
    changed: definitionChanged,
    describe: (before, after) => {
      [before, after].forEach(({ run }) => asked.add(run));
      const [was, now] = [definitions.get(before.run), definitions.get(after.run)];
      return was && now ? definitionChanges(was, now) : [DEFINITION];
    },
  };
  const traits = new Set(runs.flatMap(({ place }) => Object.keys(place)));
  const followed = [definition, ...[...traits].filter((what) => !NO_CUT.has(what)).map(trait)];
  const found = new Map<number, string[]>();
  for (const { changed, describe } of followed) {
    /** Index of the run in which this property last changed. 0 if it has not changed yet. */
    let since = 0;
    for (let at = 1; at < runs.length; at += 1) {
      const [before, after] = [runs[at - 1]!, runs[at]!];
      if (changed(before, after) !== true) continue;
      if (since === 0 || at - since >= HELD)
        found.set(at, [...(found.get(at) ?? []), ...describe(before, after)]);
      since = at;
    }
  }
  const cuts = [...found]
    .map(([point, what]) => ({ night: point, what }))
    .sort((one, other) => one.night - other.night);
  return { cuts, asked: [...asked] };
}

type Leaves = Map<string, string>;

function leavesOf(value: unknown, path: readonly PathSegment[] = [], found: Leaves = new Map()): Leaves {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    for (const [key, inner] of Object.entries(value))
      leavesOf(inner, [...path, Array.isArray(value) ? Number(key) : key], found);
  } else if (value !== undefined) {
    found.set(formatPath(path), shownWhole(value));
  }
  return found;
}

/** A difference between two definitions. A value is null if the definition does not have the path. */
export interface DefinitionDifference {
  path: string;
  before: string | null;
  after: string | null;
}

/**
 * Returns those differences between two definitions that affect trials. If the definitions are equal, there are no differences, even if a
 * newer version of Dyno interprets one of them differently.
 */
export function definitionDifferences(before: Definition, after: Definition): DefinitionDifference[] {
  const [was, now] = [before, after].map((definition) => leavesOf(effective(definition))) as [Leaves, Leaves];
  return [...new Set([...was.keys(), ...now.keys()])]
    .map((path) => ({ path, before: was.get(path) ?? null, after: now.get(path) ?? null }))
    .filter(({ before: old, after: own }) => old !== own)
    .map((difference) => (isSecretPath(difference.path) ? withoutValues(difference) : difference));
}

const withoutValues = ({ path, before, after }: DefinitionDifference): DefinitionDifference => ({
  path,
  before: before && REMOVED,
  after: after && REMOVED,
});

/** Returns the differences as texts. */
export function definitionChanges(before: Definition, after: Definition): string[] {
  const changes = definitionDifferences(before, after).map(({ path, before: old, after: own }) => {
    if (own === null) return `without ${path}`;
    return old === null ? `${path} ${own}` : `${path} ${own} instead of ${old}`;
  });
  return changes.length === 0 ? [DEFINITION] : changes;
}
