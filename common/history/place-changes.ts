/** What changed from run to run beside the figures: the definition, and the place where it was measured. */
import { isSecretPath } from '../secrets/definition';
import { REMOVED } from '../secrets/removed';
import { shownWhole } from '../json/exact';
import { formatPath, type PathSegment } from '../experiment/path';
import type { Definition } from '../experiment/definition';
import type { Cut } from './changes';
import { effective, type HistoryRunFacts } from './history-run';

/** How a change of the definition is named that is not looked at more closely. */
export const DEFINITION = 'definition';

/**
 * Names the target by its uuid, which is another one wherever a cluster is made anew for each run. What of a cluster matters is told
 * by the other traits.
 */
const NO_CUT: ReadonlySet<string> = new Set(['cluster']);

/**
 * Runs for which something must have been the same for its change to be named. What changes more often, such as the hosts of
 * build machines, the day's log or data that grows, belongs to the noise between runs: no segment would be long enough to tell.
 */
export const HELD = 3;

/** Longest text of a place that is told whole. */
const SHORT = 40;

/** What is followed from run to run: whether it differs, and how it is said that it does. */
interface Followed {
  /** Null where it cannot be told. */
  changed: (before: HistoryRunFacts, after: HistoryRunFacts) => boolean | null;
  said: (before: HistoryRunFacts, after: HistoryRunFacts) => readonly string[];
}

const trait = (what: string): Followed => ({
  changed: ({ place: before }, { place: after }) =>
    before[what] === undefined || after[what] === undefined ? null : before[what] !== after[what],
  said: ({ place: before }, { place: after }) => [traitChange(what, before[what]!, after[what]!)],
});

/** What of two texts of a place differs: all of short ones, of long ones the parts that only one has. */
export function traitParts(before: string, after: string): { was: string; now: string } {
  if (after.length <= SHORT && before.length <= SHORT) return { was: before, now: after };
  const parts = (text: string): string[] => text.split(/[,;] | \/ /);
  const without = (text: string, other: string): string =>
    [...new Set(parts(text).filter((part) => !parts(other).includes(part)))].join(', ');
  return { was: without(before, after), now: without(after, before) };
}

/** `Elasticsearch 9.5.3`, `nodes JVM 25.0.2 in place of JVM 25.0.1`. */
function traitChange(what: string, before: string, after: string): string {
  if (after.length <= SHORT && before.length <= SHORT) return `${what} ${after}`;
  const { was, now } = traitParts(before, after);
  if (now === '' && was === '') return `${what} in another number`;
  return `${what} ${now || 'without'}${was === '' ? '' : now === '' ? ` ${was}` : ` in place of ${was}`}`;
}

/** Null where it cannot be told: cells that only one of the runs has tell nothing, a level that is added leaves the others as they were. */
export function definitionChanged(
  { cells: before }: HistoryRunFacts,
  { cells: after }: HistoryRunFacts,
): boolean | null {
  // Runs one after the other mostly hold the same list: thousands of them are looked at.
  if (before === after) return before.length === 0 ? null : false;
  const known = new Map(before.map(({ id, definition }) => [id, definition]));
  const both = after.filter(({ id }) => known.has(id));
  return both.length === 0 ? null : both.some(({ id, definition }) => known.get(id) !== definition);
}

/** Runs between which the definition changed, as a cut: the newer one's number. */
export interface Cuts {
  cuts: Cut[];
  /** Runs whose definitions would tell what of it changed, for {@link cutsOf}. */
  asked: string[];
}

/**
 * `nights` in the order of time. Whether there is a cut depends on the runs before it alone. `definitions`: of those runs that
 * are asked for, by the run's id; without one, its change is named as such.
 */
export function cutsOf(
  nights: readonly HistoryRunFacts[],
  definitions: ReadonlyMap<string, Definition> = new Map(),
): Cuts {
  const asked = new Set<string>();
  const definition: Followed = {
    changed: definitionChanged,
    said: (before, after) => {
      [before, after].forEach(({ run }) => asked.add(run));
      const [was, now] = [definitions.get(before.run), definitions.get(after.run)];
      return was && now ? definitionChanges(was, now) : [DEFINITION];
    },
  };
  const traits = new Set(nights.flatMap(({ place }) => Object.keys(place)));
  const followed = [definition, ...[...traits].filter((what) => !NO_CUT.has(what)).map(trait)];
  const found = new Map<number, string[]>();
  for (const { changed, said } of followed) {
    /** Where the newest change of it was. */
    let since = 0;
    for (let at = 1; at < nights.length; at += 1) {
      const [before, after] = [nights[at - 1]!, nights[at]!];
      if (changed(before, after) !== true) continue;
      if (since === 0 || at - since >= HELD)
        found.set(at, [...(found.get(at) ?? []), ...said(before, after)]);
      since = at;
    }
  }
  const cuts = [...found]
    .map(([night, what]) => ({ night, what }))
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

/** One place where two definitions differ; null where one of them does not have it. */
export interface DefinitionDifference {
  path: string;
  before: string | null;
  after: string | null;
}

/** Where two definitions differ in what trials depend on; empty where a newer Dyno makes something else of the same one. */
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

/** The same in words: `index.settings.refresh_interval 30s in place of 1s`. */
export function definitionChanges(before: Definition, after: Definition): string[] {
  const changes = definitionDifferences(before, after).map(({ path, before: old, after: own }) => {
    if (own === null) return `without ${path}`;
    return old === null ? `${path} ${own}` : `${path} ${own} in place of ${old}`;
  });
  return changes.length === 0 ? [DEFINITION] : changes;
}
