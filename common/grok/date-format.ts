/**
 * Parses times in logs. A format uses the letters of Elasticsearch's date processor. Dyno compiles it to one regular expression.
 *
 * Dyno uses no package for dates, because packages use other letters, and interpret the format again for each line.
 */

import { parseTime } from '../units/time';

/** Returns the time in ms since the epoch; null if the text does not have this format. */
export type ReadTime = (text: string) => number | null;

export const NAMED_DATE_FORMATS = ['ISO8601', 'UNIX', 'UNIX_MS'] as const;

type Part = 'year' | 'month' | 'monthName' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'zone';

/**
 * Letters of formats, each with the regular expression for the text that they match. Letters that begin with other letters of this list
 * come before them.
 */
const TOKENS: readonly (readonly [letters: string, part: Part, match: string])[] = [
  ['yyyy', 'year', '[0-9]{4}'],
  ['MMM', 'monthName', '[A-Za-z]{3}'],
  ['SSSSSS', 'fraction', '[0-9]{6}'],
  ['SSS', 'fraction', '[0-9]{3}'],
  ['XXX', 'zone', 'Z|[+-][0-9]{2}:[0-9]{2}'],
  ['MM', 'month', '[0-9]{2}'],
  ['dd', 'day', '[0-9]{2}'],
  ['HH', 'hour', '[0-9]{2}'],
  ['mm', 'minute', '[0-9]{2}'],
  ['ss', 'second', '[0-9]{2}'],
  ['d', 'day', '[0-9]{1,2}'],
  ['H', 'hour', '[0-9]{1,2}'],
  ['Z', 'zone', '[+-][0-9]{4}'],
];

/** Description of allowed formats, for errors. */
export const DATE_FORMS = `${NAMED_DATE_FORMATS.join(', ')}, or a form of ${TOKENS.map(([letters]) => letters).join(', ')} and 'text', such as dd/MMM/yyyy:HH:mm:ss Z`;

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';
/**
 * Compiles a date format to a function that reads times. Undefined if the format is invalid. Times without a zone are UTC.
 *
 * If the format has no year, a time gets the current year. It gets the previous year if it would otherwise be more than a day in the
 * future. `now`: returns the current time, in ms since the epoch.
 */
export function compileDateFormat(
  format: string,
  now: () => number = () => Date.now(),
): ReadTime | undefined {
  if (format === 'ISO8601') return readIso;
  if (format === 'UNIX') return (text) => number(text, 1000);
  if (format === 'UNIX_MS') return (text) => number(text, 1);
  const parts: Part[] = [];
  let source = '';
  for (let at = 0; at < format.length;) {
    const literal = /^'((?:[^']|'')*)'/.exec(format.slice(at));
    const token = TOKENS.find(([letters]) => format.startsWith(letters, at));
    if (literal) {
      source += escaped(literal[1]!.replaceAll("''", "'") || "'");
      at += literal[0].length;
    } else if (token) {
      const [letters, part, match] = token;
      if (parts.includes(part)) return undefined;
      parts.push(part);
      source += `(${match})`;
      at += letters.length;
    } else if (/[A-Za-z']/.test(format[at]!)) return undefined;
    else {
      // One space matches several, because logs of Unix systems pad a one-digit day with a space.
      source += format[at] === ' ' ? ' +' : escaped(format[at]!);
      at += 1;
    }
  }
  const hasMonth = parts.includes('month') || parts.includes('monthName');
  if (!hasMonth || !parts.includes('day')) return undefined;
  const regex = new RegExp(`^${source}$`);
  return (text) => {
    const found = regex.exec(text);
    if (found === null) return null;
    const given: Partial<Record<Part, string>> = {};
    for (const [place, part] of parts.entries()) given[part] = found[place + 1]!;
    return timeOf(given, now);
  };
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

function number(text: string, factor: number): number | null {
  return /^\d+(?:\.\d+)?$/.test(text) ? Math.round(Number(text) * factor) : null;
}

function readIso(text: string): number | null {
  const time = parseTime(text);
  return Number.isNaN(time) ? null : time;
}

function timeOf(given: Partial<Record<Part, string>>, now: () => number): number | null {
  const month = given.monthName ? monthOf(given.monthName) : Number(given.month);
  const day = Number(given.day);
  const [hour, minute, second] = [given.hour, given.minute, given.second].map((text) => Number(text ?? 0));
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour! > 23 || minute! > 59 || second! > 60)
    return null;
  const ms = given.fraction === undefined ? 0 : Math.floor(Number(`0.${given.fraction}`) * 1000);
  const at = (year: number): number =>
    Date.UTC(year, month - 1, day, hour, minute, second, ms) - zoneMs(given.zone ?? 'Z');
  if (given.year !== undefined) return at(Number(given.year));
  const year = new Date(now()).getUTCFullYear();
  return at(year) > now() + 86_400_000 ? at(year - 1) : at(year);
}

/** Returns the number of a month from 1; 0 if the name is unknown. */
function monthOf(name: string): number {
  const place = MONTHS.indexOf(name.toLowerCase());
  return place % 3 === 0 ? place / 3 + 1 : 0;
}

function zoneMs(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith('-') ? -1 : 1) * minutes * 60_000;
}
