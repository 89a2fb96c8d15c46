/**
 * Lists of searches that come with Dyno.
 *
 * `azure-queries`: the seven searches of Microsoft's guidance on query performance ("Maximizing Data Aggregation and Query Performance with
 * Elasticsearch on Azure", appendix). They search documents of the preset `http-events`. They are written in current query DSL: a
 * `filtered` query became a `bool` query, and `interval` became `fixed_interval`. In Microsoft's test with queries and ingestion, the
 * searches cover the last quarter of an hour. In its test with queries alone, they cover all data.
 */
import { dateRange, rangeQuery, type DateRange, type Window } from './window';

export const REQUEST_SETS = ['azure-queries'] as const;
export type RequestSetName = (typeof REQUEST_SETS)[number];

/** A search of a list. All searches of a list have the same weight. */
export interface SetRequest {
  name: string;
  body: Record<string, unknown>;
}

interface RequestSet {
  /** Date field of the documents that the list searches. */
  field: string;
  /** Default window of the searches of the list. */
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
  /** Query with the same effect as a `filtered` query, which current versions of Elasticsearch do not support. */
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
    // Elasticsearch counted all hits at that time. Today it counts up to 10,000 by default.
    search('Total Hits Counts', { query: filtered, track_total_hits: true }),
  ];
}

const AZURE_FIELD = 'DateTimeReceivedUtc';

const SETS: Record<RequestSetName, RequestSet> = {
  'azure-queries': { field: AZURE_FIELD, last: '15m', requests: azureQueries },
};

/** Returns the searches of a list over `window`, or over the list's default window. */
export function requestsOfSet(name: RequestSetName, window: Window | undefined): SetRequest[] {
  const { field, last, requests } = SETS[name];
  return requests(dateRange(window ?? last, field));
}
