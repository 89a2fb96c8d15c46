/**
 * Schedules: the cron expression or the interval (`every 6h`) that a definition holds, in words, as choices of a form,
 * and as the times it falls due. UTC.
 *
 * The times are those of croner. By hand are the words alone, since only what the form can set has any.
 */
import { Cron } from 'croner';
import { inputError, messageOf, type DynoError } from '../problem';
import { parseDuration } from '../units/duration';

export const WHEN_MISSED = ['run-once', 'skip'] as const;
export type WhenMissed = (typeof WHEN_MISSED)[number];

/** As a definition writes it: the expression alone, or with what else is said of it. */
export type ScheduleSetting = string | { cron: string; 'when-missed'?: WhenMissed };

/** A schedule with what its setting leaves out. */
export interface Schedule {
  /** Five fields of cron, or an interval. */
  expression: string;
  /** What is done about the last time that was missed. */
  whenMissed: WhenMissed;
}

export function scheduleOf(setting: ScheduleSetting): Schedule {
  const { cron, 'when-missed': whenMissed = 'run-once' } =
    typeof setting === 'string' ? { cron: setting } : setting;
  return { expression: cron, whenMissed };
}

/** A setting with some parts changed, as short as it can be written. */
export function withSchedule(setting: ScheduleSetting, change: Partial<Schedule>): ScheduleSetting {
  const { expression, whenMissed } = { ...scheduleOf(setting), ...change };
  return whenMissed === 'run-once' ? expression : { cron: expression, 'when-missed': whenMissed };
}

/** The same text for what falls due at the same times. */
export const timesKey = (setting: ScheduleSetting): string => scheduleOf(setting).expression.trim();

/** What most schedules are, in numbers that a form can ask for; anything else stays an expression. */
export type Rhythm =
  | { every: 'hour'; minute: number }
  | { every: 'day'; hour: number; minute: number }
  /** Days from 0, Sunday, to 6. */
  | { every: 'week'; days: readonly number[]; hour: number; minute: number }
  | { every: 'month'; day: number; hour: number; minute: number };

const ALLOWED =
  'five cron fields: minute, hour, day of the month, month, day of the week; or an interval from one minute to 36500d, such as every 6h';

const MINUTE_MS = 60_000;
/** A hundred years: dates end somewhere. */
const LONGEST_MS = 36_500 * 24 * 60 * MINUTE_MS;

const isInterval = (expression: string): boolean => /^\s*every\b/.test(expression);

/** Of `every 6h`, ms; undefined for anything else. */
export function intervalMs(expression: string): number | undefined {
  const ms = parseDuration(/^\s*every\s+(\S+)\s*$/.exec(expression)?.[1] ?? '');
  return ms !== undefined && ms >= MINUTE_MS && ms <= LONGEST_MS ? ms : undefined;
}

/**
 * The first time after `after`; null if it never falls due again. Intervals are counted from the epoch, so that every
 * host finds the same times and none drifts. Throws for an expression that {@link scheduleProblem} refuses.
 */
export function nextTime(setting: ScheduleSetting, after: Date): Date | null {
  const { expression } = scheduleOf(setting);
  const interval = intervalMs(expression);
  if (interval === undefined) return new Cron(expression, { timezone: 'UTC' }).nextRun(after);
  return new Date((Math.floor(after.getTime() / interval) + 1) * interval);
}

/** What is wrong with an expression, or undefined. */
export function scheduleProblem(setting: ScheduleSetting): DynoError | undefined {
  const { expression } = scheduleOf(setting);
  if (isInterval(expression)) {
    if (intervalMs(expression) !== undefined) return undefined;
    return inputError('definition.schedule', 'schedule', 'not an interval', {
      found: JSON.stringify(expression),
      allowed: 'a number with the unit m, h or d, from one minute to 36500d, such as every 6h',
    });
  }
  try {
    if (expression.trim().split(/\s+/).length !== 5) throw new Error('it does not have five fields');
    if (new Cron(expression, { timezone: 'UTC' }).nextRun()) return undefined;
    return inputError('definition.schedule', 'schedule', 'never matches a date', {
      found: JSON.stringify(expression),
      allowed: ALLOWED,
    });
  } catch (error) {
    return inputError('definition.schedule', 'schedule', 'not a cron expression', {
      found: JSON.stringify(expression),
      allowed: `${ALLOWED} (${messageOf(error).replace(/^CronPattern: /, '')})`,
    });
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

const clock = ({ hour, minute }: { hour: number; minute: number }): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')} UTC`;

const listed = (words: string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** `Every day at 02:00 UTC`; the expression itself where there are no words for it. */
export function scheduleWords(setting: ScheduleSetting): string {
  const { expression } = scheduleOf(setting);
  const rhythm = rhythmOf(expression);
  switch (rhythm?.every) {
    case undefined: {
      if (intervalMs(expression) !== undefined) return `Every ${expression.trim().split(/\s+/)[1]}`;
      const step = /^\*(?:\/(\d+))? \* \* \* \*$/.exec(expression.trim());
      if (step && Number(step[1] ?? 1) === 1) return 'Every minute';
      return step ? `Every ${step[1]} minutes` : `Cron: ${expression} (UTC)`;
    }
    case 'hour':
      return `Every hour, ${rhythm.minute} minutes past`;
    case 'day':
      return `Every day at ${clock(rhythm)}`;
    case 'week':
      return `Every ${listed(rhythm.days.map((day) => DAY_NAMES[day]!))} at ${clock(rhythm)}`;
    case 'month':
      return `On day ${rhythm.day} of every month at ${clock(rhythm)}`;
  }
}
