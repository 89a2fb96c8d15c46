/** `search`: a request of the search API to the indices of the trial. */
import * as z from 'zod';
import { wholeSearch } from './judges';
import { defineRequestKind } from './kind';
import { paramsSchema } from './parts';

export const search = defineRequestKind({
  name: 'search',
  schema: z.strictObject({
    /**
     * The body of the search.
     * @example { query: { match: { message: error } } }
     */
    body: z.record(z.string(), z.unknown()).default({}),
    /**
     * Query parameters.
     * @example { request_cache: false }
     */
    params: paramsSchema,
    /**
     * HTTP method. The default is POST. Elasticsearch treats GET and POST the same, but some clients send GET with a body, and a proxy may
     * treat GET differently.
     * @example GET
     */
    method: z.enum(['POST', 'GET']).optional(),
  }),
  text: 'A search. Fails if a shard failed, or if the search reached its own timeout.',
  label: { id: 'dyno.editor.request.search', text: 'Search' },
  first: { body: { query: { match_all: {} } } },
  example: {
    request: {
      body: {
        size: 20,
        query: {
          bool: {
            must: [{ match: { message: '{{word}}' } }],
            filter: [{ range: { '@timestamp': { gte: '{{since}}' } } }],
          },
        },
        sort: [{ '@timestamp': 'desc' }],
      },
    },
    expect: ['hits.total.value > 0'],
    parameters: {
      word: { values: ['error', 'timeout', 'refused'] },
      since: { date: { from: 'now-24h', to: 'now-1h', round: '1h' } },
    },
  },
  outgoing: ({ body, params, method = 'POST' }) => ({
    method,
    path: '/{{index}}/_search',
    params,
    body: { json: body },
  }),
  judge: wholeSearch,
});
