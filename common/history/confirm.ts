/**
 * Whether a change of a history is more than the day: the definition before it against the one since, interleaved in one run
 * on the same target, for the figure that changed, in the cell in which it did.
 */
import { shownWhole } from '../json/exact';
import type { Definition } from '../experiment/definition';
import { formatYaml } from '../experiment/document';
import { readDefinition } from '../experiment/read';
import type { PlaceFacts, RunDocument } from '../experiment/run';
import { mostTrials } from '../experiment/trial-counts';
import { PLACE_TRAITS } from '../analysis/place-differences';
import { storedBlocks } from '../measurement/stored-names';
import { DynoError } from '../problem';
import { formatDay } from '../units/format';
import type { HistoryChange, ListedRun } from './history';
import { definitionOfCell, pairOf, writable, type Pair } from './pair';

/** A run on one side of a change. */
export type ConfirmedRun = Pick<RunDocument, 'definition' | 'provenance'>;

export interface Confirmation {
  metric: string;
  cell: string;
  good: ListedRun;
  bad: ListedRun;
  /** As YAML, for the editor; null where it cannot be repeated here. */
  text: string | null;
  /** What is run against what, or why nothing is. */
  sentence: string;
  /** What else the reader must know: what cannot be repeated, and what that leaves open. */
  notes: string[];
}

/** Which change is asked for; without any of it the newest one for the worse of which nothing was told since. */
export interface ConfirmFilter {
  metric?: string | undefined;
  /** Id or label. */
  cell?: string | undefined;
  /** Run, or day, of the first run after it. */
  since?: string | undefined;
}

/** Undefined where there is no such change. `changes`: those of a history, the newest first. */
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

/** Trials of each side where a run cannot look after each repetition. */
const FIXED_TRIALS = 5;

const MIB = 1024 ** 2;

/** Of a run in one place; undefined where there were several, which its definition names. */
const placeOf = ({ provenance }: ConfirmedRun): PlaceFacts | undefined =>
  provenance === null || storedBlocks(provenance).length > 1
    ? undefined
    : (storedBlocks<PlaceFacts>(provenance)[0] ?? provenance);

/** What Dyno asks of a cluster that it starts itself, as one was found. */
function askedOf({ cluster, nodes }: PlaceFacts): Record<string, string> {
  const holding = nodes.filter(({ roles }) => roles.some((role) => role.startsWith('data')));
  const heaps = new Set(nodes.map(({ heapBytes }) => Math.round(heapBytes / MIB)));
  return {
    version: cluster.version,
    nodes: String(holding.length),
    ...(heaps.size === 1 ? { heap: `${[...heaps][0]}m` } : {}),
  };
}

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
  /** Whether Dyno starts clusters for the runs on the target. */
  startsClusters: boolean;
}

/** Values of a path as a sentence tells them. */
const MOST_SHOWN = 60;
const shown = (value: unknown): string => {
  const text = value === undefined ? 'without it' : shownWhole(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
};

/** In one sentence what the two sides of a pair differ in. */
const differencesText = ({ differences }: Pair): string =>
  differences.map(({ path, good, bad }) => `${path} ${shown(bad)} in place of ${shown(good)}`).join('; ');

/** Two definitions with what of their places Dyno can set put in, and what it cannot. */
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
  const pick = (of: Record<string, string>): Record<string, string> =>
    Object.fromEntries(changed.map((name) => [name, of[name]!]));
  const isAsked = (what: string): boolean =>
    (what === 'Elasticsearch' && changed.includes('version')) ||
    // Of nodes, the JVM and the machine are as they are.
    (what === 'nodes' &&
      one.nodes[0]?.jvm === other.nodes[0]?.jvm &&
      changed.some((name) => name !== 'version'));
  return {
    good: { ...good, environment: { ...good.environment, ...pick(asked) } },
    bad: { ...bad, environment: { ...bad.environment, ...pick(askedNow) } },
    beyond: differ.filter(({ what }) => !isAsked(what)).map(({ text }) => text),
  };
}

/** The experiment of two sides: `relation` says what the claim expects of the bad one. */
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
    /** `rises`, `stays` or the like, and what stands behind the factor: `by at least 5%`. */
    claim: { metric: string; relation: string; size?: string };
    least?: number;
    most?: number;
    /** A fixed number of trials, for figures without logarithms. */
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

/** Never throws: what cannot be repeated is a sentence. */
export function confirmationOf(parts: ConfirmParts): Confirmation {
  const { change, good, bad } = parts;
  const { metric, cell, before, since, ratio, from, to } = change;
  const told = { metric, cell, good: before, bad: since };
  const cannot = (sentence: string, notes: string[] = []): Confirmation => ({
    ...told,
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
      `This changed too and is the same for both here, so what it does to the figure does not show: ${what}.`,
  );
  if (pair === null) {
    const why =
      sides.beyond.length === 0
        ? 'Neither the definition nor anything known of the place differs between them, so there is nothing to run against each other: start the experiment again, and see which level it has now'
        : `Only what Dyno cannot set here differs: ${sides.beyond.join('; ')}. ${parts.startsClusters ? 'Put it back by hand' : 'A cluster that Dyno does not start has one version and its nodes as they are: put it back'}, start the experiment again, and see which level it has then`;
    return cannot(`${named(since)} cannot be run against ${named(before)}. ${why}.`);
  }
  const sentence = `${named(since)} against ${named(before)}: ${differencesText(pair)}.`;
  const isWithoutRatio = ratio === null;
  const rises = isWithoutRatio ? to > from : ratio > 1;
  try {
    const definition = pairedDefinition(pair, {
      name: `${other.name.slice(0, 120)}: confirm ${metric} since ${formatDay(since.at)}`,
      hypothesis: `It is not the day: ${change.sentence}. The first cell is ${named(before)}, the second ${named(since)}.`,
      claim: { metric, relation: rises ? 'rises' : 'falls' },
      asFixed: isWithoutRatio,
    });
    return {
      ...told,
      text: formatYaml(writable(definition)),
      sentence,
      notes: [
        ...beyond,
        ...pair.leftOut.map(
          (path) => `${path} differs too and cannot vary within a run: both have it as ${named(since)} had.`,
        ),
        ...(pair.changesEnvironment
          ? [
              'The clusters are started one after the other, so a drift of the machine in between is not excluded.',
            ]
          : []),
      ],
    };
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    return cannot(
      `${sentence} They do not go into one experiment: ${error.problems.map(({ path, message }) => `${path} ${message}`).join('; ')}.`,
      beyond,
    );
  }
}
