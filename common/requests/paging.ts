/**
 * `scroll`, `point-in-time`, `async-search`: requests that consist of several HTTP requests (steps). Each step has its own metrics. Dyno
 * parses the responses, because each step needs a value from the previous response.
 */
import * as z from 'zod';
import { count } from '../fields/schema';
import { POINTS_IN_TIME, sortedPage } from '../elasticsearch/point-in-time';
import { byStatus, fieldsOf, searchFailed, wholeSearch } from './judges';
import { defineSteppedKind, type Judge } from './kind';
import { paramsSchema } from './parts';

const pages = () => count(1, 10_000).default(10);
const size = () => count(1, 10_000).default(1000);
const body = () => z.record(z.string(), z.unknown()).default({});
const keepAlive = () =>
  z
    .string()
    .regex(/^\d+[smh]$/, { error: "a time in Elasticsearch's syntax, such as 1m" })
    .default('1m');

const HAS_HITS = ['hits.hits.length > 0'];

export const scroll = defineSteppedKind({
  name: 'scroll',
  schema: z.strictObject({
    /**
     * The body of the search.
     * @example { query: { match_all: {} }, sort: [_doc] }
     */
    body: body(),
    /**
     * Number of hits on each page.
     * @example 500
     */
    size: size(),
    /**
     * Maximum number of pages. The request ends earlier if there are no more hits.
     * @example 20
     */
    pages: pages(),
    /** Time after which the target closes the scroll if no page is requested. */
    'keep-alive': keepAlive(),
  }),
  text: 'Reads a result page by page with the scroll API, then clears the scroll. Fails if an HTTP request fails.',
  label: { id: 'dyno.editor.request.scroll', text: 'Scroll' },
  first: { body: { query: { match_all: {} } }, size: 1000, pages: 10 },
  example: {
    request: { body: { query: { term: { 'host.name': '{{host}}' } }, sort: ['_doc'] }, size: 500, pages: 20 },
    parameters: { host: { terms: { field: 'host.name' } } },
  },
  steps: ({ body: search, size: hits, pages: most, 'keep-alive': alive }) => [
    {
      part: 'open',
      method: 'POST',
      path: '/{{index}}/_search',
      params: { scroll: alive },
      body: { json: { ...search, size: hits } },
      takes: { id: ['_scroll_id'] },
      expects: [],
    },
    {
      part: 'page',
      method: 'POST',
      path: '/_search/scroll',
      body: { json: { scroll: alive, scroll_id: '{{.id}}' } },
      takes: { id: ['_scroll_id'] },
      while: HAS_HITS,
      most: most - 1,
    },
    {
      part: 'close',
      method: 'DELETE',
      path: '/_search/scroll',
      body: { json: { scroll_id: ['{{.id}}'] } },
      always: true,
    },
  ],
  judges: { open: wholeSearch, page: wholeSearch, close: byStatus },
});

export const pointInTime = defineSteppedKind({
  name: 'point-in-time',
  schema: z.strictObject({
    /**
     * Body of the search. Hits are read in the order of `sort`.
     * @example { query: { match_all: {} }, sort: [{ '@timestamp': desc }] }
     */
    body: body(),
    /**
     * Number of hits on each page.
     * @example 500
     */
    size: size(),
    /**
     * Maximum number of pages. The request ends earlier if there are no more hits.
     * @example 20
     */
    pages: pages(),
    /** Time after which the target closes the point in time if no page is requested. */
    'keep-alive': keepAlive(),
  }),
  text: 'Opens a point in time, reads a result page by page with `search_after`, then closes the point in time. Fails if an HTTP request fails.',
  label: { id: 'dyno.editor.request.pointInTime', text: 'Point in time' },
  first: { body: { query: { match_all: {} }, sort: ['_shard_doc'] }, size: 1000, pages: 10 },
  example: {
    request: {
      body: {
        query: { range: { '@timestamp': { gte: '{{since}}' } } },
        sort: [{ '@timestamp': 'desc' }, '_shard_doc'],
      },
      size: 500,
      pages: 20,
    },
    parameters: { since: { date: { from: 'now-7d', to: 'now-1d' } } },
  },
  steps: ({ body: search, size: hits, pages: most, 'keep-alive': alive }, engine) => {
    const own = POINTS_IN_TIME[engine];
    const page = {
      ...search,
      sort: sortedPage(search['sort'], engine),
      size: hits,
      pit: { id: '{{.id}}', keep_alive: alive },
      track_total_hits: search['track_total_hits'] ?? false,
    };
    const takes = { id: ['pit_id'], after: ['hits', 'hits', 'last', 'sort'] };
    return [
      {
        part: 'open',
        method: 'POST',
        path: `/{{index}}/${own.open}`,
        params: { keep_alive: alive },
        takes: { id: [own.takes] },
      },
      { part: 'first', method: 'POST', path: '/_search', body: { json: page }, takes, expects: [] },
      {
        part: 'page',
        method: 'POST',
        path: '/_search',
        body: { json: { ...page, search_after: '{{.after}}' } },
        takes,
        while: HAS_HITS,
        most: most - 1,
      },
      { part: 'close', method: 'DELETE', path: own.close, body: { json: own.body('{{.id}}') }, always: true },
    ];
  },
  judges: { open: byStatus, first: wholeSearch, page: wholeSearch, close: byStatus },
});

const ENDED = ['is_running == false'];

/** Judges a response of the asynchronous search API. A response that says that the search is still running is a success. */
const asynchronous: Judge = {
  head: () => 'keep',
  failure: (answer) => {
    const { is_running, is_partial, response } = fieldsOf(answer);
    if (is_running === true) return null;
    const failure = searchFailed(response);
    if (failure !== null) return failure;
    return is_partial === true
      ? { type: 'partial-answer', reason: 'is_partial: parts of the data were not searched' }
      : null;
  },
};

export const asyncSearch = defineSteppedKind({
  name: 'async-search',
  schema: z.strictObject({
    /**
     * The body of the search.
     * @example { size: 0, aggs: { tags: { terms: { field: tag } } } }
     */
    body: body(),
    /**
     * Maximum time that each HTTP request waits for the end of the search.
     * @example 500ms
     */
    wait: z
      .string()
      .regex(/^\d+(ms|s|m)$/, { error: "a time in Elasticsearch's syntax, such as 500ms" })
      .default('1s'),
    /**
     * Maximum number of checks whether the search has ended. If the search is still running after the last check, the request counts as
     * *failed*.
     */
    polls: count(1, 10_000).default(60),
    /**
     * Query parameters of the first HTTP request.
     * @example { batched_reduce_size: 64 }
     */
    params: paramsSchema,
  }),
  text: 'Submits an asynchronous search, repeatedly checks whether the search has ended, then deletes it. Fails if the search fails or does not end.',
  label: { id: 'dyno.editor.request.asyncSearch', text: 'Asynchronous search' },
  first: { body: { query: { match_all: {} } }, wait: '1s' },
  example: {
    request: {
      body: {
        size: 0,
        aggs: {
          days: {
            date_histogram: { field: '@timestamp', calendar_interval: '1d' },
            aggs: { hosts: { terms: { field: 'host.name', size: 100 } } },
          },
        },
      },
      wait: '500ms',
    },
    expect: ['is_partial == false'],
  },
  steps: ({ body: search, wait, polls, params }) => [
    {
      part: 'submit',
      method: 'POST',
      path: '/{{index}}/_async_search',
      params: { ...params, wait_for_completion_timeout: wait, keep_on_completion: true },
      body: { json: search },
      takes: { id: ['id'] },
      expects: ENDED,
    },
    {
      part: 'poll',
      method: 'GET',
      path: '/_async_search/{{.id}}',
      params: { wait_for_completion_timeout: wait },
      takes: { id: ['id'] },
      while: ['is_running == true'],
      expects: ENDED,
      most: polls,
      exhausted: {
        type: 'still-running',
        reason: `the search had not ended after ${polls} checks`,
      },
    },
    { part: 'delete', method: 'DELETE', path: '/_async_search/{{.id}}', always: true },
  ],
  judges: { submit: asynchronous, poll: asynchronous, delete: byStatus },
});
