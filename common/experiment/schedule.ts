/**
 * The schedule of a definition: a cron expression, an interval (`every 6h`), or one time (`once 2026-12-01 22:00`). Calculates the times at
 * which runs are due, in UTC or another time zone, with the package croner.
 *
 * Also converts schedules to the values of the editor's form (if the form can set them), and to words such as `Every day at 02:00`.
 */
import { jsonOfText } from '../json/exact';
import { Cron } from 'croner';
import { inputError, messageOf, type DynoError } from '../problem';
import { parseQuiet, QUIET_FORMS } from './quiet';
import { parseDuration } from '../units/duration';
import { isZone, parseTime } from '../units/time';

export const WHEN_MISSED = ['run-once', 'skip'] as const;
export type WhenMissed = (typeof WHEN_MISSED)[number];

/** A schedule as it is written in a definition: an expression that may end with a time zone, or an object with more keys. */
export type ScheduleSetting =
  | string
  | { cron: string; zone?: string; quiet?: string[]; 'when-missed'?: WhenMissed };

/** A schedule with defaults filled in. */
export interface Schedule {
  /** A cron expression with five fields, an interval, or a single time. */
  expression: string;
  /** IANA name of the time zone of cron expressions, of a single time and of quiet periods. Intervals do not depend on the time zone. */
  zone: string;
  /** Periods in which no run starts. */
  quiet: readonly string[];
  /** Whether a run starts if the last due time was missed. */
  whenMissed: WhenMissed;
}

export const UTC = 'UTC';

/**
 * Splits a schedule into its expression and the time zone at its end. Examples with a time zone are `0 3 * * * Europe/Berlin` and `once
 * 2026-12-01 22:00 Europe/Berlin`.
 */
function partsOf(cron: string): { expression: string; zone?: string } {
  const [, expression, zone] =
    /^\s*((?:\S+\s+){4}\S+|once\s+\d[\d-]*(?:T|\s+)\d[\d:]*)\s+([A-Za-z][\w+-]*(?:\/[\w+-]+)*)\s*$/.exec(
      cron,
    ) ?? [];
  return expression === undefined || zone === undefined ? { expression: cron } : { expression, zone };
}

export function scheduleOf(setting: ScheduleSetting): Schedule {
  const {
    cron,
    zone,
    quiet = [],
    'when-missed': whenMissed = 'run-once',
  } = typeof setting === 'string' ? { cron: setting } : setting;
  const { expression, zone: ownZone } = partsOf(cron);
  return { expression, zone: zone ?? ownZone ?? UTC, quiet, whenMissed };
}

/**
 * Returns a schedule in which the parts in `change` are replaced. The result has the shortest form in which a definition can contain it.
 */
export function withSchedule(setting: ScheduleSetting, change: Partial<Schedule>): ScheduleSetting {
  const { expression, zone, quiet, whenMissed } = { ...scheduleOf(setting), ...change };
  const isPlain = quiet.length === 0 && whenMissed === 'run-once';
  if (isPlain && (zone === UTC || !isInterval(expression)))
    return zone === UTC ? expression : `${expression} ${zone}`;
  return {
    cron: expression,
    ...(zone === UTC ? {} : { zone }),
    ...(quiet.length === 0 ? {} : { quiet: [...quiet] }),
    ...(whenMissed === 'run-once' ? {} : { 'when-missed': whenMissed }),
  };
}

/** Returns a text that identifies the due times of a schedule: two schedules with the same expression and time zone have the same text. */
export function timesKey(setting: ScheduleSetting): string {
  const { expression, zone } = scheduleOf(setting);
  return `${expression.trim()}${zone === UTC ? '' : ` ${zone}`}`;
}

/** The most common types of schedules, as values that a form can set. Users can edit all other schedules only as expressions. */
export type Rhythm =
  | { every: 'hour'; minute: number }
  | { every: 'day'; hour: number; minute: number }
  /** A weekly schedule. Days are numbered from 0 (Sunday) to 6. */
  | { every: 'week'; days: readonly number[]; hour: number; minute: number }
  | { every: 'month'; day: number; hour: number; minute: number };

const ALLOWED =
  'five cron fields: minute, hour, day of the month, month, day of the week; an interval from one minute to 36500d, such as every 6h; or one time, such as once 2026-12-01 22:00';

const MINUTE_MS = 60_000;
/** Maximum interval: a hundred years. JavaScript has no dates in the very distant future. */
const LONGEST_MS = 36_500 * 24 * 60 * MINUTE_MS;

const isInterval = (expression: string): boolean => /^\s*every\b/.test(expression);

/** Returns the interval of an expression such as `every 6h`, in ms. Returns undefined for any other expression. */
export function intervalMs(expression: string): number | undefined {
  const ms = parseDuration(/^\s*every\s+(\S+)\s*$/.exec(expression)?.[1] ?? '');
  return ms !== undefined && ms >= MINUTE_MS && ms <= LONGEST_MS ? ms : undefined;
}

const ONCE = /^\s*once\b/;

/** Returns whether the expression is a single time. */
export const isOnce = (expression: string): boolean => ONCE.test(expression);

/** Returns the time of `once 2026-12-01 22:00` as `2026-12-01T22:00`. Returns undefined for any other expression. */
export function onceAt(expression: string): string | undefined {
  const [, date, clock] =
    /^\s*once\s+(\d{4}-\d{2}-\d{2})(?:T|\s+)(\d{2}:\d{2})(?::00)?\s*$/.exec(expression) ?? [];
  return date === undefined || Number.isNaN(parseTime(`${date}T${clock!}`)) || clock === '24:00'
    ? undefined
    : `${date}T${clock!}`;
}

/** Returns the expression for a single time. `at`: the time as `2026-12-01T22:00`. */
export const onceExpression = (at: string): string => `once ${at.replace('T', ' ')}`;

/**
 * Returns the moment at which clocks in `zone` show `at` (`2026-12-01T22:00`); null if it cannot be calculated. If a clock change skips
 * this local time, returns the moment at which a cron schedule for this time would start.
 */
function timeInZone(at: string, zone: string): Date | null {
  const utc = new Date(parseTime(at));
  const [minute, hour, day, month] = [
    utc.getUTCMinutes(),
    utc.getUTCHours(),
    utc.getUTCDate(),
    utc.getUTCMonth() + 1,
  ];
  const cron = new Cron(`${minute} ${hour} ${day} ${month} *`, { timezone: zone });
  return cron.nextRun(new Date(utc.getTime() - 2 * 24 * 60 * MINUTE_MS));
}

/**
 * Returns whether a schedule with a single time is over. Such a schedule starts no more runs. False for all other schedules, and for
 * invalid ones.
 */
export function isOver(setting: ScheduleSetting, now: Date): boolean {
  if (!isOnce(scheduleOf(setting).expression) || scheduleProblem(setting) !== undefined) return false;
  return nextTime(setting, now) === null;
}

/**
 * Returns the first due time after `after`; null if the schedule is never due again. Throws for an expression that {@link scheduleProblem}
 * refuses.
 * - Intervals count from the epoch, so that all hosts compute the same times without drift.
 * - A local time that a clock change skips becomes the first time after the gap.
 * - A local time that occurs twice because of a clock change is due only at the first occurrence.
 */
export function nextTime(setting: ScheduleSetting, after: Date): Date | null {
  const { expression, zone } = scheduleOf(setting);
  const at = onceAt(expression);
  if (at !== undefined) {
    const time = timeInZone(at, zone);
    return time !== null && time > after ? time : null;
  }
  const interval = intervalMs(expression);
  if (interval === undefined) return new Cron(expression, { timezone: zone }).nextRun(after);
  return new Date((Math.floor(after.getTime() / interval) + 1) * interval);
}

/** Returns the problem of a schedule. Returns undefined if the schedule is valid. */
export function scheduleProblem(setting: ScheduleSetting): DynoError | undefined {
  const { expression, zone, quiet } = scheduleOf(setting);
  const refuse = (what: string, found: string, allowed: string): DynoError =>
    inputError('definition.schedule', 'schedule', what, { found: jsonOfText(found), allowed });
  if (!isZone(zone)) return refuse('not a time zone', zone, 'a name of the IANA list, such as Europe/Berlin');
  const wrong = quiet.find((period) => parseQuiet(period) === undefined);
  if (wrong !== undefined) return refuse('not a quiet period', wrong, QUIET_FORMS);
  if (isOnce(expression)) {
    if (onceAt(expression) !== undefined) return undefined;
    return refuse(
      'not a date and a time',
      expression,
      'once, a date and a time of the schedule’s time zone, such as once 2026-12-01 22:00 or once 2026-12-01 22:00 Europe/Berlin',
    );
  }
  if (isInterval(expression)) {
    if (intervalMs(expression) !== undefined) return undefined;
    return refuse(
      'not an interval',
      expression,
      'a number with the unit m, h or d, from one minute to 36500d, such as every 6h',
    );
  }
  try {
    if (expression.trim().split(/\s+/).length !== 5) throw new Error('it does not have five fields');
    if (new Cron(expression, { timezone: zone }).nextRun()) return undefined;
    return refuse('never matches a date', expression, ALLOWED);
  } catch (error) {
    const why = messageOf(error).replace(/^CronPattern: /, '');
    return refuse('not a cron expression', expression, `${ALLOWED} (${why})`);
  }
}

/** Returns the next `count` due times after `from`. Returns none for an expression that {@link scheduleProblem} refuses. */
export function dueTimes(expression: ScheduleSetting, count: number, from: Date): Date[] {
  const times: Date[] = [];
  if (scheduleProblem(expression)) return times;
  for (let time = nextTime(expression, from); time !== null && times.length < count;)
    time = nextTime(expression, times[times.push(time) - 1]!);
  return times;
}

const number = (text: string, most: number): number | undefined =>
  /^\d{1,2}$/.test(text) && Number(text) <= most ? Number(text) : undefined;

/**
 * Parses the weekdays in a cron expression: `1-5`, `0,6` or `MON`. Returns the days from 0 (Sunday) to 6; undefined for any other syntax.
 */
function daysOf(text: string): number[] | undefined {
  const days = new Set<number>();
  for (const part of text.split(',')) {
    const [from, to = from] = part.split('-').map((day) => {
      const named = DAY_KEYS.indexOf(day.toUpperCase());
      return named === -1 ? number(day, 7) : named;
    });
    if (from === undefined || to === undefined || to < from) return undefined;
    for (let day = from; day <= to; day += 1) days.add(day % 7);
  }
  return [...days].sort();
}

const DAY_KEYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Returns the values of the form for an expression. Returns undefined if the form cannot set this expression. */
export function rhythmOf(expression: string): Rhythm | undefined {
  const [minuteText, hourText, day, month, weekday, more] = expression.trim().split(/\s+/);
  if (weekday === undefined || more !== undefined || month !== '*') return undefined;
  const minute = number(minuteText!, 59);
  if (minute === undefined) return undefined;
  if (hourText === '*' && day === '*' && weekday === '*') return { every: 'hour', minute };
  const hour = number(hourText!, 23);
  if (hour === undefined) return undefined;
  if (day === '*' && weekday === '*') return { every: 'day', hour, minute };
  if (day === '*') {
    const days = daysOf(weekday);
    return days && { every: 'week', days, hour, minute };
  }
  const date = number(day!, 31);
  return weekday === '*' && date ? { every: 'month', day: date, hour, minute } : undefined;
}

/** Returns the expression for values of the form. */
export function expressionOf(rhythm: Rhythm): string {
  const { minute } = rhythm;
  switch (rhythm.every) {
    case 'hour':
      return `${minute} * * * *`;
    case 'day':
      return `${minute} ${rhythm.hour} * * *`;
    case 'week':
      return `${minute} ${rhythm.hour} * * ${rhythm.days.join(',') || '*'}`;
    case 'month':
      return `${minute} ${rhythm.hour} ${rhythm.day} * *`;
  }
}

const clock = ({ hour, minute }: { hour: number; minute: number }, zone: string): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')} ${zone}`;

const listed = (words: string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** Returns a schedule in words, such as `Every day at 02:00 Europe/Berlin`. Returns the expression if there are no words for it. */
export function scheduleWords(setting: ScheduleSetting): string {
  const { expression, zone } = scheduleOf(setting);
  const at = onceAt(expression);
  if (at !== undefined) return `Once, on ${at.replace('T', ' at ')} ${zone}`;
  const rhythm = rhythmOf(expression);
  switch (rhythm?.every) {
    case undefined: {
      if (intervalMs(expression) !== undefined) return `Every ${expression.trim().split(/\s+/)[1]}`;
      const step = /^\*(?:\/(\d+))? \* \* \* \*$/.exec(expression.trim());
      if (step && Number(step[1] ?? 1) === 1) return 'Every minute';
      return step ? `Every ${step[1]} minutes` : `Cron: ${expression} (${zone})`;
    }
    case 'hour':
      return `Every hour, ${rhythm.minute} minutes past`;
    case 'day':
      return `Every day at ${clock(rhythm, zone)}`;
    case 'week':
      return `Every ${listed(rhythm.days.map((day) => DAY_NAMES[day]!))} at ${clock(rhythm, zone)}`;
    case 'month':
      return `On day ${rhythm.day} of every month at ${clock(rhythm, zone)}`;
  }
}
