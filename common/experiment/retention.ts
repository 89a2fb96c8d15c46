/** Decides which samples are removed. Runs, trials and histories are always kept. */
import { DURATION_FORM, parseDuration } from '../units/duration';
import { formatDuration, plural } from '../units/format';
import { FINAL_STATES, type RemovedSamples, type RunState } from './run';

/**
 * How long samples are kept. At least one of the two limits is set. If both are set, the samples of a run are removed only if the run
 * exceeds both.
 */
export interface Retention {
  /** Maximum time since the end of the run, in ms. */
  ms?: number;
  /** Number of the newest runs of each experiment whose samples are kept. */
  runs?: number;
}

export const RETENTION_FORM = `a time (${DURATION_FORM}), a number of runs of each experiment, or both, such as 90d, 20 runs, or "90d, 20 runs"`;

/** Parses a retention. Returns undefined if the text is not in the {@link RETENTION_FORM}. */
export function parseRetention(text: string): Retention | undefined {
  const retention: Retention = {};
  for (const part of text.split(',')) {
    const [, count] = /^\s*(\d{1,9})\s+runs?\s*$/.exec(part) ?? [];
    const ms = count === undefined ? parseDuration(part) : undefined;
    const amount = count === undefined ? ms : Number(count);
    const key = count === undefined ? 'ms' : 'runs';
    if (amount === undefined || amount <= 0 || retention[key] !== undefined) return undefined;
    retention[key] = amount;
  }
  return retention;
}

const DAY_MS = 86_400_000;

/**
 * Describes a retention, as the end of a sentence that begins with "samples are kept for": `90 days and for the newest 20 runs of each
 * experiment`.
 */
export const retentionText = ({ ms, runs }: Retention): string =>
  [
    ...(ms === undefined ? [] : [ms % DAY_MS === 0 ? plural(ms / DAY_MS, 'day') : formatDuration(ms)]),
    ...(runs === undefined ? [] : [`the newest ${plural(runs, 'run')} of each experiment`]),
  ].join(' and for ');

/**
 * Returns a sentence such as `The samples of this run were removed on 2026-11-20 by retention (they are kept for 90 days); its metrics
 * stay.`
 */
export const removedSentence = ({ removed, keep }: RemovedSamples): string =>
  `The samples of this run were removed on ${removed.slice(0, 10)} by retention (they are kept for ${keep}); its metrics stay.`;

/** Facts about a run that decide whether Dyno removes its samples. */
export interface RetainedRun {
  id: string;
  state: RunState;
  /** Id of the experiment. It is unique across all spaces of Kibana. */
  experiment: string;
  /** End of the run, in ms since the epoch. If it is unknown, the time at which the run was created. */
  ended: number;
  /** Whether the samples of the run have already been removed. */
  isRemoved: boolean;
}

/**
 * Returns the runs whose samples must be removed, the oldest first. `runs`: runs of all experiments, the newest first. `now`: in ms since
 * the epoch. `kept`: ids of runs that keep their samples, such as baselines. Runs that have not ended are never returned.
 */
export function outdatedRuns<Run extends RetainedRun>(
  runs: readonly Run[],
  { ms, runs: newest }: Retention,
  { now, kept }: { now: number; kept: ReadonlySet<string> },
): Run[] {
  const seen = new Map<string, number>();
  const outdated: Run[] = [];
  for (const run of runs) {
    const before = seen.get(run.experiment) ?? 0;
    seen.set(run.experiment, before + 1);
    const isYoung = ms !== undefined && now - run.ended < ms;
    const isNew = newest !== undefined && before < newest;
    if (isYoung || isNew || run.isRemoved || kept.has(run.id) || !FINAL_STATES.includes(run.state)) continue;
    outdated.push(run);
  }
  return outdated.reverse();
}
