/** `msearch`: several searches in one request. */
import * as z from 'zod';
import { LONGEST_LIST } from '../fields/schema';
import { eachOf, searchFailed } from './judges';
import { defineRequestKind } from './kind';
import { paramsSchema } from './parts';

export const msearch = defineRequestKind({
  name: 'msearch',
  schema: z.strictObject({
    /**
     * The searches. `header` sets the index or other options for one of them.
     * @example [{ body: { size: 0 } }, { header: { request_cache: false }, body: { size: 10 } }]
     */
    searches: z
      .array(
        z.strictObject({
          /**
           * Options of this search: `index`, `preference`, `request_cache`, ...
           * @example { request_cache: false }
           */
          header: z.record(z.string(), z.unknown()).default({}),
          /**
           * Body of this search.
           * @example { query: { match_all: {} } }
           */
          body: z.record(z.string(), z.unknown()),
        }),
      )
      .min(1)
      .max(LONGEST_LIST),
    /**
     * Query parameters.
     * @example { max_concurrent_searches: 2 }
     */
    params: paramsSchema,
  }),
  text: 'Several searches in one request. Fails if one of the searches fails. Dyno must parse every answer, which costs CPU time in the load generator.',
  label: { id: 'dyno.editor.request.msearch', text: 'Multi search' },
  first: { searches: [{ body: { query: { match_all: {} } } }] },
  example: {
    request: {
      searches: [
        { body: { size: 0, aggs: { hosts: { terms: { field: 'host.name' } } } } },
        {
          header: { request_cache: false },
          body: {
            size: 0,
            aggs: { hours: { date_histogram: { field: '@timestamp', fixed_interval: '1h' } } },
          },
        },
      ],
    },
    expect: ['responses.length == 2'],
  },
  outgoing: ({ searches, params }) => ({
    method: 'POST',
    path: '/{{index}}/_msearch',
    params,
    body: { ndjson: searches.flatMap(({ header, body }) => [header, body]) },
  }),
  judge: eachOf('responses', searchFailed),
});
