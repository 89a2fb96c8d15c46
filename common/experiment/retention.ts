/** How long the raw samples of runs are kept, and of which runs they go. Runs, trials and histories stay. */
import { DURATION_FORM, parseDuration } from '../units/duration';
import { formatDuration, plural } from '../units/format';
import { FINAL_STATES, type RemovedSamples, type RunState } from './run';

/** Samples stay while either of them keeps them; one at least is given. */
export interface Retention {
  /** Since the end of their run, ms. */
  ms?: number;
  /** Of the newest runs of each experiment, so many. */
  runs?: number;
}

export const RETENTION_FORM = `a time (${DURATION_FORM}), a number of runs of each experiment, or both, such as 90d, 20 runs, or "90d, 20 runs"`;

/** Undefined for what is none of {@link RETENTION_FORM}. */
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

/** `90 days and for the newest 20 runs of each experiment`: completes "samples are kept for". */
export const retentionText = ({ ms, runs }: Retention): string =>
  [
    ...(ms === undefined ? [] : [ms % DAY_MS === 0 ? plural(ms / DAY_MS, 'day') : formatDuration(ms)]),
    ...(runs === undefined ? [] : [`the newest ${plural(runs, 'run')} of each experiment`]),
  ].join(' and for ');

/** `The samples of this run were removed on 2026-11-20 by retention (kept for 90 days); its figures stay.` */
export const removedSentence = ({ removed, keep }: RemovedSamples): string =>
  `The samples of this run were removed on ${removed.slice(0, 10)} by retention (they are kept for ${keep}); its figures stay.`;

/** What decides over the samples of a run. */
export interface RetainedRun {
  id: string;
  state: RunState;
  /** Of its experiment, in its space. */
  experiment: string;
  /** When it ended, ms since the epoch; when it was asked for where that is not told. */
  ended: number;
  /** Its samples were removed before. */
  isRemoved: boolean;
}

/**
 * Those of `runs` (the newest first, of all experiments) whose samples go at `now` (ms since the epoch), the oldest first.
 * Those that are to end yet are left alone, as are `kept` ones, such as baselines.
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
