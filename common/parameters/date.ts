/**
 * `date`: draws a time between two limits. A limit is a fixed date, relative to the clock of the sending machine, or relative to the dates
 * in the data.
 */
import * as z from 'zod';
import { wholeSeconds } from '../fields/schema';
import { durationMs, parseDuration } from '../units/duration';
import { drawnNumber, drawnText, type Drawn } from '../requests/template';
import { defineParameterKind } from './kind';
import { parseTime } from '../units/time';

const MOMENT_FORM =
  'now, first, last, one of them with a duration such as now-7d or last-15m, or a date such as 2026-11-01 or 2026-11-01T00:00:00Z (UTC without an offset such as +01:00)';

/** Origins of relative times: now, or the earliest and the latest date in the data. */
type Origin = 'now' | 'first' | 'last';
/** A limit: ms since the epoch, or ms from an origin. */
type Moment = { at: number } | { from: Origin; ms: number };

function readMoment(text: string): Moment | undefined {
  const relative = /^(now|first|last)(?:([+-])(.+))?$/.exec(text);
  if (relative !== null) {
    const [, origin, sign, length] = relative;
    const from = origin as Origin;
    if (length === undefined) return { from, ms: 0 };
    const ms = parseDuration(length);
    return ms === undefined ? undefined : { from, ms: sign === '-' ? -ms : ms };
  }
  const at = parseTime(text);
  return Number.isNaN(at) ? undefined : { at };
}

const moment = () =>
  z.string({ error: MOMENT_FORM }).refine((text) => readMoment(text) !== undefined, { error: MOMENT_FORM });

const FORMATS = {
  iso: (ms: number): Drawn => drawnText(new Date(ms).toISOString()),
  'epoch-ms': (ms: number): Drawn => drawnNumber(String(ms)),
  'epoch-s': (ms: number): Drawn => drawnNumber(String(Math.floor(ms / 1000))),
  day: (ms: number): Drawn => drawnText(new Date(ms).toISOString().slice(0, 10)),
} as const;

const isOfData = (text: string): boolean => {
  const read = readMoment(text)!;
  return 'from' in read && read.from !== 'now';
};

/**
 * Returns the limit in ms since the epoch. Limits relative to dates in the data should have been replaced by absolute dates. If a limit was
 * not replaced, it counts as relative to now. Its values are then only placeholders.
 */
const timeAt = (given: Moment, now: number): number => ('at' in given ? given.at : now + given.ms);

export const date = defineParameterKind({
  name: 'date',
  schema: z.strictObject({
    /**
     * Earliest time. A date without a time zone is UTC.
     * @example now-7d
     */
    from: moment(),
    /**
     * Latest time. If it is the same as `from`, the value is constant.
     * @example now
     */
    to: moment().default('now'),
    /**
     * Date field for `first` and `last`: the earliest and the latest date in this field. Dyno looks up both dates before the load of each
     * trial.
     * @example '@timestamp'
     */
    field: z.string().min(1).optional(),
    /**
     * Format of the value. `iso`: 2026-11-01T00:00:00.000Z. `day`: 2026-11-01. `epoch-ms` and `epoch-s`: a number of milliseconds or
     * seconds since 1970.
     */
    format: z.enum(Object.keys(FORMATS) as [keyof typeof FORMATS]).default('iso'),
    /**
     * Rounds times down to multiples of this duration since 1970. Requests then repeat, so that caches can answer them.
     * @example 1h
     */
    round: wholeSeconds()
      .refine((text) => (parseDuration(text) ?? 0) > 0)
      .optional(),
  }),
  text: 'A random time between two limits, all times equally likely. A limit is a fixed date, relative to now, or relative to the dates in the data.',
  first: { from: 'now-7d' },
  problem: ({ from, to, field }) => {
    const ofData = isOfData(from) ? 'from' : isOfData(to) ? 'to' : undefined;
    if (ofData !== undefined && field === undefined) {
      const message = 'is a date of the data, but no field is given';
      return { key: ofData, message, allowed: "also a date field, such as field: '@timestamp'" };
    }
    if (ofData === undefined && field !== undefined) {
      const message = 'is not used, because neither from nor to is a date of the data';
      return { key: 'field', message, allowed: 'first or last in from or to, such as last-15m; or no field' };
    }
    // The order can only be checked for two limits of the same kind, because the order of a calendar date and a relative time depends on
    // the current time.
    const [first, last] = [readMoment(from)!, readMoment(to)!];
    const late =
      'at' in first && 'at' in last
        ? first.at > last.at
        : 'from' in first && 'from' in last && first.from === last.from && first.ms > last.ms;
    return late ? { key: 'to', message: `is before from (${from})`, allowed: 'a later moment' } : undefined;
  },
  lookUp: ({ field }) => (field === undefined ? undefined : { what: 'span', field, size: 0 }),
  found: ({ field: _looked, from, to, ...given }, { span }) => {
    const onCalendar = (text: string): string => {
      const read = readMoment(text)!;
      if ('at' in read || read.from === 'now') return text;
      return new Date(span[read.from] + read.ms).toISOString();
    };
    return { date: { ...given, from: onCalendar(from), to: onCalendar(to) } };
  },
  drawer: ({ from, to, format, round }, { random, now }) => {
    const [first, last] = [readMoment(from)!, readMoment(to)!];
    const step = round === undefined ? 1 : durationMs(round);
    const write = FORMATS[format];
    return () => {
      const current = now();
      const begin = timeAt(first, current);
      const length = Math.max(0, timeAt(last, current) - begin);
      return write(Math.floor((begin + random.unit() * length) / step) * step);
    };
  },
});
