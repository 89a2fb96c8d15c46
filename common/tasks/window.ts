/**
 * Relative windows of searches: "the last 15 minutes", by the clock of the cluster. What a cache makes of them:
 * Elasticsearch's shard request cache keeps no answer to a request that asks for `now`, rounded or not, on a shard where
 * the window decides what is found; a rounded window is the same for a while, so the node's query cache may keep its
 * filter. On data that stands still the window is better dropped: `none`.
 */
import * as z from 'zod';
import { wholeSeconds } from '../fields/schema';
import { parseDuration } from '../units/duration';

const WINDOW_FORM =
  'none, a duration such as 15m, or { last: 15m, field: <date field>, round: second | minute | hour | day }';

/** A search may look back further than anything lasts. */
const last = wholeSeconds('3650d').refine((text) => (parseDuration(text) ?? 0) > 0);

export const windowSchema = z
  .union(
    [
      z.literal('none'),
      last,
      z.strictObject({
        /**
         * How far back it reaches.
         * @example 15m
         */
        last,
        /**
         * The date field that is filtered; that of the set unless it is named.
         * @example '@timestamp'
         */
        field: z.string().min(1).optional(),
        /**
         * Rounds both ends by date math, the upper one up, so that the filter is the same for a while and may be cached.
         * @example minute
         */
        round: z.enum(['second', 'minute', 'hour', 'day']).optional(),
      }),
    ],
    { error: WINDOW_FORM },
  )
  .optional();

export type Window = NonNullable<z.output<typeof windowSchema>>;

/** For the plan, behind what is searched: `, over the last 15m`; '' where nothing is said. */
export const windowText = (window: Window | undefined): string =>
  window === undefined
    ? ''
    : window === 'none'
      ? ', over all documents'
      : `, over the last ${typeof window === 'string' ? window : window.last}`;

/** Both ends in Elasticsearch's date math. */
export interface DateRange {
  field: string;
  from: string;
  to: string;
}

const ROUNDING = { second: '/s', minute: '/m', hour: '/h', day: '/d' } as const;

/** `window` on `field` where it names none itself; null for `none`. */
export function dateRange(window: Window, field: string): DateRange | null {
  if (window === 'none') return null;
  const { last, round, field: own = field } = typeof window === 'string' ? { last: window } : window;
  // Date math knows neither fractions nor milliseconds.
  const back = /^\d+[smhd]$/.test(last) ? last : `${parseDuration(last)! / 1000}s`;
  const rounding = round === undefined ? '' : ROUNDING[round];
  return { field: own, from: `now-${back}${rounding}`, to: `now${rounding}` };
}

/** The range as a query. */
export const rangeQuery = ({ field, from, to }: DateRange): object => ({
  range: { [field]: { gte: from, lte: to } },
});

/** A search of what `body` asks for within `range`: a filter beside its query, so that scores stay. */
export const withinRange = (body: Record<string, unknown>, range: DateRange): Record<string, unknown> => ({
  ...body,
  query: {
    bool: {
      ...(body['query'] === undefined ? {} : { must: [body['query']] }),
      filter: [rangeQuery(range)],
    },
  },
});
