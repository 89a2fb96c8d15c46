/** Annotations of a history by users: notes, and the baseline with which the newest runs are compared. */
import { formatDay, plural } from '../units/format';
import type { HistoryRun } from './history-run';
import { parseTime } from '../units/time';

/** A note on a run or a time. */
export interface HistoryNote {
  id: string;
  /** Version of the stored note. A request that changes the note must contain the version that was read. */
  version: string;
  /** The run that the note is about. Null if the note is about a time. */
  run: string | null;
  /** Start of the run that the note is about, or the time that the note is about; ISO 8601 in UTC. */
  at: string;
  text: string;
  /** Author of the note; '' if unknown. */
  author: string;
  /** Time of creation, as ISO 8601 in UTC. */
  created: string;
  updated: string;
}

/**
 * Returns the index in `runs` of the run to which a note belongs. It is the run that the note is about. For a note about a time, or if the
 * run does not exist any more, it is the newest run that began before the time of the note. Null if there is no such run.
 */
export function noteRun(
  { run, at }: Pick<HistoryNote, 'run' | 'at'>,
  runs: readonly Pick<HistoryRun, 'run' | 'at'>[],
): number | null {
  const own = run === null ? -1 : runs.findIndex((historyRun) => historyRun.run === run);
  const found =
    own >= 0 ? own : runs.findLastIndex((historyRun) => parseTime(historyRun.at) <= parseTime(at));
  return found < 0 ? null : found;
}

/**
 * Selects the runs of a baseline: one run, or all runs in which a property of the set-up has a certain value. `trait`: name of the
 * property, such as `Elasticsearch`. `value`: its value, such as `9.4.0`.
 */
export type BaselineOf =
  | { run: string }
  | {
      trait: string;
      value: string;
      /** Includes only runs from this time on (ISO 8601, UTC); null: no limit. */ since: string | null;
    };

/** The baseline of an experiment. An experiment has at most one. */
export type Baseline = BaselineOf & {
  /** User who set the baseline; '' if unknown. */
  author: string;
  /** Time of the last change, as ISO 8601 in UTC. */
  updated: string;
};

export interface Annotations {
  /** Notes in the order of the runs or times that they are about. */
  notes: readonly HistoryNote[];
  baseline: Baseline | null;
}

export const NO_ANNOTATIONS: Annotations = { notes: [], baseline: null };

/** Maximum number of characters in a note. */
export const LONGEST_NOTE = 4000;

/** Maximum number of notes of an experiment. All notes are read together with the history, so their number must be limited. */
export const MOST_NOTES = 1000;

/** A baseline, with those runs of a history that belong to it. */
export interface ResolvedBaseline {
  baseline: Baseline;
  /** Label, such as `Elasticsearch 9.4.0` or `run 20261120-1`. */
  label: string;
  /** Indices of the baseline's runs in {@link History.nights}, the list of the runs that are shown. */
  nights: readonly number[];
  /** Id of the newest run of the baseline. Null if none of its runs exists any more. */
  run: string | null;
}

function baselineLabel(of: BaselineOf): string {
  if ('run' in of) return `run ${of.run}`;
  return `${of.trait} ${of.value}${of.since === null ? '' : ` since ${formatDay(of.since)}`}`;
}

/**
 * Finds the runs that belong to a baseline. `runs`: all runs in the order of their times. A run on several clusters can have several
 * versions at once. Such a run does not belong to a baseline with a single version.
 */
export function resolveBaseline(
  baseline: Baseline,
  runs: readonly Pick<HistoryRun, 'run' | 'at' | 'place'>[],
): ResolvedBaseline {
  const isOf = ({ run, at, place }: (typeof runs)[number]): boolean =>
    'run' in baseline
      ? run === baseline.run
      : place[baseline.trait] === baseline.value &&
        (baseline.since === null || parseTime(at) >= parseTime(baseline.since));
  const own = [...runs.keys()].filter((point) => isOf(runs[point]!));
  const last = own.at(-1);
  return {
    baseline,
    label: baselineLabel(baseline),
    nights: own,
    run: last === undefined ? null : runs[last]!.run,
  };
}

/** Describes a baseline, such as `Elasticsearch 9.4.0, 12 runs`. */
export const baselineText = ({ label, nights: points, run }: ResolvedBaseline): string =>
  `${label}, ${run === null ? 'of which no run is left' : plural(points.length, 'run')}`;

/**
 * Finds a property of the runs' set-up and its value by a text such as `9.4.0`, `Elasticsearch 9.4.0` or `Dyno 0.2.0`. If the text contains
 * only a value, versions of Elasticsearch take precedence over other properties. Undefined if no run has this value.
 */
export function findTrait(
  written: string,
  runs: readonly Pick<HistoryRun, 'place'>[],
): { trait: string; value: string } | undefined {
  const all = traitsOf(runs);
  return (
    all.find(({ trait, value }) => `${trait} ${value}` === written) ??
    all.find(({ trait, value }) => trait === FIRST_TRAIT && value === written) ??
    all.find(({ value }) => value === written)
  );
}

const FIRST_TRAIT = 'Elasticsearch';

/** Returns all properties of the runs' set-up with all their distinct values. Values of older runs come last. */
export function traitsOf(runs: readonly Pick<HistoryRun, 'place'>[]): { trait: string; value: string }[] {
  const found = new Map<string, { trait: string; value: string }>();
  for (const { place } of [...runs].reverse())
    for (const [trait, value] of Object.entries(place)) found.set(`${trait} ${value}`, { trait, value });
  return [...found.values()];
}
