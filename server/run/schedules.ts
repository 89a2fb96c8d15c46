/** Starts the runs of experiments that have a schedule when they fall due. */
import { Cron } from 'croner';
import type { Definition } from '../../common/experiment/definition';
import { scheduleProblem } from '../../common/experiment/schedule';
import type { RunDocument } from '../../common/measurement/run';
import { DynoError, messageOf, type Problem } from '../../common/problem';
import type { ResultsReader } from '../results/reader';
import { wasAsked, type RunOrder } from './run-service';

/** How often the experiments are looked at when nothing falls due sooner, ms. */
const LOOK_EVERY_MS = 30_000;
/** What could not be started for so long, because the results were away, is given up, ms. */
const LATEST_MS = 5 * 60_000;
const MINUTE_MS = 60_000;
/** Runs of one experiment that may have been asked for since a time fell due. */
const MOST_RUNS = 20;

function cronOf(schedule: string): Cron {
  const problem = scheduleProblem(schedule);
  if (problem) throw problem;
  return new Cron(schedule, { timezone: 'UTC', paused: true });
}

/**
 * The next time after `after` that a cron expression of five fields, in UTC, falls due: ISO 8601, or null if it never
 * does again. Throws a DynoError `definition.schedule` (input) for a wrong one; one of five fields cannot fall due more
 * than once a minute.
 */
export const nextDue = (schedule: string, after: Date = new Date()): string | null =>
  cronOf(schedule).nextRun(after)?.toISOString() ?? null;

/** The last time in (`after`, `until`] that it fell due, all in ms since the epoch; null if it did not. */
function lastDue(schedule: string, after: number, until: number): number | null {
  const cron = cronOf(schedule);
  let last: number | null = null;
  for (let due = cron.nextRun(new Date(after)); due !== null; due = cron.nextRun(due)) {
    if (due.getTime() > until) break;
    last = due.getTime();
  }
  return last;
}

export interface SchedulesOptions {
  /** The experiments that there are. */
  list(): Promise<readonly { id: string; definition: Definition }[]>;
  start(order: RunOrder): Promise<unknown>;
  /** What has run already is looked up here, so that a restart starts nothing twice. */
  reader: Pick<ResultsReader, 'listRuns' | 'findUnfinishedRuns'>;
  onProblem(problem: Problem): void;
}

export interface Schedules {
  /** An experiment was created, changed or removed: looks at once. */
  changed(): void;
  /** Starts nothing more. */
  stop(): void;
}

/**
 * Times that fell due while nobody looked are not made up for, but for those of the minute in which this begins: their
 * start may have been what ended the host before.
 */
export const startSchedules = (options: SchedulesOptions): Schedules => new Watch(options);

type Scheduled = Awaited<ReturnType<SchedulesOptions['list']>>[number];

class Watch implements Schedules {
  private timer: NodeJS.Timeout | undefined;
  private looking = false;
  private lookAgain = false;
  private stopped = false;
  /** Times up to here have been seen to, ms since the epoch. */
  private seenTo = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 1;
  /** What was said of an experiment last, so that a wrong expression is told once and not every half minute. */
  private readonly said = new Map<string, string>();

  constructor(private readonly options: SchedulesOptions) {
    this.changed();
  }

  changed(): void {
    clearTimeout(this.timer);
    if (this.stopped) return;
    this.lookAgain = this.looking;
    if (!this.looking) void this.look();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private async look(): Promise<void> {
    this.looking = true;
    let pauseMs = LOOK_EVERY_MS;
    try {
      const now = Date.now();
      const after = Math.max(this.seenTo, now - LATEST_MS);
      const experiments = (await this.options.list()).filter(({ definition }) => definition.schedule);
      for (const experiment of experiments) {
        if (this.stopped) return;
        await this.seeTo(experiment, after, now);
      }
      this.seenTo = now;
      pauseMs = Math.min(pauseMs, ...experiments.map((experiment) => this.msToNext(experiment, now)));
      this.said.delete('');
    } catch (error) {
      // What fell due meanwhile is seen to by the next look.
      this.say('', 'schedule.unread', `schedules cannot be followed: ${messageOf(error)}`);
    }
    this.looking = false;
    if (this.lookAgain) this.changed();
    else if (!this.stopped) this.timer = setTimeout(() => void this.look(), pauseMs);
  }

  private msToNext({ definition }: Scheduled, now: number): number {
    try {
      const next = nextDue(definition.schedule!, new Date(now));
      return next === null ? Infinity : Math.max(0, Date.parse(next) - Date.now());
    } catch {
      return Infinity;
    }
  }

  /** Rejects when it cannot be known what has run already. */
  private async seeTo({ id, definition }: Scheduled, after: number, now: number): Promise<void> {
    let due: number | null;
    try {
      due = lastDue(definition.schedule!, after, now);
    } catch (error) {
      this.say(id, 'definition.schedule', `${definition.name} never runs by itself: ${messageOf(error)}`);
      return;
    }
    if (due === null) return;
    const { reader, start } = this.options;
    const newest = await reader.listRuns({ experiment: id, limit: MOST_RUNS });
    if (newest.some((run) => wasAsked(run, 'by its schedule') && Date.parse(run['@timestamp']) >= due))
      return;
    const active = (await reader.findUnfinishedRuns()).find(({ experiment }) => experiment.id === id);
    if (active) return this.skip(definition, due, active);
    try {
      await start({ definition, experimentId: id, asked: 'by its schedule' });
      this.said.delete(id);
    } catch (error) {
      if (!(error instanceof DynoError)) throw error;
      this.say(
        id,
        'schedule.refused',
        `${definition.name}, due at ${iso(due)}, did not start: ${error.message}`,
      );
    }
  }

  private skip({ name }: Definition, due: number, { run }: RunDocument): void {
    this.options.onProblem({
      code: 'schedule.skipped',
      path: '',
      message: `${name}, due at ${iso(due)}, was skipped: its run ${run.id} is still ${run.state}`,
    });
  }

  private say(about: string, code: string, message: string): void {
    if (this.said.get(about) === message) return;
    this.said.set(about, message);
    this.options.onProblem({ code, path: '', message });
  }
}

const iso = (ms: number): string => new Date(ms).toISOString();
