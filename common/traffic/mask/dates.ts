/** Shifts dates by a whole number of weeks. Days of the week, times of day, and differences between dates stay the same. */

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;
export const WEEK_SECONDS = 604_800n;

const TIME = String.raw`(?:T\d{2}| \d{2}(?=:\d))(?::?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?)?(?:Z|[+-]\d{2}(?::?\d{2})?| [+-]\d{4}(?!\d))?`;

/** Source of a regular expression that finds dates, with or without a time, anywhere in a text. */
export const DATE_PATTERN = String.raw`(?<![\p{L}\p{N}])\d{4}(?<separator>[-/.])(?:0[1-9]|1[0-2])\k<separator>(?:0[1-9]|[12]\d|3[01])(?![\p{L}\p{N}](?<!T))(?:${TIME})?`;

const WHOLE = new RegExp(`^(?:${DATE_PATTERN}|\\d{4}-\\d{2})$`, 'u');
const DAY = /^(\d{4})([-/.])(\d{2})\2(\d{2})/;
const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/**
 * Source of a regular expression for a step of date math, such as `+1d` or `/M`. A number of more than five digits does not match, because
 * it could be a value of a user.
 */
const MATH = String.raw`(?:[+-]\d{1,5}[yMwdhHms]|\/[yMwdhHms])`;
const NOW = new RegExp(`^now${MATH}*$`);
const ANCHORED = new RegExp(String.raw`^(.+)\|\|(${MATH}*)$`);

/** Returns whether a text is date math relative to the present, such as `now-1d/d`. */
export const isRelativeDate = (text: string): boolean => NOW.test(text);

/** Splits date math such as `2026-01-01||+1M/d` into the date and the steps. Returns null for other texts. */
export function anchoredDate(text: string): { date: string; math: string } | null {
  const found = ANCHORED.exec(text);
  return found === null ? null : { date: found[1]!, math: `||${found[2]!}` };
}

/** Returns whether a text is a date, with or without a time. */
export const isDate = (text: string): boolean => WHOLE.test(text) && (DAY.test(text) || MONTH.test(text));

const two = (number: number): string => String(number).padStart(2, '0');

/**
 * Shifts a date. The time of day stays. For a month without a day, the first day is shifted. Returns null if the text is not a date, or
 * contains other text after the date.
 */
export function shiftedDate(text: string, weeks: number): string | null {
  if (!WHOLE.test(text)) return null;
  const month = MONTH.exec(text);
  if (month !== null) return shiftedDate(`${text}-01`, weeks);
  const [all, year, separator, ofYear, day] = DAY.exec(text) ?? [];
  if (all === undefined) return null;
  const from = Date.UTC(Number(year), Number(ofYear) - 1, Number(day));
  if (new Date(from).getUTCDate() !== Number(day)) return null;
  const to = new Date(from + weeks * WEEK_DAYS * DAY_MS);
  const days = [
    String(to.getUTCFullYear()).padStart(4, '0'),
    two(to.getUTCMonth() + 1),
    two(to.getUTCDate()),
  ];
  return days.join(separator) + text.slice(all.length);
}
