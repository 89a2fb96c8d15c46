/**
 * Lists of searches that come with Dyno. `azure-queries`: the seven of the Azure guidance on query performance ("Maximizing
 * Data Aggregation and Query Performance with Elasticsearch on Azure", appendix) over `http-events`, in today's query DSL: its
 * `filtered` queries are `bool` queries now, its `interval` a `fixed_interval`. Its test of queries beside ingestion asks for
 * the last quarter of an hour; its test of queries alone asks the same of all data.
 */
import { dateRange, rangeQuery, type DateRange, type Window } from './window';

export const REQUEST_SETS = ['azure-queries'] as const;
export type RequestSetName = (typeof REQUEST_SETS)[number];

/** A search of a list; all have the same weight. */
export interface SetRequest {
  name: string;
  body: Record<string, unknown>;
}

interface RequestSet {
  /** The date field of its data. */
  field: string;
  /** How far back its searches look unless a window is given. */
  last: string;
  requests: (range: DateRange | null) => SetRequest[];
}

const everything = { query_string: { query: '*', analyze_wildcard: true } };
const byCount = { _count: 'desc' };
const ratings = { field: 'Rating', size: 5, order: byCount };

const search = (name: string, body: Record<string, unknown>): SetRequest => ({
  name,
  body: { size: 0, ...body },
});

function azureQueries(range: DateRange | null): SetRequest[] {
  const recent = range === null ? [] : [rangeQuery(range)];
  const query = { bool: { must: recent } };
  /** What was a `filtered` query. */
  const filtered = { bool: { must: [everything], filter: [everything, ...recent] } };
  return [
    search('Count By Rating', { query, aggs: { 2: { terms: ratings } } }),
    search('Count Over Time', {
      query,
      aggs: {
        2: {
          date_histogram: {
            field: range?.field ?? AZURE_FIELD,
            fixed_interval: '5m',
            time_zone: 'America/Los_Angeles',
            min_doc_count: 1,
            ...(range === null ? {} : { extended_bounds: { min: range.from, max: range.to } }),
          },
        },
      },
    }),
    search('Hits By Country', {
      query: filtered,
      aggs: {
        2: {
          terms: ratings,
          aggs: { 3: { terms: { field: 'SourceIpCountryCode', size: 15, order: byCount } } },
        },
      },
    }),
    search('Top 15 Organizations', {
      query: filtered,
      aggs: { 2: { terms: { field: 'Organization', size: 15, order: byCount } } },
    }),
    search('Unique Count Organizations', {
      query: filtered,
      aggs: { 2: { cardinality: { field: 'Organization' } } },
    }),
    search('Unique IP Count', { query: filtered, aggs: { 2: { cardinality: { field: 'SourceIp' } } } }),
    // Elasticsearch counted all hits then; today it stops at 10000 unless told.
    search('Total Hits Counts', { query: filtered, track_total_hits: true }),
  ];
}

const AZURE_FIELD = 'DateTimeReceivedUtc';

const SETS: Record<RequestSetName, RequestSet> = {
  'azure-queries': { field: AZURE_FIELD, last: '15m', requests: azureQueries },
};

/** The searches of a list, over `window` or the time that the list itself looks back. */
export function requestsOfSet(name: RequestSetName, window: Window | undefined): SetRequest[] {
  const { field, last, requests } = SETS[name];
  return requests(dateRange(window ?? last, field));
}
