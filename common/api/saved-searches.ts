/** Routes that return Kibana's saved searches and dashboards. Users can create experiments from them. */
import * as z from 'zod';
import { route } from './route';

export const SAVED_TYPES = ['dashboard', 'search'] as const;
export type SavedType = (typeof SAVED_TYPES)[number];

const fields = z.record(z.string(), z.unknown());
const windowSchema = z.object({ from: z.string(), to: z.string() });

const panel = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('search'),
    title: z.string(),
    /** Query, filters and other keys of the saved search, as Kibana stores them (its *search source*). */
    fields,
    /** Index pattern of the data view that the search uses. */
    index: z.string(),
    timeField: z.string().nullable(),
    /** Sort order in the dashboard's panel. If the panel has none, the sort order of the saved search. */
    sort: z.array(z.tuple([z.string(), z.enum(['asc', 'desc'])]).readonly()).readonly(),
    /** Number of documents that the search requests. Null if the search uses the default of Discover. */
    sampleSize: z.number().nullable(),
    /** Time range of the panel. Null if the panel uses the time range of the dashboard. */
    window: windowSchema.nullable(),
  }),
  z.object({
    kind: z.literal('esql'),
    title: z.string(),
    query: z.string(),
    timeField: z.string().nullable(),
    window: windowSchema.nullable(),
  }),
  z.object({ kind: z.literal('left-out'), title: z.string(), reason: z.string() }),
]);
export type SavedPanel = z.output<typeof panel>;

export const savedSearchesSchema = z.object({
  title: z.string(),
  /** Time range of the dashboard; null if it was saved without one. */
  window: windowSchema.nullable(),
  /** Query and filters of the whole dashboard, as Kibana stores them. They apply to all of its panels. */
  around: fields,
  panels: z.array(panel),
});
export type SavedSearches = z.output<typeof savedSearchesSchema>;

export const SAVED_SEARCH_ROUTES = {
  listSavedSearches: route({
    method: 'GET',
    path: '/api/dyno/saved-searches',
    summary: 'Dashboards and saved searches of this space',
    privilege: 'manage',
    answer: 'json',
    response: z.object({
      objects: z.array(z.object({ type: z.enum(SAVED_TYPES), id: z.string(), title: z.string() })),
    }),
  }),
  getSavedSearches: route({
    method: 'GET',
    path: '/api/dyno/saved-searches/{type}/{id}',
    summary: 'Searches of a saved search, or of the panels of a dashboard',
    privilege: 'manage',
    params: z.object({ type: z.enum(SAVED_TYPES), id: z.string().min(1).max(500) }),
    answer: 'json',
    response: savedSearchesSchema,
  }),
};
