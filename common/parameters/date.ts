/** `date`: a moment between two others, by the clock of the machine that sends it. */
import { z } from 'zod';
import { wholeSeconds } from '../fields/schema';
import { durationMs, parseDuration } from '../units/duration';
import { drawnNumber, drawnText, type Drawn } from '../requests/template';
import { defineParameterKind } from './kind';

const MOMENT_FORM = 'now, now-<duration> such as now-7d, now+1h, or a date such as 2026-11-01T00:00:00Z';

/** ms since the epoch, or ms from now. */
type Moment = { at: number } | { fromNow: number };

function readMoment(text: string): Moment | undefined {
  const relative = /^now(?:([+-])(.+))?$/.exec(text);
  if (relative !== null) {
    const [, sign, length] = relative;
    if (length === undefined) return { fromNow: 0 };
    const ms = parseDuration(length);
    return ms === undefined ? undefined : { fromNow: sign === '-' ? -ms : ms };
  }
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
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

const timeAt = (given: Moment, now: number): number => ('at' in given ? given.at : now + given.fromNow);

export const date = defineParameterKind({
  name: 'date',
  schema: z.strictObject({
    /**
     * The earliest.
     * @example now-7d
     */
    from: moment(),
    /**
     * The latest; the same as `from` for one moment.
     * @example now
     */
    to: moment().default('now'),
    /** How it is written: `iso` 2026-11-01T00:00:00.000Z, `day` 2026-11-01, or a number. */
    format: z.enum(Object.keys(FORMATS) as [keyof typeof FORMATS]).default('iso'),
    /**
     * Rounded down to whole multiples since 1970, so that requests repeat and caches may answer.
     * @example 1h
     */
    round: wholeSeconds()
      .refine((text) => (parseDuration(text) ?? 0) > 0)
      .optional(),
  }),
  text: 'A moment between two others, all equally likely.',
  first: { from: 'now-7d' },
  problem: ({ from, to }) => {
    // A moment on the calendar may lie on either side of one that moves.
    const [first, last] = [readMoment(from)!, readMoment(to)!];
    const late =
      'at' in first && 'at' in last
        ? first.at > last.at
        : 'fromNow' in first && 'fromNow' in last && first.fromNow > last.fromNow;
    return late ? { key: 'to', message: `is before from (${from})`, allowed: 'a later moment' } : undefined;
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
