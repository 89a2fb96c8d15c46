/**
 * Parses times, and converts between times and the wall clocks of time zones. All other code uses this module to parse dates, so a time
 * without a zone means UTC on every machine. In contrast, `Date.parse` and `new Date(text)` use the local time of the machine. A lint rule
 * forbids `Date.parse` elsewhere, and the declaration below makes `new Date(text)` a compile error.
 */

declare global {
  interface DateConstructor {
    new (value: number | Date): Date;
    /** Makes `new Date(text)` a compile error. Write `new Date(parseTime(text))` instead. */
    new (
      value: number | string | Date,
    ): 'Use parseTime of common/units/time.ts: it reads times without a zone as UTC';
  }
}

/** Form that {@link parseTime} accepts, for error messages. */
export const TIME_FORM =
  'a day or a time, such as 2026-11-20 or 2026-11-20T02:00:00Z (UTC unless it names an offset such as +01:00)';

const ISO =
  /^(\d{4})-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?)?$/;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Returns the ms since the epoch of a date or a time in ISO 8601. Returns NaN for any other text, and for days that do not exist. A text
 * without a zone is UTC. Fractions of a millisecond are cut off.
 */
export function parseTime(text: string): number {
  const found = ISO.exec(text);
  if (found === null) return Number.NaN;
  const [, year, month, day = '01', hour = '00', minute = '00', second = '00', fraction = '0', zone = 'Z'] =
    found;
  return timeOfFields({
    ...{ year: Number(year), month: Number(month), day: Number(day) },
    ...{ hour: Number(hour), minute: Number(minute), second: Number(second), fraction, zone },
  });
}

export interface TimeFields {
  year: number;
  /** Month, from 1 to 12. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** Digits after the decimal point of the seconds. */
  fraction: string;
  /** Zone: `Z`, `+01`, `+0100` or `+01:00`. */
  zone: string;
}

/** Returns milliseconds since the epoch; NaN for a time that does not exist. */
export function timeOfFields(given: TimeFields): number {
  const { year, month, day, hour, minute, second, fraction, zone } = given;
  const isLastMoment = hour === 24 && minute === 0 && second === 0;
  // A second of 60 is a leap second. It counts as the first second of the next minute.
  if ((hour > 23 && !isLastMoment) || minute > 59 || second > 60) return Number.NaN;
  const midnight = new Date(0);
  // `setUTCFullYear` is used, because `Date.UTC` would add 1900 to years below 100.
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return Number.NaN;
  const ms = Math.floor(Number(`0.${fraction}`) * 1000);
  const offset = offsetOf(zone);
  return midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + ms - offset;
}

/**
 * Returns the difference between the clocks of a zone such as `+01:00` and UTC, in ms; above 0 if the zone is ahead. Returns NaN if the
 * difference is a day or more.
 */
function offsetOf(zone: string): number {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), zone.length > 3 ? Number(zone.slice(-2)) : 0];
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * MINUTE_MS;
}

/** Returns the milliseconds since the epoch of a date in an HTTP header (RFC 9110, 5.6.7); NaN for any other text. */
export function parseHttpDate(text: string): number {
  // The oldest of the three forms contains no zone. All forms are UTC.
  // oxlint-disable-next-line no-restricted-properties
  return Date.parse(/\bGMT\s*$/.test(text) ? text : `${text} GMT`);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns the formatter of a time zone, such as `Europe/Berlin`. Throws a RangeError for an unknown zone. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  } as const);
  clocks.set(zone, made);
  return made;
}

/** Whether `zone` is a time zone of the IANA database, such as `Europe/Berlin`. */
export function isZone(zone: string): boolean {
  try {
    clockOf(zone);
    return !/^[+-]/.test(zone);
  } catch {
    return false;
  }
}

/** Returns the wall-clock time of `zone` at `ms`, as a date whose UTC fields are the fields of that clock. */
export function wallClockAt(ms: number, zone: string): Date {
  if (zone === 'UTC') return new Date(ms);
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const [year, month, day] = [parts['year']!, parts['month']!, parts['day']!];
  return new Date(Date.UTC(year, month - 1, day, parts['hour'], parts['minute'], parts['second']));
}

/**
 * Converts the wall-clock time of a zone to ms since the epoch, the reverse of {@link wallClockAt}. If a wall-clock time occurs twice,
 * returns the first one. If a clock change skips the time, uses the offset from before the change: 02:30 becomes 03:30 if clocks change
 * from 02:00 to 03:00 on that day.
 */
export function timeOfWallClock(wall: Date, zone: string): number {
  const ms = wall.getTime();
  const aheadAt = (at: number): number => wallClockAt(at, zone).getTime() - Math.floor(at / 1000) * 1000;
  // The offsets one day before and one day after are the only candidates, because no zone changes its offset twice in two days.
  const [before, after] = [ms - aheadAt(ms - DAY_MS), ms - aheadAt(ms + DAY_MS)];
  const sure = [before, after].filter((at) => aheadAt(at) === ms - at);
  return sure.length === 0 ? before : Math.min(...sure);
}
