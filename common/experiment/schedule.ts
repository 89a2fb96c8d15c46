/**
 * Schedules: the cron expression, the interval (`every 6h`) or the one time (`once 2026-12-01 22:00`) that a definition holds, in
 * words, as choices of a form, and as the times it falls due, in UTC or a time zone.
 *
 * croner computes the times. The words are written here, and only for what the form can set.
 */
import { jsonOfText } from '../json/exact';
import { Cron } from 'croner';
import { inputError, messageOf, type DynoError } from '../problem';
import { parseQuiet, QUIET_FORMS } from './quiet';
import { parseDuration } from '../units/duration';
import { isZone, parseTime } from '../units/time';

export const WHEN_MISSED = ['run-once', 'skip'] as const;
export type WhenMissed = (typeof WHEN_MISSED)[number];

/** As a definition writes it: the expression alone, with a time zone behind it or not, or with what else is said of it. */
export type ScheduleSetting =
  | string
  | { cron: string; zone?: string; quiet?: string[]; 'when-missed'?: WhenMissed };

/** A schedule with what its setting leaves out. */
export interface Schedule {
  /** Five fields of cron, an interval, or one time. */
  expression: string;
  /** Name in the IANA list: the zone of cron, of the one time and of quiet periods. */
  zone: string;
  /** In which nothing is started. */
  quiet: readonly string[];
  /** What is done about the last time that was missed. */
  whenMissed: WhenMissed;
}

export const UTC = 'UTC';

/** Splits `0 3 * * * Europe/Berlin` and `once 2026-12-01 22:00 Europe/Berlin`. */
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

/** A setting with some parts changed, as short as it can be written. */
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

/** The same text for what falls due at the same times. */
export function timesKey(setting: ScheduleSetting): string {
  const { expression, zone } = scheduleOf(setting);
  return `${expression.trim()}${zone === UTC ? '' : ` ${zone}`}`;
}

/** What most schedules are, in numbers that a form can ask for; anything else stays an expression. */
export type Rhythm =
  | { every: 'hour'; minute: number }
  | { every: 'day'; hour: number; minute: number }
  /** Days from 0, Sunday, to 6. */
  | { every: 'week'; days: readonly number[]; hour: number; minute: number }
  | { every: 'month'; day: number; hour: number; minute: number };

const ALLOWED =
  'five cron fields: minute, hour, day of the month, month, day of the week; an interval from one minute to 36500d, such as every 6h; or one time, such as once 2026-12-01 22:00';

const MINUTE_MS = 60_000;
/** A hundred years: dates end somewhere. */
const LONGEST_MS = 36_500 * 24 * 60 * MINUTE_MS;

const isInterval = (expression: string): boolean => /^\s*every\b/.test(expression);

/** Of `every 6h`, ms; undefined for anything else. */
export function intervalMs(expression: string): number | undefined {
  const ms = parseDuration(/^\s*every\s+(\S+)\s*$/.exec(expression)?.[1] ?? '');
  return ms !== undefined && ms >= MINUTE_MS && ms <= LONGEST_MS ? ms : undefined;
}

const ONCE = /^\s*once\b/;

/** Whether the expression names one time instead of many. */
export const isOnce = (expression: string): boolean => ONCE.test(expression);

/** Returns the date and time of `once 2026-12-01 22:00` as `2026-12-01T22:00`; undefined for anything else. */
export function onceAt(expression: string): string | undefined {
  const [, date, clock] =
    /^\s*once\s+(\d{4}-\d{2}-\d{2})(?:T|\s+)(\d{2}:\d{2})(?::00)?\s*$/.exec(expression) ?? [];
  return date === undefined || Number.isNaN(parseTime(`${date}T${clock!}`)) || clock === '24:00'
    ? undefined
    : `${date}T${clock!}`;
}

/** Returns the expression of one date and time, given as `2026-12-01T22:00`. */
export const onceExpression = (at: string): string => `once ${at.replace('T', ' ')}`;

/**
 * Returns when the clocks of `zone` show `at` (`2026-12-01T22:00`). croner decides, so that a time in the gap of a clock change moves
 * as a recurring one does: the search starts two days before, where the calendar date is earlier in every zone.
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

/** Whether it is a schedule of one time, and that time is not after `now`: no run starts by it any more. */
export function isOver(setting: ScheduleSetting, now: Date): boolean {
  if (!isOnce(scheduleOf(setting).expression) || scheduleProblem(setting) !== undefined) return false;
  return nextTime(setting, now) === null;
}

/**
 * The first time after `after`; null if it never falls due again. Intervals are counted from the epoch, so that every
 * host finds the same times and none drifts. Where clocks are put forward, a time that does not exist is the first one
 * behind the gap; where they are put back, one that exists twice falls due once, the first time. Throws for an expression that {@link scheduleProblem} refuses.
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

/** What is wrong with a schedule, or undefined. */
export function scheduleProblem(setting: ScheduleSetting): DynoError | undefined {
  const { expression, zone, quiet } = scheduleOf(setting);
  const refuse = (what: string, found: string, allowed: string): DynoError =>
    inputError('definition.schedule', 'schedule', what, { found: jsonOfText(found), allowed });
  if (!isZone(zone))
    return refuse('not a time zone', zone, 'a name of the IANA’s list, such as Europe/Berlin');
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

/** The next `count` times after `from`; none for an expression that {@link scheduleProblem} refuses. */
export function dueTimes(expression: ScheduleSetting, count: number, from: Date): Date[] {
  const times: Date[] = [];
  if (scheduleProblem(expression)) return times;
  for (let time = nextTime(expression, from); time !== null && times.length < count;)
    time = nextTime(expression, times[times.push(time) - 1]!);
  return times;
}

const number = (text: string, most: number): number | undefined =>
  /^\d{1,2}$/.test(text) && Number(text) <= most ? Number(text) : undefined;

/** Days of the week of `1-5`, `0,6`, `MON`; undefined for what is more than that. */
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

/** The rhythm that an expression has; undefined where it is none of them. */
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

/** The expression of a rhythm. */
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

/** `Every day at 02:00 Europe/Berlin`; the expression itself where there are no words for it. */
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
