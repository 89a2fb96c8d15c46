/**
 * The requests of searches and transactions: one's own, and the lists that come with Dyno. `azure-queries`: the seven of the Azure
 * guidance on query performance ("Maximizing Data Aggregation and Query Performance with Elasticsearch on Azure", appendix)
 * over `http-events`, in today's query DSL: its `filtered` queries are `bool` queries now, its `interval` a `fixed_interval`.
 * Its test of queries beside ingestion asks for the last quarter of an hour; its test of queries alone asks the same of all data.
 */
import { z } from 'zod';
import { keysAtMost, LONGEST_LIST } from '../fields/schema';
import { requestKey } from '../measurement/metric';
import { showValue, type Problem } from '../problem';
import { dateRange, rangeQuery, withinRange, type DateRange, type Window } from './window';

export const REQUEST_SETS = ['azure-queries'] as const;
export type RequestSetName = (typeof REQUEST_SETS)[number];

export const searchRequest = z.strictObject({
  /**
   * What figures of the request are called: `search.latest_errors.latency.p99`.
   * @example latest errors
   */
  name: z.string().min(1),
  /**
   * How often this request is drawn, in proportion to the weights of the others.
   * @example 3
   */
  weight: z.number().positive().max(1_000_000).default(1),
  /**
   * The body of the search, in query DSL.
   * @example { query: { match: { message: error } } }
   */
  body: z.record(z.string(), z.unknown()),
  /**
   * Parameters of the query string.
   * @example { request_cache: false }
   */
  params: keysAtMost(z.union([z.string(), z.number(), z.boolean()]), LONGEST_LIST).default({}),
});

export type SearchRequest = z.output<typeof searchRequest>;

/** Requests of one's own come without a date field to fall back on. */
export const windowHasField = (
  { requests: own, window: given }: { requests?: unknown; window?: Window },
  context: z.RefinementCtx,
): void => {
  if (own === undefined || given === undefined || given === 'none') return;
  if (typeof given === 'object' && given.field !== undefined) return;
  context.addIssue({
    code: 'custom',
    path: ['window'],
    message: 'has no date field',
    params: { allowed: '{ last: 15m, field: <date field> } for your own requests' },
  });
};

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

interface Work {
  set?: RequestSetName;
  requests?: readonly (Omit<SearchRequest, 'weight'> & { weight?: number })[];
  window?: Window;
}

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

/** A request as a load thread gets it. */
export interface SentRequest {
  name: string;
  body: string;
  /** Query string without the question mark; '' for none. */
  params: string;
}

/** Without the question mark; '' for none. */
export const queryString = (params: Readonly<Record<string, string | number | boolean>>): string =>
  new URLSearchParams(
    Object.entries(params).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();

export const sentRequest = ({ name, body, params }: SearchRequest): SentRequest => ({
  name,
  body: JSON.stringify(body),
  params: queryString(params),
});

/** Requests must differ in what metrics call them; `mayRepeat`: requests of the very same name are told as one. */
export function requestNameProblems(
  work: Work,
  path: string,
  { mayRepeat }: { mayRepeat: boolean },
): Problem[] {
  const names = requestsOf(work).map(({ name }) => name);
  const keys = names.map(requestKey);
  return names.flatMap((name, index): Problem[] => {
    const own = `${path}.requests[${index}].name`;
    const found = showValue(name);
    if (keys[index] === '') {
      const message = 'a metric cannot be written with this name';
      return [
        {
          code: 'definition.request-name',
          path: own,
          message,
          found,
          allowed: 'a name with letters or digits',
        },
      ];
    }
    const first = keys.indexOf(keys[index]!);
    if (first === index || (mayRepeat && names[first] === name)) return [];
    const message = `metrics cannot distinguish it from ${showValue(names[first])}: both are ${keys[index]}`;
    const allowed = 'names that differ in letters or digits';
    return [{ code: 'definition.name-twice', path: own, message, found, allowed }];
  });
}
