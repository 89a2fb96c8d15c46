/** Routes of what people search for already: saved searches and dashboards of Kibana. */
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
    /** What Kibana’s search source is created from. */
    fields,
    /** The names of indices of its data view. */
    index: z.string(),
    timeField: z.string().nullable(),
    /** As it was saved, or as its panel has it instead. */
    sort: z.array(z.tuple([z.string(), z.enum(['asc', 'desc'])]).readonly()).readonly(),
    /** Documents of a page; null for as many as Discover asks for. */
    sampleSize: z.number().nullable(),
    /** Of the panel alone; null for that of the dashboard. */
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
  /** Of the dashboard, where it was saved with its time. */
  window: windowSchema.nullable(),
  /** Query and filters of the dashboard, as of a search source. */
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
    summary: 'What the panels of a dashboard, or a saved search, ask of Elasticsearch',
    privilege: 'manage',
    params: z.object({ type: z.enum(SAVED_TYPES), id: z.string().min(1).max(500) }),
    answer: 'json',
    response: savedSearchesSchema,
  }),
};
