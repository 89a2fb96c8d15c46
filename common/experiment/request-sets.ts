/**
 * The lists of searches that come with Dyno. `azure-queries`: the seven of the Azure guidance on query performance
 * ("Maximizing Data Aggregation and Query Performance with Elasticsearch on Azure", appendix) over `http-events`, in
 * today's query DSL: its `filtered` queries are `bool` queries now, its `interval` a `fixed_interval`.
 */
import type { RequestSetName, SearchRequest } from './definition';

/** Documents of the last quarter of an hour, by the clock of the cluster. */
const recent = { range: { DateTimeReceivedUtc: { gte: 'now-15m', lte: 'now' } } };
const everything = { query_string: { query: '*', analyze_wildcard: true } };

/** What was a `filtered` query around `recent`. */
const filtered = { bool: { must: [everything], filter: [everything, recent] } };

const byCount = { _count: 'desc' };
const ratings = { field: 'Rating', size: 5, order: byCount };

const search = (name: string, body: Record<string, unknown>): SearchRequest => ({
  name,
  weight: 1,
  body: { size: 0, ...body },
  params: {},
});

const azureQueries: SearchRequest[] = [
  search('Count By Rating', { query: { bool: { must: [recent] } }, aggs: { 2: { terms: ratings } } }),
  search('Count Over Time', {
    query: { bool: { must: [recent] } },
    aggs: {
      2: {
        date_histogram: {
          field: 'DateTimeReceivedUtc',
          fixed_interval: '5m',
          time_zone: 'America/Los_Angeles',
          min_doc_count: 1,
          extended_bounds: { min: 'now-15m', max: 'now' },
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

export const REQUESTS_BY_NAME: Record<RequestSetName, SearchRequest[]> = {
  'azure-queries': azureQueries,
};
