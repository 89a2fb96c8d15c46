/** Starts the runs of experiments that have a schedule when they fall due. */
import { resolveCells } from '../../../common/experiment/resolved-cells';
import type { Definition } from '../../../common/experiment/definition';
import { checkScheduled } from '../../../common/experiment/scheduled';
import { nextTime, scheduleProblem } from '../../../common/experiment/schedule';
import { DynoError, messageOf, type Problem } from '../../../common/problem';
import type { ResultsReader } from '../../results/reader';
import { wasAsked, type RunOrder } from '../record/record';

/** How often the experiments are looked at when nothing falls due sooner, ms. */
const LOOK_EVERY_MS = 30_000;
/** What could not be started for so long, because the results were away, is given up, ms. */
export const LATEST_MS = 5 * 60_000;
const MINUTE_MS = 60_000;
/** Runs of one experiment that may have been asked for since a time fell due. */
const MOST_RUNS = 20;

/**
 * The next time after `after` that a schedule falls due: ISO 8601, or null if it never does again. Throws a DynoError
 * `definition.schedule` (input) for a wrong one; none falls due more than once a minute.
 */
export function nextDue(schedule: string, after: Date = new Date()): string | null {
  const problem = scheduleProblem(schedule);
  if (problem) throw problem;
  return nextTime(schedule, after)?.toISOString() ?? null;
}

/** The last time in (`after`, `until`] that it fell due, all in ms since the epoch; null if it did not. */
function lastDue(schedule: string, after: number, until: number): number | null {
  let last: number | null = null;
  for (let due = nextDue(schedule, new Date(after)); due !== null; due = nextDue(schedule, new Date(due))) {
    if (Date.parse(due) > until) break;
    last = Date.parse(due);
  }
  return last;
}

export interface StartOptions {
  start(order: RunOrder): Promise<unknown>;
  /** Whether clusters are started for the runs on a target, by its id. */
  startsClusters(target: string): boolean;
  /** What has run already is looked up here, so that a restart starts nothing twice. */
  reader: Pick<ResultsReader, 'listRuns' | 'findActiveRuns'>;
  onProblem(problem: Problem): void;
}

export interface SchedulesOptions extends StartOptions {
  /** The experiments that there are. */
  list(): Promise<readonly Scheduled[]>;
}

interface Scheduled {
  id: string;
  definition: Definition;
}

/**
 * Starts the run of an experiment that fell due at `due`, ms since the epoch, unless that was done already, by whatever
 * host; one whose run before it has not ended is skipped. Rejects with a DynoError where the run is refused, or where it
 * cannot be known what has run.
 */
export async function startDue(
  { id, definition }: Scheduled,
  due: number,
  { reader, start, startsClusters, onProblem }: StartOptions,
): Promise<void> {
  // It may have been saved by a version that did not refuse it, or by a host that starts clusters.
  const [refusal] = checkScheduled(definition, resolveCells(definition), startsClusters(definition.target));
  if (refusal) return onProblem(refusal);
  const newest = await reader.listRuns({ experiment: id, limit: MOST_RUNS });
  if (newest.some((run) => wasAsked(run, 'by its schedule') && Date.parse(run['@timestamp']) >= due)) return;
  const active = (await reader.findActiveRuns()).find(({ experiment }) => experiment.id === id);
  if (!active) return void (await start({ definition, experimentId: id, asked: 'by its schedule' }));
  onProblem({
    code: 'schedule.skipped',
    path: '',
    message: `${definition.name}, due at ${iso(due)}, was skipped: its run ${active.run.id} is still ${active.run.state}`,
  });
}

export interface Schedules {
  /** An experiment was created, changed or removed: looks at once. Resolves when what is due is seen to; never rejects. */
  changed(): Promise<void>;
  /** Starts nothing more. */
  stop(): void;
}

/**
 * Times that fell due while nobody looked are not made up for, but for those of the minute in which this begins: their
 * start may have been what ended the host before.
 */
export const startSchedules = (options: SchedulesOptions): Schedules => new Watch(options);

class Watch implements Schedules {
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private stopped = false;
  /** Times up to here have been seen to, ms since the epoch. */
  private seenTo = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 1;
  /** What was said of an experiment last, so that a wrong expression is told once and not every half minute. */
  private readonly said = new Map<string, string>();

  constructor(private readonly options: SchedulesOptions) {
    void this.changed();
  }

  changed(): Promise<void> {
    this.looking = this.looking.then(() => this.look());
    return this.looking;
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
      this.say('', 'schedule.unread', `schedules cannot be read: ${messageOf(error)}`);
    }
    if (!this.stopped) this.timer = setTimeout(() => void this.changed(), pauseMs);
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
      this.say(
        id,
        'definition.schedule',
        `${definition.name} cannot run by its schedule: ${messageOf(error)}`,
      );
      return;
    }
    if (due === null) return;
    try {
      await startDue({ id, definition }, due, this.options);
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

  private say(about: string, code: string, message: string): void {
    if (this.said.get(about) === message) return;
    this.said.set(about, message);
    this.options.onProblem({ code, path: '', message });
  }
}

const iso = (ms: number): string => new Date(ms).toISOString();
