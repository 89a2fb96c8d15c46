/** Starts runs of experiments by their schedules. Reports due times at which no run could start. */
import { resolveCells } from '../../../common/experiment/resolved-cells';
import type { Definition } from '../../../common/experiment/definition';
import { missedSentence, missedWord, MOST_TIMES, type MissedTimes } from '../../../common/experiment/missed';
import { makePlan } from '../../../common/experiment/plan';
import { quietWithin } from '../../../common/experiment/quiet';
import { checkScheduled } from '../../../common/experiment/scheduled';
import {
  nextTime,
  scheduleOf,
  scheduleProblem,
  timesKey,
  type ScheduleSetting,
} from '../../../common/experiment/schedule';
import { DynoError, messageOf, type Problem } from '../../../common/problem';
import { formatDuration } from '../../../common/units/format';
import type { ResultsReader } from '../../results/reader';
import type { ScheduleLog, Seen } from '../../results/schedule-log';
import { TaskChain } from '../../waiting';
import { wasAsked, type RunOrder } from '../active-run/active-run';
import { parseTime } from '../../../common/units/time';

/** Interval in ms at which the experiments are checked if no schedule is due earlier. */
const LOOK_EVERY_MS = 30_000;
/** Maximum delay, in ms, with which a run counts as started in time. */
export const LATEST_MS = 5 * 60_000;
const MINUTE_MS = 60_000;
/** Maximum number of runs per experiment that are read to find out whether a run was started for a due time. */
const MOST_RUNS = 20;

/**
 * Returns the next due time of a schedule after `after` (ISO 8601). Null if the schedule is never due again. Throws a DynoError
 * `definition.schedule` for an invalid schedule. A schedule is due at most once a minute.
 */
export function nextDue(schedule: ScheduleSetting, after: Date = new Date()): string | null {
  const problem = scheduleProblem(schedule);
  if (problem) throw problem;
  return nextTime(schedule, after)?.toISOString() ?? null;
}

/** Due times of a schedule in some period, in ms since the epoch. */
export interface Due {
  first: number;
  last: number;
  /** Number of due times, at most {@link MOST_TIMES}. */
  times: number;
}

/**
 * Lengths in ms of the periods in which the last due time of a schedule is searched: the last hour, then the last day, then the last 32
 * days. Used for a schedule with very many due times.
 */
const WINDOWS_MS = [3_600_000, 86_400_000, 32 * 86_400_000];

/**
 * Returns the due times of a schedule in (`after`, `until`], both in ms since the epoch. Null if the schedule was not due. Throws a
 * DynoError `definition.schedule` for an invalid schedule.
 */
export function dueWithin(schedule: ScheduleSetting, after: number, until: number): Due | null {
  let due = null as Due | null;
  for (
    let next = nextDue(schedule, new Date(after));
    next !== null;
    next = nextDue(schedule, new Date(parseTime(next)))
  ) {
    const at = parseTime(next);
    if (at > until) return due;
    due = { first: due?.first ?? at, last: at, times: (due?.times ?? 0) + 1 };
    if (due.times < MOST_TIMES) continue;
    // If a schedule has so many due times, the last one is in one of these periods.
    const found = WINDOWS_MS.filter((ms) => until - ms > at).map((ms) =>
      dueWithin(schedule, until - ms, until),
    );
    return { ...due, last: found.find((one) => one !== null)?.last ?? at };
  }
  return due;
}

/** Decision about the due times of a schedule. */
export interface Decision {
  /**
   * First and last due time for which no run is started, in ms since the epoch, and number of such due times. Null if there are no such due
   * times.
   */
  missed: { first: number; last: number; times: number } | null;
  /** Due time for which a run is started, in ms since the epoch; null for none. */
  start: number | null;
}

/**
 * Decides which due time starts a run: only the last one can. If the last one is more than {@link LATEST_MS} ago, it starts a run only if
 * the schedule allows late starts. Earlier due times count as missed, because a second run right after the first one would measure a
 * cluster that is still busy.
 */
export function decide(schedule: ScheduleSetting, { first, last, times }: Due, now: number): Decision {
  const { whenMissed } = scheduleOf(schedule);
  if (now - last > LATEST_MS && whenMissed === 'skip') return { missed: { first, last, times }, start: null };
  if (times === 1) return { missed: null, start: last };
  return { missed: { first, last: lastBefore(schedule, first, last), times: times - 1 }, start: last };
}

/** Returns the last due time before `last`. It is at or after `first`, which is an earlier due time. */
function lastBefore(schedule: ScheduleSetting, first: number, last: number): number {
  for (const ms of [...WINDOWS_MS, 366 * 86_400_000]) {
    const due = dueWithin(schedule, Math.max(first - 1, last - ms), last - 1);
    if (due) return due.last;
  }
  return first;
}

export interface StartOptions {
  start(order: RunOrder): Promise<unknown>;
  /** Returns whether Dyno itself starts clusters for runs on the target with this id. */
  startsClusters(target: string): boolean;
  /** Reads past runs, so that no run is started twice after a restart. */
  reader: Pick<ResultsReader, 'listRuns' | 'findActiveRuns'>;
}

export interface SchedulesOptions extends StartOptions {
  /** Returns all experiments. */
  list(): Promise<readonly Scheduled[]>;
  log: Pick<ScheduleLog, 'seen' | 'see' | 'miss'>;
  onProblem(problem: Problem): void;
}

interface Scheduled {
  id: string;
  definition: Definition;
  /** Time of creation (ISO 8601). Earlier due times do not count as missed. */
  created?: string;
  /** Time of the last change (ISO 8601). If the schedule was changed, earlier due times do not count as missed. */
  updated?: string;
}

const iso = (ms: number): string => new Date(ms).toISOString();

const missedOnce = (due: number, more: Pick<MissedTimes, 'reason' | 'why' | 'run'>): MissedTimes => ({
  first: iso(due),
  last: iso(due),
  times: 1,
  ...more,
});

/** Returns the reason why no run of the estimated length may begin at `now` (ms since the epoch). Undefined if a run may begin. */
export function quietReason(definition: Definition, now: number): string | undefined {
  const { quiet, zone } = scheduleOf(definition.schedule ?? '');
  if (quiet.length === 0) return undefined;
  const begins = quietWithin(quiet, zone, now);
  if (begins !== undefined) return `the quiet period ${begins} (${zone}) is in progress`;
  const { ms } = makePlan(definition).estimate;
  const reached = quietWithin(quiet, zone, now, now + ms);
  return (
    reached && `a run of about ${formatDuration(ms)} would extend into the quiet period ${reached} (${zone})`
  );
}

/**
 * Starts the run of an experiment that was due at `due` (ms since the epoch), unless this run has already been started. If the run cannot
 * start, because it was refused or the previous run has not ended, resolves to the reason. Otherwise resolves to null. Rejects with a
 * DynoError if past runs cannot be read.
 */
export async function startDue(
  { id, definition }: Scheduled,
  due: number,
  { reader, start, startsClusters }: StartOptions,
): Promise<MissedTimes | null> {
  // Checks the definition again. It may have been saved by an earlier version without this check, or by a Dyno that starts clusters.
  const [refusal] = checkScheduled(definition, resolveCells(definition), startsClusters(definition.target));
  if (refusal) return missedOnce(due, { reason: 'refused', why: refusal.message });
  const newest = await reader.listRuns({ experiment: id, limit: MOST_RUNS });
  if (newest.some((run) => wasAsked(run, 'by its schedule') && parseTime(run['@timestamp']) >= due))
    return null;
  const active = (await reader.findActiveRuns()).find(({ experiment }) => experiment.id === id);
  if (active) {
    const { id: run, state } = active.run;
    return missedOnce(due, { reason: 'overlap', why: `its run ${run} was still ${state}`, run });
  }
  const quiet = quietReason(definition, Date.now());
  if (quiet !== undefined) return missedOnce(due, { reason: 'quiet', why: quiet });
  try {
    await start({ definition, experimentId: id, asked: 'by its schedule' });
    return null;
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    return missedOnce(due, { reason: 'refused', why: error.message });
  }
}

/** Returns the problem that is reported for due times at which no run started. */
export const missedProblem = ({ definition: { name } }: Scheduled, missed: MissedTimes): Problem => ({
  code: `schedule.${missed.reason === 'refused' ? 'refused' : missedWord(missed)}`,
  path: '',
  message: `${name}, due at ${missedSentence(missed)}`,
});

export interface Schedules {
  /**
   * Checks the experiments at once. Must be called after an experiment was created, changed or removed. Resolves when due runs have been
   * started. Never rejects.
   */
  changed(): Promise<void>;
  /** Ends the checks. No further runs are started. */
  stop(): void;
}

/**
 * Checks the schedules from now on.
 *
 * For each schedule, the time of the last check is stored. After a restart, the next check therefore finds due times at which no process
 * was running. The time is stored before a run begins. Otherwise, a run that crashes this process would be started again and again.
 */
export const startSchedules = (options: SchedulesOptions): Schedules => new Watch(options);

/** Codes of permanent errors when the state of schedules is read or stored. Trying again would not help. */
const NOT_KEPT = ['results.forbidden', 'results.refused', 'results.blocked', 'results.unauthorised'];

class Watch implements Schedules {
  private timer: NodeJS.Timeout | undefined;
  private readonly looks = new TaskChain();
  private stopped = false;
  /** Time of the last complete check, in ms since the epoch. At first, the minute in which the process started. */
  private lastLook = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 1;
  /** For each experiment, the time up to which its schedule was handled. Undefined before the first check. */
  private seen: Map<string, Seen> | undefined;
  /** Reason why the last check failed. Undefined if it succeeded. */
  private unread: string | undefined;
  /** For each experiment, the last message that was reported. Without it, an invalid expression would be reported every half minute. */
  private readonly reported = new Map<string, string>();

  constructor(private readonly options: SchedulesOptions) {
    void this.changed();
  }

  changed(): Promise<void> {
    return this.looks.add(() => this.look());
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private async look(): Promise<void> {
    clearTimeout(this.timer);
    if (this.stopped) return;
    let pauseMs = LOOK_EVERY_MS;
    try {
      this.seen ??= await this.readSeen();
      const experiments = (await this.options.list()).filter(({ definition }) => definition.schedule);
      const now = Date.now();
      for (const experiment of experiments) {
        if (this.stopped) return;
        await this.seeTo(experiment, this.seen, now);
      }
      this.lastLook = now;
      pauseMs = Math.min(pauseMs, ...experiments.map((experiment) => this.msToNext(experiment, now)));
      this.unread = undefined;
      this.reported.delete('');
    } catch (error) {
      // The next check also handles the due times since this one.
      this.unread = messageOf(error);
      this.report('', 'schedule.unread', `schedules cannot be read: ${this.unread}`);
    }
    if (!this.stopped) this.timer = setTimeout(() => void this.changed(), pauseMs);
  }

  private async readSeen(): Promise<Map<string, Seen>> {
    try {
      return await this.options.log.seen();
    } catch (error) {
      if (!(error instanceof DynoError) || !NOT_KEPT.includes(error.code)) throw error;
      this.notKept(error);
      return new Map();
    }
  }

  private msToNext({ definition }: Scheduled, now: number): number {
    try {
      const next = nextDue(definition.schedule!, new Date(now));
      return next === null ? Infinity : Math.max(0, parseTime(next) - Date.now());
    } catch {
      return Infinity;
    }
  }

  /** Starts or reports the runs of one experiment that were due since the last check. Rejects if past runs cannot be read. */
  private async seeTo(experiment: Scheduled, allSeen: Map<string, Seen>, now: number): Promise<void> {
    const { id, definition, created, updated } = experiment;
    const schedule = definition.schedule!;
    const key = timesKey(schedule);
    const known = allSeen.get(id);
    // Due times before a schedule was saved do not count as missed.
    const saved = known?.schedule === key ? created : updated;
    const savedAt = saved === undefined ? 0 : parseTime(saved);
    const after = Math.max(known?.to ?? this.lastLook, savedAt);
    let due: Due | null;
    try {
      due = dueWithin(schedule, after, now);
    } catch (error) {
      this.report(
        id,
        'definition.schedule',
        `${definition.name} cannot run by its schedule: ${messageOf(error)}`,
      );
      return;
    }
    if (due === null) {
      if (known?.schedule !== key)
        await this.keep(() => this.options.log.see(named(experiment), { to: now, schedule: key }));
      allSeen.set(id, { to: now, schedule: key });
      return;
    }
    const { missed, start } = decide(schedule, due, now);
    await this.keep(() => this.options.log.see(named(experiment), { to: due.last, schedule: key }));
    if (missed) {
      await this.miss(experiment, {
        first: iso(missed.first),
        last: iso(missed.last),
        times: missed.times,
        ...(this.unread === undefined
          ? { reason: 'not-running', why: 'the server was not running' }
          : { reason: 'unread', why: this.unread }),
      });
    }
    const refused = start === null ? null : await startDue(experiment, start, this.options);
    if (refused) await this.miss(experiment, refused);
    else if (!missed) this.reported.delete(id);
    allSeen.set(id, { to: now, schedule: key });
  }

  private async miss(experiment: Scheduled, missed: MissedTimes): Promise<void> {
    const { code, message } = missedProblem(experiment, missed);
    this.report(experiment.id, code, message);
    await this.keep(() => this.options.log.miss(named(experiment), missed));
  }

  /**
   * Stores the state of a schedule. If that fails permanently, the error is reported and the schedules continue. For a temporary error,
   * rejects; the next check then repeats everything.
   */
  private async keep(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof DynoError) || !NOT_KEPT.includes(error.code)) throw error;
      this.notKept(error);
    }
  }

  private notKept(error: DynoError): void {
    this.report('log', 'schedule.unkept', `missed times cannot be stored: ${error.message}`);
  }

  private report(about: string, code: string, message: string): void {
    if (this.reported.get(about) === message) return;
    this.reported.set(about, message);
    this.options.onProblem({ code, path: '', message });
  }
}

const named = ({ id, definition: { name } }: Scheduled): { id: string; name: string } => ({ id, name });
