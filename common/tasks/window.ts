/**
 * Relative time windows of searches, such as "the last 15 minutes", by the clock of the cluster.
 *
 * Windows limit the caches of Elasticsearch. If a request contains `now`, rounded or not, the shard request cache only stores results of
 * shards that are completely inside or outside the window. With a rounded window, the node's query cache can still store the filter. If the
 * data do not change, use `none`.
 */
import * as z from 'zod';
import type { FormRow, Way, Written } from '../fields/form';
import { wholeSeconds } from '../fields/schema';
import { parseDuration } from '../units/duration';

const WINDOW_FORM =
  'none, a duration such as 15m, or { last: 15m, field: <date field>, round: second | minute | hour | day }';

/** Schema of the length of a window: a duration above 0 and up to ten years. Longer windows make no sense. */
const last = wholeSeconds('3650d').refine((text) => (parseDuration(text) ?? 0) > 0);

export const windowSchema = z
  .union(
    [
      z.literal('none'),
      last,
      z.strictObject({
        /**
         * Length of the time range before now.
         * @example 15m
         */
        last,
        /**
         * Date field of the filter. For a built-in list (`set`), the default is the date field of its documents.
         * @example '@timestamp'
         */
        field: z.string().min(1).optional(),
        /**
         * Rounds both ends of the time range with date math: the start down, the end up. The filter is then the same for a while, so that
         * Elasticsearch can cache it.
         * @example minute
         */
        round: z.enum(['second', 'minute', 'hour', 'day']).optional(),
      }),
    ],
    { error: WINDOW_FORM },
  )
  .optional();

export type Window = NonNullable<z.output<typeof windowSchema>>;

/** Returns a phrase for the plan: `, over the last 15m`; '' without a window. */
export const windowText = (window: Window | undefined): string =>
  window === undefined
    ? ''
    : window === 'none'
      ? ', over all documents'
      : `, over the last ${typeof window === 'string' ? window : window.last}`;

/** A range of times of a date field, from `from` to `to`, in Elasticsearch's date math. */
export interface DateRange {
  field: string;
  from: string;
  to: string;
}

const ROUNDING = { second: '/s', minute: '/m', hour: '/h', day: '/d' } as const;

/** Returns the range of `window`; null for `none`. `field`: the date field of the range if the window does not name one. */
export function dateRange(window: Window, field: string): DateRange | null {
  if (window === 'none') return null;
  const { last, round, field: own = field } = typeof window === 'string' ? { last: window } : window;
  // Date math supports neither fractions nor milliseconds.
  const back = /^\d+[smhd]$/.test(last) ? last : `${parseDuration(last)! / 1000}s`;
  const rounding = round === undefined ? '' : ROUNDING[round];
  return { field: own, from: `now-${back}${rounding}`, to: `now${rounding}` };
}

/** Returns the range as a query. */
export const rangeQuery = ({ field, from, to }: DateRange): object => ({
  range: { [field]: { gte: from, lte: to } },
});

/** Returns the body of a search with a filter that limits it to `range`. Scores stay the same, because filters do not affect them. */
export const withinRange = (body: Record<string, unknown>, range: DateRange): Record<string, unknown> => ({
  ...body,
  query: {
    bool: {
      ...(body['query'] === undefined ? {} : { must: [body['query']] }),
      filter: [rangeQuery(range)],
    },
  },
});

const NONE = 'none';

/** Returns whether the searches are custom. Without a window, custom searches are sent without a filter, as written. */
const isOwn = (work: Written): boolean => work['requests'] !== undefined;
const isShort = ({ window }: Written): boolean => typeof window === 'string' && window !== NONE;

function lastWay(own: boolean): Way {
  const LENGTH = {
    kind: 'text',
    placeholder: '15m',
    required: true,
    label: { id: 'dyno.editor.window.length', text: 'How far back' },
  } as const;
  return {
    value: 'last',
    text: { id: 'dyno.editor.window.last', text: 'Documents of a time before now' },
    is: ({ window }) => window !== undefined && window !== NONE,
    writes: () => [{ key: 'window', value: own ? { last: '15m', field: '@timestamp' } : { last: '15m' } }],
    rows: [
      [
        { ...LENGTH, key: 'window', shown: isShort },
        { ...LENGTH, key: 'window.last', shown: (work) => !isShort(work) },
        {
          kind: 'text',
          key: 'window.field',
          shown: (work) => !isShort(work),
          offers: 'dates',
          ...(own ? { required: true, placeholder: '@timestamp' } : { placeholder: 'as in the list' }),
          label: { id: 'dyno.editor.window.field', text: 'Date field' },
        },
        {
          kind: 'choice',
          key: 'window.round',
          shown: (work) => !isShort(work),
          fallback: '',
          label: { id: 'dyno.editor.window.round', text: 'Rounded to' },
          options: [
            { value: '', text: { id: 'dyno.editor.window.exact', text: 'nothing' } },
            ...['second', 'minute', 'hour', 'day'].map((unit) => ({
              value: unit,
              text: { id: `dyno.editor.window.${unit}`, text: unit },
            })),
          ],
        },
      ],
    ],
  };
}

const LABEL = { id: 'dyno.editor.window.label', text: 'Documents searched' };

export const WINDOW_ROWS: readonly FormRow[] = [
  {
    kind: 'ways',
    key: 'window',
    shown: (work) => !isOwn(work),
    label: LABEL,
    ways: [
      {
        value: 'usual',
        text: { id: 'dyno.editor.window.usual', text: 'Documents of the last 15 minutes, as published' },
        is: ({ window }) => window === undefined,
        writes: () => [{ key: 'window' }],
      },
      lastWay(false),
      {
        value: NONE,
        text: { id: 'dyno.editor.window.none', text: 'All documents, for data that do not change' },
        is: ({ window }) => window === NONE,
        writes: () => [{ key: 'window', value: NONE }],
      },
    ],
  },
  {
    kind: 'ways',
    key: 'window',
    shown: isOwn,
    label: LABEL,
    ways: [
      {
        value: 'usual',
        text: { id: 'dyno.editor.window.asWritten', text: 'As written in the requests' },
        is: ({ window }) => window === undefined || window === NONE,
        writes: () => [{ key: 'window' }],
      },
      lastWay(true),
    ],
  },
];
