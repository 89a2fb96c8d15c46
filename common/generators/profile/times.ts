/** Formats of the times in documents, all in UTC. `dyno learn` recognises them, and the generator writes them. */

import { parseTime } from '../../units/time';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const WEEK_DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const monthOf = (ms: number): string => MONTHS[new Date(ms).getUTCMonth()]!;

const iso = (ms: number): string => new Date(ms).toISOString();

interface TimeForm {
  name: string;
  text(ms: number): string;
  /** Returns the time in ms since the epoch; undefined if the text does not have this format. */
  parse(text: string): number | undefined;
  /** Precision of the format, in ms. */
  step: number;
}

const byPattern =
  (pattern: RegExp, isoOf: (text: string) => string = (text) => text) =>
  (text: string): number | undefined => {
    if (!pattern.test(text)) return undefined;
    const ms = parseTime(isoOf(text));
    return Number.isNaN(ms) ? undefined : ms;
  };

const DAY = String.raw`\d{4}-\d\d-\d\d`;
const TIME = String.raw`\d\d:\d\d:\d\d`;
const form = (name: string, step: number, text: TimeForm['text'], parse: TimeForm['parse']): TimeForm => ({
  name,
  step,
  text,
  parse,
});

/**
 * Returns whether a number may be a time in seconds since the epoch: from 2001 to 2096. Numbers outside this range are ordinary numbers.
 */
const isSeconds = (value: number): boolean => value > 978e6 && value < 4e9;

/**
 * All formats, in the order in which they are tried. A profile contains the index of a format in this list, so new formats must be added at
 * the end.
 */
export const TIME_FORMS = [
  form('iso', 1, iso, byPattern(new RegExp(`^${DAY}T${TIME}\\.\\d{3}Z$`))),
  form('iso-seconds', 1000, (ms) => `${iso(ms).slice(0, 19)}Z`, byPattern(new RegExp(`^${DAY}T${TIME}Z$`))),
  form(
    'iso-micros',
    1,
    (ms) => `${iso(ms).slice(0, 23)}000Z`,
    byPattern(new RegExp(`^${DAY}T${TIME}\\.\\d{6}Z$`)),
  ),
  form(
    'iso-nanos',
    1,
    (ms) => `${iso(ms).slice(0, 23)}000000Z`,
    byPattern(new RegExp(`^${DAY}T${TIME}\\.\\d{9}Z$`)),
  ),
  form(
    'iso-offset',
    1000,
    (ms) => `${iso(ms).slice(0, 19)}+00:00`,
    byPattern(new RegExp(`^${DAY}T${TIME}[+-]\\d\\d:?\\d\\d$`)),
  ),
  form(
    'iso-offset-millis',
    1,
    (ms) => `${iso(ms).slice(0, 23)}+00:00`,
    byPattern(new RegExp(`^${DAY}T${TIME}\\.\\d+[+-]\\d\\d:?\\d\\d$`)),
  ),
  form('iso-local', 1000, (ms) => iso(ms).slice(0, 19), byPattern(new RegExp(`^${DAY}T${TIME}$`))),
  form(
    'sql',
    1000,
    (ms) => iso(ms).slice(0, 19).replace('T', ' '),
    byPattern(new RegExp(`^${DAY} ${TIME}$`)),
  ),
  form(
    'sql-millis',
    1,
    (ms) => iso(ms).slice(0, 23).replace('T', ' '),
    byPattern(new RegExp(`^${DAY} ${TIME}\\.\\d{3}$`)),
  ),
  form(
    'log-millis',
    1,
    (ms) => iso(ms).slice(0, 23).replace('T', ' ').replace('.', ','),
    byPattern(new RegExp(`^${DAY} ${TIME},\\d{3}$`)),
  ),
  form(
    'clf',
    1000,
    (ms) => {
      const text = iso(ms);
      return `${text.slice(8, 10)}/${MONTHS[Number(text.slice(5, 7)) - 1]!}/${text.slice(0, 4)}:${text.slice(11, 19)} +0000`;
    },
    byPattern(new RegExp(`^\\d\\d/[A-Z][a-z]{2}/\\d{4}:${TIME} [+-]\\d{4}$`), (text) => {
      const [day, month, year, hour, minute, second, zone] = text.split(/[/: ]/);
      const number = MONTHS.indexOf(month!) + 1;
      return `${year}-${String(number).padStart(2, '0')}-${day}T${hour}:${minute}:${second}${zone}`;
    }),
  ),
  form('day', 86_400_000, (ms) => iso(ms).slice(0, 10), byPattern(new RegExp(`^${DAY}$`))),
  form(
    'epoch-millis',
    1,
    (ms) => String(ms),
    (text) => (/^\d{12,13}$/.test(text) && isSeconds(Number(text) / 1000) ? Number(text) : undefined),
  ),
  form(
    'epoch-seconds',
    1000,
    (ms) => String(Math.floor(ms / 1000)),
    (text) => (/^\d{9,10}$/.test(text) && isSeconds(Number(text)) ? Number(text) * 1000 : undefined),
  ),
  // The three formats below are not recognised on their own, because they lack the year or are ambiguous. They are recognised only if they
  // show the document's time.
  form(
    'ctime',
    1000,
    (ms) => {
      const date = new Date(ms);
      return `${WEEK_DAYS[date.getUTCDay()]!} ${monthOf(ms)} ${iso(ms).slice(8, 10)} ${iso(ms).slice(11, 19)} ${iso(ms).slice(0, 4)}`;
    },
    () => undefined,
  ),
  form(
    'syslog',
    1000,
    (ms) => `${monthOf(ms)} ${String(new Date(ms).getUTCDate()).padStart(2)} ${iso(ms).slice(11, 19)}`,
    () => undefined,
  ),
  form(
    'compact',
    1000,
    (ms) => {
      const [day, time] = [iso(ms).slice(2, 10), iso(ms).slice(11, 19)];
      return `${day.replaceAll('-', '')} ${time.replaceAll(':', '')}`;
    },
    () => undefined,
  ),
] as const satisfies readonly TimeForm[];

export type TimeFormName = (typeof TIME_FORMS)[number]['name'];
export const TIME_FORM_NAMES: readonly string[] = TIME_FORMS.map(({ name }) => name);

/**
 * If the whole text is a time, returns the time in ms and the index of its format. Otherwise undefined. `numbers`: whether a text that
 * consists only of digits may be a time.
 */
export function timeIn(text: string, numbers: boolean): { form: number; ms: number } | undefined {
  if (text.length < 9 || text.length > 40 || text.charCodeAt(0) < 48 || text.charCodeAt(0) > 57)
    return undefined;
  for (const [at, { name, parse }] of TIME_FORMS.entries()) {
    if (name.startsWith('epoch') && !numbers) continue;
    const ms = parse(text);
    if (ms !== undefined) return { form: at, ms };
  }
  return undefined;
}
