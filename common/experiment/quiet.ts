/** Quiet periods, in which a schedule starts no run. A period consists of weekdays with times, or of dates, in a time zone. */
import { parseTime, wallClockAt } from '../units/time';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;

export const QUIET_FORMS =
  'days, times or both, such as Mon-Fri 08:00-18:00, Sat,Sun or 22:00-06:00, or dates, such as 2026-12-20 to 2027-01-03';

/** A parsed quiet period. */
type Quiet =
  /**
   * A period that repeats every week. Days are numbered from 0 (Sunday) to 6. `from` and `to` are in minutes since midnight. If `to` is not
   * after `from`, the period ends on the next day.
   */
  | { kind: 'week'; days: ReadonlySet<number>; from: number; to: number }
  /** A period of whole days, from one ISO 8601 date to another, both inclusive. */
  | { kind: 'dates'; from: string; to: string };

function dayOf(text: string): number | undefined {
  const at = DAYS.findIndex((day) => day.toLowerCase() === text.toLowerCase());
  return at === -1 ? undefined : at;
}

function daysOf(text: string): Set<number> | undefined {
  const days = new Set<number>();
  for (const part of text.split(',')) {
    const named = part.split('-');
    const [first, last] = [dayOf(named[0]!), dayOf(named.at(-1)!)];
    if (first === undefined || last === undefined || named.length > 2) return undefined;
    for (let day = first; ; day = (day + 1) % 7) {
      days.add(day);
      if (day === last) break;
    }
  }
  return days;
}

function minuteOf(text: string): number | undefined {
  const [, hour, minute] = /^(\d{2}):(\d{2})$/.exec(text) ?? [];
  const at = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && at <= DAY_MINUTES ? at : undefined;
}

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(parseTime(text));

/** Parses a quiet period. Returns undefined if the text has none of the forms in {@link QUIET_FORMS}. */
export function parseQuiet(text: string): Quiet | undefined {
  const words = text.trim().split(/\s+/);
  if (isDate(words[0]!)) {
    const [from, link = 'to', to = from] = words;
    return words.length !== 2 && words.length <= 3 && link === 'to' && isDate(to!) && to! >= from!
      ? { kind: 'dates', from: from!, to: to! }
      : undefined;
  }
  const [first, second] = words;
  if (words.length > 2) return undefined;
  const times = second ?? (first!.includes(':') ? first! : '00:00-24:00');
  const days = daysOf(second === undefined && first!.includes(':') ? 'Sun-Sat' : first!);
  const [from, to, ...more] = times.split('-').map(minuteOf);
  if (days === undefined || from === undefined || to === undefined || more.length > 0) return undefined;
  return from === to ? undefined : { kind: 'week', days, from, to };
}

interface LocalTime {
  date: string;
  day: number;
  minute: number;
}

function localTime(ms: number, zone: string): LocalTime {
  const wall = wallClockAt(ms, zone);
  return {
    date: wall.toISOString().slice(0, 10),
    day: wall.getUTCDay(),
    minute: wall.getUTCHours() * 60 + wall.getUTCMinutes(),
  };
}

/** Returns the local time in a zone: `2026-11-20 03:00`. */
export function wallClock(ms: number, zone: string): string {
  const { date, minute } = localTime(ms, zone);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

function holds(quiet: Quiet, { date, day, minute }: LocalTime): boolean {
  if (quiet.kind === 'dates') return date >= quiet.from && date <= quiet.to;
  const { days, from, to } = quiet;
  if (to > from) return days.has(day) && minute >= from && minute < to;
  // A period across midnight belongs to the day on which it begins.
  return (days.has(day) && minute >= from) || (days.has((day + 6) % 7) && minute < to);
}

/**
 * Maximum number of times within a run at which Dyno checks for quiet periods. With this number, it finds a period of a few minutes even in
 * a run of a month.
 */
const MOST_LOOKS = 10_000;

/**
 * Returns the first quiet period (without scheduled runs) that overlaps the time from `from` to `until`, both in ms since the epoch and
 * inclusive. Undefined if no period overlaps it.
 */
export function quietWithin(
  periods: readonly string[],
  zone: string,
  from: number,
  until = from,
): string | undefined {
  const read = periods.flatMap((text) => {
    const quiet = parseQuiet(text);
    return quiet ? [{ text, quiet }] : [];
  });
  if (read.length === 0) return undefined;
  const step = Math.max(MINUTE_MS, (until - from) / MOST_LOOKS);
  for (let at = from; ; at = Math.min(until, at + step)) {
    const local = localTime(at, zone);
    const found = read.find(({ quiet }) => holds(quiet, local));
    if (found) return found.text;
    if (at >= until) return undefined;
  }
}
