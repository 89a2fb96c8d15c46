/** What people add to the history of an experiment: notes, and the baseline that its newest runs are held against. */
import { formatDay, plural } from '../units/format';
import type { HistoryRun } from './history-run';
import { parseTime } from '../units/time';

/** A note on a run or a time. */
export interface HistoryNote {
  id: string;
  /** Opaque; a change names the version that it is based on. */
  version: string;
  /** The run that it is about; null for one about a time. */
  run: string | null;
  /** What it is about, ISO 8601 UTC: when that run began, or any time. */
  at: string;
  text: string;
  /** Who wrote it; '' where nobody knows. */
  author: string;
  /** ISO 8601 UTC. */
  created: string;
  updated: string;
}

/** Number of the run that a note is about: its run's, or the newest that began before its time; null where there is none. */
export function noteRun(
  { run, at }: Pick<HistoryNote, 'run' | 'at'>,
  nights: readonly Pick<HistoryRun, 'run' | 'at'>[],
): number | null {
  const own = run === null ? -1 : nights.findIndex((night) => night.run === run);
  const found = own >= 0 ? own : nights.findLastIndex((night) => parseTime(night.at) <= parseTime(at));
  return found < 0 ? null : found;
}

/** One run; or all runs on which a trait of the place has this value, such as `Elasticsearch` `9.4.0`. */
export type BaselineOf =
  | { run: string }
  | { trait: string; value: string; /** Runs from then on alone, ISO 8601 UTC. */ since: string | null };

/** Of an experiment, which has one at most. */
export type Baseline = BaselineOf & {
  /** Who set it; '' where nobody knows. */
  author: string;
  /** When, ISO 8601 UTC. */
  updated: string;
};

export interface Annotations {
  /** In the order of what they are about. */
  notes: readonly HistoryNote[];
  baseline: Baseline | null;
}

export const NO_ANNOTATIONS: Annotations = { notes: [], baseline: null };

/** Characters of a note, at most. */
export const LONGEST_NOTE = 4000;

/** Notes of an experiment, at most: they are read together with its history. */
export const MOST_NOTES = 1000;

/** A baseline as the history tells it. */
export interface ToldBaseline {
  baseline: Baseline;
  /** `Elasticsearch 9.4.0`, `run 20261120-1`. */
  label: string;
  /** Numbers of its runs, as far as they are told. */
  nights: readonly number[];
  /** The newest of its runs; null where none is left. */
  run: string | null;
}

function baselineLabel(of: BaselineOf): string {
  if ('run' in of) return `run ${of.run}`;
  return `${of.trait} ${of.value}${of.since === null ? '' : ` since ${formatDay(of.since)}`}`;
}

/** `nights`: all, in the order of time. A run of several places has a trait's values one beside the other, and none of them alone. */
export function tellBaseline(
  baseline: Baseline,
  nights: readonly Pick<HistoryRun, 'run' | 'at' | 'place'>[],
): ToldBaseline {
  const isOf = ({ run, at, place }: (typeof nights)[number]): boolean =>
    'run' in baseline
      ? run === baseline.run
      : place[baseline.trait] === baseline.value &&
        (baseline.since === null || parseTime(at) >= parseTime(baseline.since));
  const own = [...nights.keys()].filter((night) => isOf(nights[night]!));
  const last = own.at(-1);
  return {
    baseline,
    label: baselineLabel(baseline),
    nights: own,
    run: last === undefined ? null : nights[last]!.run,
  };
}

/** `Elasticsearch 9.4.0, 12 runs`. */
export const baselineText = ({ label, nights, run }: ToldBaseline): string =>
  `${label}, ${run === null ? 'of which no run is left' : plural(nights.length, 'run')}`;

/** `9.4.0`, `Elasticsearch 9.4.0`, `Dyno 0.2.0`: what the runs have of such a trait; a value alone is that of Elasticsearch, if it can be. */
export function findTrait(
  written: string,
  nights: readonly Pick<HistoryRun, 'place'>[],
): { trait: string; value: string } | undefined {
  const all = traitsOf(nights);
  return (
    all.find(({ trait, value }) => `${trait} ${value}` === written) ??
    all.find(({ trait, value }) => trait === FIRST_TRAIT && value === written) ??
    all.find(({ value }) => value === written)
  );
}

const FIRST_TRAIT = 'Elasticsearch';

/** Every value of every trait once, the newest first. */
export function traitsOf(nights: readonly Pick<HistoryRun, 'place'>[]): { trait: string; value: string }[] {
  const found = new Map<string, { trait: string; value: string }>();
  for (const { place } of [...nights].reverse())
    for (const [trait, value] of Object.entries(place)) found.set(`${trait} ${value}`, { trait, value });
  return [...found.values()];
}
