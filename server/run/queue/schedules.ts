/** Starts the runs of experiments that have a schedule when they fall due, and tells of those that did not start. */
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

/** How often the experiments are looked at when nothing falls due sooner, ms. */
const LOOK_EVERY_MS = 30_000;
/** What is started within so long of its time is in time, ms. */
export const LATEST_MS = 5 * 60_000;
const MINUTE_MS = 60_000;
/** Runs of one experiment that may have been asked for since a time fell due. */
const MOST_RUNS = 20;

/**
 * The next time after `after` that a schedule falls due: ISO 8601, or null if it never does again. Throws a DynoError
 * `definition.schedule` (input) for a wrong one; none falls due more than once a minute.
 */
export function nextDue(schedule: ScheduleSetting, after: Date = new Date()): string | null {
  const problem = scheduleProblem(schedule);
  if (problem) throw problem;
  return nextTime(schedule, after)?.toISOString() ?? null;
}

/** Times that fell due, ms since the epoch. */
export interface Due {
  first: number;
  last: number;
  /** {@link MOST_TIMES} where there are more. */
  times: number;
}

/** Where the last of many times is looked for, from now on backwards, ms. */
const WINDOWS_MS = [3_600_000, 86_400_000, 32 * 86_400_000];

/** The times in (`after`, `until`] at which it fell due, both in ms since the epoch; null if it did not. Throws as {@link nextDue} does. */
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
    // It falls due so often that one of these has its last time.
    const found = WINDOWS_MS.filter((ms) => until - ms > at).map((ms) =>
      dueWithin(schedule, until - ms, until),
    );
    return { ...due, last: found.find((one) => one !== null)?.last ?? at };
  }
  return due;
}

/** What is to be done about times that fell due. */
export interface Decision {
  /** Nothing is started for these. */
  missed: { first: number; last: number; times: number } | null;
  /** The time that a run is started for. */
  start: number | null;
}

/**
 * The last time is started for: in time, or late where the schedule says so, which is then less than an interval late. Earlier
 * ones are not made up for: runs one after the other would only measure how busy the cluster is with the one before.
 */
export function decide(schedule: ScheduleSetting, { first, last, times }: Due, now: number): Decision {
  const { whenMissed } = scheduleOf(schedule);
  if (now - last > LATEST_MS && whenMissed === 'skip') return { missed: { first, last, times }, start: null };
  if (times === 1) return { missed: null, start: last };
  return { missed: { first, last: lastBefore(schedule, first, last), times: times - 1 }, start: last };
}

/** The time before the one at `last`, of which `first` is one. */
function lastBefore(schedule: ScheduleSetting, first: number, last: number): number {
  for (const ms of [...WINDOWS_MS, 366 * 86_400_000]) {
    const due = dueWithin(schedule, Math.max(first - 1, last - ms), last - 1);
    if (due) return due.last;
  }
  return first;
}

export interface StartOptions {
  start(order: RunOrder): Promise<unknown>;
  /** Whether clusters are started for the runs on a target, by its id. */
  startsClusters(target: string): boolean;
  /** What has run already is looked up here, so that a restart starts nothing twice. */
  reader: Pick<ResultsReader, 'listRuns' | 'findActiveRuns'>;
}

export interface SchedulesOptions extends StartOptions {
  /** The experiments that there are. */
  list(): Promise<readonly Scheduled[]>;
  log: Pick<ScheduleLog, 'seen' | 'see' | 'miss'>;
  onProblem(problem: Problem): void;
}

interface Scheduled {
  id: string;
  definition: Definition;
  /** When it was made and saved last, ISO 8601: it missed nothing before, nor did a schedule that was changed then. */
  created?: string;
  updated?: string;
}

const iso = (ms: number): string => new Date(ms).toISOString();

const missedOnce = (due: number, more: Pick<MissedTimes, 'reason' | 'why' | 'run'>): MissedTimes => ({
  first: iso(due),
  last: iso(due),
  times: 1,
  ...more,
});

/** Why no run may begin at `now`, ms since the epoch, with what its plan estimates; undefined where one may. */
export function quietReason(definition: Definition, now: number): string | undefined {
  const { quiet, zone } = scheduleOf(definition.schedule ?? '');
  if (quiet.length === 0) return undefined;
  const begins = quietWithin(quiet, zone, now);
  if (begins !== undefined) return `the quiet period ${begins} (${zone}) goes on`;
  const { ms } = makePlan(definition).estimate;
  const reached = quietWithin(quiet, zone, now, now + ms);
  return (
    reached && `a run of about ${formatDuration(ms)} would reach into the quiet period ${reached} (${zone})`
  );
}

/**
 * Starts the run of an experiment that fell due at `due`, ms since the epoch, unless that was done already, by whatever
 * host. Resolves to why it was not started: it was refused, or the run before it has not ended; null otherwise. Rejects
 * with a DynoError where it cannot be known what has run.
 */
export async function startDue(
  { id, definition }: Scheduled,
  due: number,
  { reader, start, startsClusters }: StartOptions,
): Promise<MissedTimes | null> {
  // It may have been saved by a version that did not refuse it, or by a host that starts clusters.
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

/** What is told of times that started no run. */
export const missedProblem = ({ definition: { name } }: Scheduled, missed: MissedTimes): Problem => ({
  code: `schedule.${missed.reason === 'refused' ? 'refused' : missedWord(missed)}`,
  path: '',
  message: `${name}, due at ${missedSentence(missed)}`,
});

export interface Schedules {
  /** An experiment was created, changed or removed: looks at once. Resolves when what is due is seen to; never rejects. */
  changed(): Promise<void>;
  /** Starts nothing more. */
  stop(): void;
}

/**
 * Up to when each schedule was seen to is kept whenever a time of it is, so that what fell due while nobody looked is known
 * by the next look. A time is kept as seen to before its run begins: that may be what ends the host.
 */
export const startSchedules = (options: SchedulesOptions): Schedules => new Watch(options);

/** Codes of results that will not take what became of schedules, whenever they are asked. */
const NOT_KEPT = ['results.forbidden', 'results.refused', 'results.blocked', 'results.unauthorised'];

class Watch implements Schedules {
  private timer: NodeJS.Timeout | undefined;
  private readonly looks = new TaskChain();
  private stopped = false;
  /** When the last look was that came to its end, ms since the epoch; at first the minute in which this began. */
  private lastLook = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 1;
  /** By experiment; undefined before the first look. */
  private seen: Map<string, Seen> | undefined;
  /** Since when no look has come to its end, and why; undefined while all do. */
  private unread: string | undefined;
  /** What was said of an experiment last, so that a wrong expression is told once and not every half minute. */
  private readonly said = new Map<string, string>();

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
      this.said.delete('');
    } catch (error) {
      // What fell due meanwhile is seen to by the next look.
      this.unread = messageOf(error);
      this.say('', 'schedule.unread', `schedules cannot be read: ${this.unread}`);
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

  /** Rejects when it cannot be known what has run already. */
  private async seeTo(experiment: Scheduled, allSeen: Map<string, Seen>, now: number): Promise<void> {
    const { id, definition, created, updated } = experiment;
    const schedule = definition.schedule!;
    const key = timesKey(schedule);
    const known = allSeen.get(id);
    // A schedule that is new, or another one, missed nothing before it was saved.
    const saved = known?.schedule === key ? created : updated;
    const savedAt = saved === undefined ? 0 : parseTime(saved);
    const after = Math.max(known?.to ?? this.lastLook, savedAt);
    let due: Due | null;
    try {
      due = dueWithin(schedule, after, now);
    } catch (error) {
      this.say(
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
    else if (!missed) this.said.delete(id);
    allSeen.set(id, { to: now, schedule: key });
  }

  private async miss(experiment: Scheduled, missed: MissedTimes): Promise<void> {
    const { code, message } = missedProblem(experiment, missed);
    this.say(experiment.id, code, message);
    await this.keep(() => this.options.log.miss(named(experiment), missed));
  }

  /** Schedules are followed where the results do not take what became of them; where these are away, the next look does all of it. */
  private async keep(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof DynoError) || !NOT_KEPT.includes(error.code)) throw error;
      this.notKept(error);
    }
  }

  private notKept(error: DynoError): void {
    this.say('log', 'schedule.unkept', `missed times are not kept: ${error.message}`);
  }

  private say(about: string, code: string, message: string): void {
    if (this.said.get(about) === message) return;
    this.said.set(about, message);
    this.options.onProblem({ code, path: '', message });
  }
}

const named = ({ id, definition: { name } }: Scheduled): { id: string; name: string } => ({ id, name });
