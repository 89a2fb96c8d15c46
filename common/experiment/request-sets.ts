/**
 * The lists of searches that come with Dyno. `azure-queries`: the seven of the Azure guidance on query performance
 * ("Maximizing Data Aggregation and Query Performance with Elasticsearch on Azure", appendix) over `http-events`, in
 * today's query DSL: its `filtered` queries are `bool` queries now, its `interval` a `fixed_interval`. Its test of
 * queries beside ingestion asks for the last quarter of an hour; its test of queries alone asks the same of all data.
 */
import type { RequestSetName, SearchRequest, TaskDefinition } from './definition';
import { dateRange, rangeQuery, withinRange, type DateRange } from './window';

interface RequestSet {
  /** The date field of its data. */
  field: string;
  /** How far back its searches look unless a window is given. */
  last: string;
  requests: (range: DateRange | null) => SearchRequest[];
}

const everything = { query_string: { query: '*', analyze_wildcard: true } };
const byCount = { _count: 'desc' };
const ratings = { field: 'Rating', size: 5, order: byCount };

const search = (name: string, body: Record<string, unknown>): SearchRequest => ({
  name,
  weight: 1,
  body: { size: 0, ...body },
  params: {},
});

function azureQueries(range: DateRange | null): SearchRequest[] {
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

type Work = NonNullable<TaskDefinition['search'] | TaskDefinition['transaction']>;

/** What a search or a transaction asks, in its order, the window put in; weights are 1 where there are none. */
export function requestsOf({ set, requests = [], window }: Work): SearchRequest[] {
  if (set !== undefined) {
    const { field, last, requests: ofSet } = SETS[set];
    return ofSet(dateRange(window ?? last, field));
  }
  const range = window === undefined ? null : dateRange(window, '');
  return requests.map((request) => ({
    weight: 1,
    ...request,
    body: range === null ? request.body : withinRange(request.body, range),
  }));
}
