/** Finds changes of the definition and of the place from run to run. */
import { isSecretPath } from '../secrets/definition';
import { REMOVED } from '../secrets/removed';
import { shownWhole } from '../json/exact';
import { formatPath, type PathSegment } from '../experiment/path';
import type { Definition } from '../experiment/definition';
import type { Cut } from './changes';
import { effective, type HistoryRunFacts } from './history-run';

/** Name of a change of the definition without details. */
export const DEFINITION = 'definition';

/**
 * Traits that start no new part of the history. `cluster` is the UUID of the target, which differs if each run creates a new cluster. Other
 * traits describe what matters.
 */
const NO_CUT: ReadonlySet<string> = new Set(['cluster']);

/**
 * Number of runs for which a trait must have been constant before its change counts. A trait that changes more often (host names of build
 * machines, the log of the day, growing data) is part of the noise between runs. Otherwise, segments would be too short.
 */
export const HELD = 3;

/** Longest value that is shown whole. */
const SHORT = 40;

/** A property that is followed from run to run, and the text about its change. */
interface Followed {
  /** Whether it changed; null if that is unknown. */
  changed: (before: HistoryRunFacts, after: HistoryRunFacts) => boolean | null;
  describe: (before: HistoryRunFacts, after: HistoryRunFacts) => readonly string[];
}

const trait = (what: string): Followed => ({
  changed: ({ place: before }, { place: after }) =>
    before[what] === undefined || after[what] === undefined ? null : before[what] !== after[what],
  describe: ({ place: before }, { place: after }) => [traitChange(what, before[what]!, after[what]!)],
});

/** Returns the differing parts of two values: short ones whole, and of long ones the parts that only one has. */
export function traitParts(before: string, after: string): { was: string; now: string } {
  if (after.length <= SHORT && before.length <= SHORT) return { was: before, now: after };
  const parts = (text: string): string[] => text.split(/[,;] | \/ /);
  const without = (text: string, other: string): string =>
    [...new Set(parts(text).filter((part) => !parts(other).includes(part)))].join(', ');
  return { was: without(before, after), now: without(after, before) };
}

/** Describes a changed trait, such as `Elasticsearch 9.5.3`. */
function traitChange(what: string, before: string, after: string): string {
  if (after.length <= SHORT && before.length <= SHORT) return `${what} ${after}`;
  const { was, now } = traitParts(before, after);
  if (now === '' && was === '') return `${what} in another number`;
  return `${what} ${now || 'without'}${was === '' ? '' : now === '' ? ` ${was}` : ` instead of ${was}`}`;
}

/** Whether the definition changed; null if that is unknown. Cells that only one run has do not count, so adding a level is not a change. */
export function definitionChanged(
  { cells: before }: HistoryRunFacts,
  { cells: after }: HistoryRunFacts,
): boolean | null {
  // Consecutive runs usually share the same list, and there may be thousands of runs.
  if (before === after) return before.length === 0 ? null : false;
  const known = new Map(before.map(({ id, definition }) => [id, definition]));
  const both = after.filter(({ id }) => known.has(id));
  return both.length === 0 ? null : both.some(({ id, definition }) => known.get(id) !== definition);
}

/** Cuts between runs, and the runs whose definitions are needed to describe them. */
export interface Cuts {
  cuts: Cut[];
  /** Runs whose definitions {@link cutsOf} needs to describe a change. */
  asked: string[];
}

/**
 * Returns the cuts. `runs`: in the order of time; a cut depends only on the runs before it. `definitions`: definitions of the requested runs,
 * by run id. Without them, a change of the definition has no details.
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
    /** Number of the run with its newest change. */
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

/** A difference between two definitions; null if one of them lacks the value. */
export interface DefinitionDifference {
  path: string;
  before: string | null;
  after: string | null;
}

/** Returns the differences between two definitions that affect trials. Empty if only a newer Dyno interprets the same definition in another way. */
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

/** Returns the same differences as texts. */
export function definitionChanges(before: Definition, after: Definition): string[] {
  const changes = definitionDifferences(before, after).map(({ path, before: old, after: own }) => {
    if (own === null) return `without ${path}`;
    return old === null ? `${path} ${own}` : `${path} ${own} instead of ${old}`;
  });
  return changes.length === 0 ? [DEFINITION] : changes;
}
