/**
 * Relative windows of searches: "the last 15 minutes", by the clock of the cluster. What a cache makes of them:
 * Elasticsearch's shard request cache keeps no answer to a request that asks for `now`, rounded or not, on a shard where
 * the window decides what is found; a rounded window is the same for a while, so the node's query cache may keep its
 * filter. On data that stands still the window is better dropped: `none`.
 */
import { parseDuration } from '../units/duration';
import type { Window } from './task';

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
