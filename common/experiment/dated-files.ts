/**
 * Names of files with a date in them, as Elasticsearch writes names of indices by date math: `access-{now/d-1d{yyyy-MM-dd}}.log`
 * is yesterday's. A run takes the names of the moment at which it is made, and keeps them.
 */
import type { Problem } from '../problem';
import type { Definition } from './definition';

const DATE_MATH = /\{now([^{}]*)(?:\{([^{}]*)\})?\}/g;
const STEP = /\/([hdwMy])|([+-]\d{1,4})([hdwMy])/y;
const FORMAT = 'yyyy.MM.dd';
const ALLOWED =
  'now, rounded (/d) and moved (-1d) by h, d, w, M or y, and a format of yyyy, MM, dd and HH: {now/d-1d{yyyy-MM-dd}}';

type Unit = 'h' | 'd' | 'w' | 'M' | 'y';

/** In UTC. Weeks begin on Monday. */
function rounded(date: Date, unit: Unit): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (unit === 'h') return new Date(Date.UTC(year, month, day, date.getUTCHours()));
  if (unit === 'y') return new Date(Date.UTC(year, 0, 1));
  if (unit === 'M') return new Date(Date.UTC(year, month, 1));
  return new Date(Date.UTC(year, month, day - (unit === 'w' ? (date.getUTCDay() + 6) % 7 : 0)));
}

function moved(date: Date, by: number, unit: Unit): Date {
  const result = new Date(date);
  if (unit === 'h') result.setUTCHours(date.getUTCHours() + by);
  else if (unit === 'd') result.setUTCDate(date.getUTCDate() + by);
  else if (unit === 'w') result.setUTCDate(date.getUTCDate() + 7 * by);
  else if (unit === 'M') result.setUTCMonth(date.getUTCMonth() + by);
  else result.setUTCFullYear(date.getUTCFullYear() + by);
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

/** One expression, without its braces; undefined where it is none. */
function evaluated(steps: string, format: string, now: Date): string | undefined {
  let date = now;
  for (let at = 0; at < steps.length; at = STEP.lastIndex) {
    STEP.lastIndex = at;
    const step = STEP.exec(steps);
    if (step === null) return undefined;
    const [, round, by, unit] = step;
    date = round === undefined ? moved(date, Number(by), unit as Unit) : rounded(date, round as Unit);
  }
  return formatted(date, format);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The name at the moment `now`. What is no date math stays as it is written. */
export const datedName = (name: string, now: Date): string =>
  name.replaceAll(
    DATE_MATH,
    (whole, steps: string, format: string = FORMAT) => evaluated(steps, format, now) ?? whole,
  );

/** Whether the value at the end of this path names a file: `file: NAME`, `file: { path: NAME }`, and factors of these. */
const isFile = (path: readonly string[]): boolean => {
  const [parent, key] = path.flatMap((each) => each.split('.')).slice(-2);
  return key === 'file' || (parent === 'file' && key === 'path');
};

/** `value` with `change` of every name of a file in it; parts without one stay the same objects. */
function withNames(value: unknown, path: readonly string[], change: (name: string) => string): unknown {
  if (typeof value === 'string') return isFile(path) ? change(value) : value;
  if (Array.isArray(value)) {
    // Levels of a factor stand in a list below its path.
    const made = value.map((each: unknown) => withNames(each, path, change));
    return made.some((each, at) => each !== value[at]) ? made : value;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(
    ([key, each]) => [key, withNames(each, [...path, key], change)] as const,
  );
  return entries.some(([key, each]) => each !== value[key]) ? Object.fromEntries(entries) : value;
}

/** The definition with the names of files that it has at the moment `now`; itself where no name has a date. */
export const withDatedFiles = (definition: Definition, now: Date): Definition =>
  withNames(definition, [], (name) => datedName(name, now)) as Definition;

/** Names that look like date math and are none. */
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
