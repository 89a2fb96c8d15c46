/**
 * Evaluates dates in file names, in the syntax of Elasticsearch's date math: `access-{now/d-1d{yyyy-MM-dd}}.log` is yesterday's file. Dates
 * are in the time zone of the schedule; without one, in UTC. A name is evaluated when a run is created, and the run keeps this name.
 */
import type { Problem } from '../problem';
import { timeOfWallClock, wallClockAt } from '../units/time';
import type { Definition } from './definition';
import { scheduleOf, scheduleProblem, UTC } from './schedule';

const DATE_MATH = /\{now([^{}]*)(?:\{([^{}]*)\})?\}/g;
const STEP = /\/([hdwMy])|([+-]\d{1,4})([hdwMy])/y;
const FORMAT = 'yyyy.MM.dd';
const ALLOWED =
  'now, rounded (/d) and moved (-1d) by h, d, w, M or y, and a format of yyyy, MM, dd and HH: {now/d-1d{yyyy-MM-dd}}';

const HOUR_MS = 3_600_000;

type Unit = 'h' | 'd' | 'w' | 'M' | 'y';

/**
 * Rounds a local time down to the start of a unit. `date`: a Date whose UTC fields contain the local date and time. Weeks begin on Monday.
 */
function rounded(date: Date, unit: Exclude<Unit, 'h'>): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (unit === 'y') return new Date(Date.UTC(year, 0, 1));
  if (unit === 'M') return new Date(Date.UTC(year, month, 1));
  return new Date(Date.UTC(year, month, day - (unit === 'w' ? (date.getUTCDay() + 6) % 7 : 0)));
}

/**
 * Adds `by` units to a local time. `date`: a Date whose UTC fields contain the local date and time. If the resulting month is too short,
 * returns its last day: one month before March 31 is February 28.
 */
function moved(date: Date, by: number, unit: Exclude<Unit, 'h'>): Date {
  const result = new Date(date);
  if (unit === 'd' || unit === 'w') {
    result.setUTCDate(date.getUTCDate() + by * (unit === 'w' ? 7 : 1));
    return result;
  }
  result.setUTCDate(1);
  result.setUTCMonth(date.getUTCMonth() + by * (unit === 'y' ? 12 : 1));
  const last = new Date(Date.UTC(result.getUTCFullYear(), result.getUTCMonth() + 1, 0)).getUTCDate();
  result.setUTCDate(Math.min(date.getUTCDate(), last));
  return result;
}

function formatted(date: Date, format: string): string | undefined {
  const two = (value: number): string => String(value).padStart(2, '0');
  const text = format.replaceAll(/yyyy|uuuu|MM|dd|HH|[a-zA-Z]/g, (letters) => {
    if (letters === 'yyyy' || letters === 'uuuu') return String(date.getUTCFullYear());
    if (letters === 'MM') return two(date.getUTCMonth() + 1);
    if (letters === 'dd') return two(date.getUTCDate());
    return letters === 'HH' ? two(date.getUTCHours()) : '?';
  });
  return text === '' || text.includes('?') ? undefined : text;
}

/**
 * Returns the value of one date expression; undefined if the expression is invalid. `steps` and `format` are the parts of the expression,
 * without braces. Days and longer units follow the calendar of `zone`. An hour is always 60 minutes, even if the clocks change.
 */
function evaluated(steps: string, format: string, now: Date, zone: string): string | undefined {
  let ms = now.getTime();
  const onCalendar = (change: (wall: Date) => Date): number =>
    timeOfWallClock(change(wallClockAt(ms, zone)), zone);
  for (let at = 0; at < steps.length; at = STEP.lastIndex) {
    STEP.lastIndex = at;
    const step = STEP.exec(steps);
    if (step === null) return undefined;
    const [, round, by] = step;
    const unit = (round ?? step[3]) as Unit;
    if (unit === 'h')
      ms += round === undefined ? Number(by) * HOUR_MS : -(wallClockAt(ms, zone).getTime() % HOUR_MS);
    else
      ms = onCalendar((wall) => (round === undefined ? moved(wall, Number(by), unit) : rounded(wall, unit)));
  }
  return formatted(wallClockAt(ms, zone), format);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Returns the file name for the moment `now`, in the calendar of `zone`. Text that is not date math stays unchanged. */
export const datedName = (name: string, now: Date, zone: string = UTC): string =>
  name.replaceAll(
    DATE_MATH,
    (whole, steps: string, format: string = FORMAT) => evaluated(steps, format, now, zone) ?? whole,
  );

/**
 * Returns whether the value at the end of this path names a file. It does in `file: NAME`, in `file: { path: NAME }`, and as a level of a
 * factor that varies one of these keys.
 */
const isFile = (path: readonly string[]): boolean => {
  const [parent, key] = path.flatMap((each) => each.split('.')).slice(-2);
  return key === 'file' || (parent === 'file' && key === 'path');
};

/**
 * Returns `value` with all file names in it replaced by the result of `change`. An object or list in which nothing changes is returned
 * itself, not as a copy.
 */
function withNames(value: unknown, path: readonly string[], change: (name: string) => string): unknown {
  if (typeof value === 'string') return isFile(path) ? change(value) : value;
  if (Array.isArray(value)) {
    // A factor has a list of levels. Each level replaces the value at the factor's path.
    const made = value.map((each: unknown) => withNames(each, path, change));
    return made.some((each, at) => each !== value[at]) ? made : value;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(
    ([key, each]) => [key, withNames(each, [...path, key], change)] as const,
  );
  return entries.some(([key, each]) => each !== value[key]) ? Object.fromEntries(entries) : value;
}

/** Returns the time zone for dates in names of files: the zone of the schedule, or else UTC. */
export const zoneOfNames = ({ schedule }: Definition): string =>
  schedule === undefined || scheduleProblem(schedule) !== undefined ? UTC : scheduleOf(schedule).zone;

/**
 * Returns a definition in which the dates in all file names are evaluated for the moment `now`. Returns the same object if no name contains
 * a date. The day depends on the time zone: at 00:30 in Berlin it is still the day before in UTC.
 */
export function withDatedFiles(definition: Definition, now: Date): Definition {
  const zone = zoneOfNames(definition);
  return withNames(definition, [], (name) => datedName(name, now, zone)) as Definition;
}

/** Returns a problem for each file name that contains invalid date math. */
export function checkDatedFiles(definition: Definition): Problem[] {
  const problems: Problem[] = [];
  withNames(definition, [], (name) => {
    const left = /\{now[^}]*\}?/.exec(datedName(name, new Date(0)))?.[0];
    if (left !== undefined)
      problems.push({
        code: 'definition.file-date',
        path: 'file',
        message: `the name of a file, ${name}, has a date that cannot be read`,
        found: left,
        allowed: ALLOWED,
      });
    return name;
  });
  return problems;
}
