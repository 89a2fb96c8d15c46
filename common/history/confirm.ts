/**
 * Builds an experiment that confirms a change of a metric in a history. The experiment compares the definition before the change with the
 * definition after it, for the combination of factor levels that changed. The trials of the two definitions alternate in one run on the
 * same target. Other differences between the original runs, such as a busy machine, can therefore not explain the result.
 */
import { shownWhole } from '../json/exact';
import type { Definition } from '../experiment/definition';
import { formatYaml } from '../experiment/document';
import { readDefinition } from '../experiment/read';
import type { PlaceFacts, RunDocument } from '../experiment/run';
import { mostTrials } from '../experiment/trial-counts';
import { ENGINE_NAMES, engineOf } from '../elasticsearch/engine';
import { PLACE_TRAITS } from '../analysis/place-differences';
import { storedBlocks } from '../measurement/stored-names';
import { DynoError } from '../problem';
import { formatDay } from '../units/format';
import type { HistoryChange, ListedRun } from './history';
import { definitionOfCell, pairOf, writable, type Pair } from './pair';

/** The last run before a change, or the first run after it. */
export type ConfirmedRun = Pick<RunDocument, 'definition' | 'provenance'>;

/** An experiment that measures a change of a history again, with notes for the user. */
export interface Confirmation {
  metric: string;
  cell: string;
  good: ListedRun;
  bad: ListedRun;
  /** The experiment as YAML, for the editor. Null if this target cannot reproduce the difference between the two runs. */
  text: string | null;
  /** Sentence that says which runs are compared, or why no comparison is possible. */
  sentence: string;
  /** Notes about parts of the set-up that cannot be reproduced, and about what the experiment can therefore not show. */
  notes: string[];
}

/**
 * Selects the change to confirm. By default, this is the newest change for the worse. Changes that are followed by a later change of the
 * same metric and combination of factor levels are selected only if there is no other change.
 */
export interface ConfirmFilter {
  metric?: string | undefined;
  /** Id or label of the combination of factor levels. */
  cell?: string | undefined;
  /** Id or day of the first run after the change. */
  since?: string | undefined;
}

/** Returns the change to confirm. Undefined if no change matches. `changes`: the changes of a history, the newest first. */
export function changeToConfirm(
  changes: readonly HistoryChange[],
  { metric, cell, since }: ConfirmFilter,
): HistoryChange | undefined {
  const found = changes.filter(
    (one) =>
      one.before !== null &&
      (metric === undefined || one.metric === metric) &&
      (cell === undefined || one.cell === cell || one.label === cell) &&
      (since === undefined || one.since.run === since || one.since.at.startsWith(since)),
  );
  return (
    found.find(({ kind, isNewest }) => kind === 'worse' && isNewest) ??
    found.find(({ kind }) => kind === 'worse') ??
    found[0]
  );
}

/**
 * Minimum number of trials of each definition, if the number of trials is fixed. Without a fixed number, the run ends as soon as the result
 * is decided.
 */
const FIXED_TRIALS = 5;

const MIB = 1024 ** 2;

/**
 * Returns the facts about the cluster on which a run measured. Undefined if the run measured on several clusters: its definition then
 * describes these clusters.
 */
const placeOf = ({ provenance }: ConfirmedRun): PlaceFacts | undefined =>
  provenance === null || storedBlocks(provenance).length > 1
    ? undefined
    : (storedBlocks<PlaceFacts>(provenance)[0] ?? provenance);

/**
 * Returns those properties of a cluster that Dyno can choose when it starts a cluster, such as the version and the heap. The keys are those
 * of `environment` in a definition.
 */
function askedOf({ cluster, nodes }: PlaceFacts): Record<string, string> {
  const holding = nodes.filter(({ roles }) => roles.some((role) => role.startsWith('data')));
  const heaps = new Set(nodes.map(({ heapBytes }) => Math.round(heapBytes / MIB)));
  return {
    engine: engineOf(cluster),
    version: cluster.version,
    nodes: String(holding.length),
    ...(heaps.size === 1 ? { heap: `${[...heaps][0]}m` } : {}),
  };
}

/** Name of the property that contains the UUID of the cluster. It is not compared, because a different UUID alone explains nothing. */
const NOT_A_PLACE = 'cluster';

const named = (run: ListedRun): string => `run ${run.run} of ${formatDay(run.at)}`;

export interface ConfirmParts {
  change: Pick<
    HistoryChange,
    'metric' | 'cell' | 'label' | 'from' | 'to' | 'ratio' | 'since' | 'sentence'
  > & {
    before: ListedRun;
  };
  good: ConfirmedRun;
  bad: ConfirmedRun;
  /** Whether Dyno itself starts the clusters of this target. If so, Dyno can choose their version, number of nodes and heap. */
  startsClusters: boolean;
}

/** Maximum number of characters of a value in a sentence. */
const MOST_SHOWN = 60;
const shown = (value: unknown): string => {
  const text = value === undefined ? 'unset' : shownWhole(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
};

/** Describes the differences between the definition before the change and the definition after it. */
const differencesText = ({ differences }: Pair): string =>
  differences.map(({ path, good, bad }) => `${path} ${shown(bad)} instead of ${shown(good)}`).join('; ');

/**
 * Adds to both definitions the properties of their clusters that Dyno can choose, such as the version. Only properties in which the
 * clusters differ are added. `beyond` in the result: differences between the clusters that Dyno cannot reproduce.
 */
function withPlaces(
  good: Definition,
  bad: Definition,
  { good: goodRun, bad: badRun, startsClusters }: ConfirmParts,
): { good: Definition; bad: Definition; beyond: string[] } {
  const [one, other] = [placeOf(goodRun), placeOf(badRun)];
  if (one === undefined || other === undefined) return { good, bad, beyond: [] };
  const differ = PLACE_TRAITS.filter(
    ({ what, read }) =>
      what !== NOT_A_PLACE &&
      read(one) !== undefined &&
      read(other) !== undefined &&
      read(one) !== read(other),
  ).map(({ what, read }) => ({ what, text: `${what} (${read(one)}, then ${read(other)})` }));
  if (!startsClusters) return { good, bad, beyond: differ.map(({ text }) => text) };
  const [asked, askedNow] = [askedOf(one), askedOf(other)];
  const changed = Object.keys(askedNow).filter(
    (name) => asked[name] !== undefined && asked[name] !== askedNow[name],
  );
  // A version without an engine is a version of Elasticsearch.
  const isOfAnother =
    changed.includes('version') && [asked, askedNow].some(({ engine }) => engine !== 'elasticsearch');
  const names = new Set([...changed, ...(isOfAnother ? ['engine'] : [])]);
  const pick = (of: Record<string, string>): Record<string, string> =>
    Object.fromEntries([...names].map((name) => [name, of[name]!]));
  const isAsked = (what: string): boolean =>
    (Object.values<string>(ENGINE_NAMES).includes(what) && changed.includes('version')) ||
    (what === 'engine' && changed.includes('engine')) ||
    // Dyno can set the number of nodes and their heap, but not their JVM or their machine.
    (what === 'nodes' &&
      one.nodes[0]?.jvm === other.nodes[0]?.jvm &&
      changed.some((name) => name !== 'version'));
  return {
    good: { ...good, environment: { ...good.environment, ...pick(asked) } },
    bad: { ...bad, environment: { ...bad.environment, ...pick(askedNow) } },
    beyond: differ.filter(({ what }) => !isAsked(what)).map(({ text }) => text),
  };
}

/**
 * Returns the definition of the experiment that compares two definitions. `claim`: the expected difference in the metric between the second
 * definition and the first.
 */
export function pairedDefinition(
  { definition, factor, changesEnvironment }: Pair,
  {
    name,
    hypothesis,
    claim,
    least = 3,
    most = 20,
    asFixed = false,
  }: {
    name: string;
    hypothesis: string;
    /**
     * The expected difference of the metric. `relation`: such as `rises` or `stays`. `size`: such as `by at least 5%`; absent if the size
     * does not matter.
     */
    claim: { metric: string; relation: string; size?: string };
    least?: number;
    most?: number;
    /**
     * Whether to use a fixed number of trials. This is needed if the metric can be 0 or negative: a run that ends early compares
     * logarithms, which such values do not have.
     */
    asFixed?: boolean;
  },
): Definition {
  const isFixed = changesEnvironment || asFixed;
  const { metric, relation, size = '' } = claim;
  return readDefinition(
    writable({
      ...definition,
      preset: undefined,
      schedule: undefined,
      name: name.slice(0, 200),
      hypothesis,
      expect: [`${metric} ${relation} with ${factor}${size === '' ? '' : ` ${size}`}`],
      trials: isFixed
        ? Math.min(most, Math.max(FIXED_TRIALS, mostTrials(definition.trials)))
        : { 'until-decided': { least, most } },
    } as Definition),
  );
}

/** Returns the experiment that confirms a change. Never throws: if something cannot be reproduced, the result explains why. */
export function confirmationOf(parts: ConfirmParts): Confirmation {
  const { change, good, bad } = parts;
  const { metric, cell, before, since, ratio, from, to } = change;
  const common = { metric, cell, good: before, bad: since };
  const cannot = (sentence: string, notes: string[] = []): Confirmation => ({
    ...common,
    text: null,
    sentence,
    notes,
  });
  const of = (definition: Definition): Definition | undefined => definitionOfCell(definition, cell);
  const [one, other] = [of(good.definition), of(bad.definition)];
  if (one === undefined || other === undefined)
    return cannot(`${named(one === undefined ? before : since)} has no cell ${cell}.`);
  const sides = withPlaces(one, other, parts);
  const pair = pairOf(sides.good, sides.bad);
  const beyond = sides.beyond.map(
    (what) =>
      `This changed too, but is the same for both sides here, so its effect is not measured: ${what}.`,
  );
  if (pair === null) {
    const why =
      sides.beyond.length === 0
        ? 'Neither the definition nor any recorded property of the place differs between them, so there is nothing to compare. Run the experiment again to see its current level'
        : `All differences are ones that Dyno cannot set here: ${sides.beyond.join('; ')}. ${parts.startsClusters ? 'Restore' : 'Dyno cannot change a cluster that it did not start. Restore'} the earlier state yourself and run the experiment again to see its level`;
    return cannot(`${named(since)} cannot be compared with ${named(before)}. ${why}.`);
  }
  const sentence = `${named(since)} against ${named(before)}: ${differencesText(pair)}.`;
  const isWithoutRatio = ratio === null;
  const rises = isWithoutRatio ? to > from : ratio > 1;
  try {
    const definition = pairedDefinition(pair, {
      name: `${other.name.slice(0, 120)}: confirm ${metric} since ${formatDay(since.at)}`,
      hypothesis: `The change is real, and not an effect of the day: ${change.sentence}. The first cell is ${named(before)}, the second ${named(since)}.`,
      claim: { metric, relation: rises ? 'rises' : 'falls' },
      asFixed: isWithoutRatio,
    });
    return {
      ...common,
      text: formatYaml(writable(definition)),
      sentence,
      notes: [
        ...beyond,
        ...pair.leftOut.map(
          (path) =>
            `${path} differs too, but cannot vary within a run. Both sides have the value of ${named(since)}.`,
        ),
        ...(pair.changesEnvironment
          ? ['The clusters are started one after the other, so the machine may drift in between.']
          : []),
      ],
    };
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    return cannot(
      `${sentence} They cannot be combined in one experiment: ${error.problems.map(({ path, message }) => `${path} ${message}`).join('; ')}.`,
      beyond,
    );
  }
}
