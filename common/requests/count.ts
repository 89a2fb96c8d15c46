/** `count`: counts the documents that match a query. */
import * as z from 'zod';
import { allShards } from './judges';
import { defineRequestKind } from './kind';
import { paramsSchema } from './parts';

export const count = defineRequestKind({
  name: 'count',
  schema: z.strictObject({
    /**
     * Body of the request with a query. By default, all documents are counted.
     * @example { query: { term: { status: 500 } } }
     */
    body: z.record(z.string(), z.unknown()).default({}),
    /**
     * Query parameters.
     * @example { terminate_after: 1000 }
     */
    params: paramsSchema,
  }),
  text: 'Counts documents. Fails if a shard failed.',
  label: { id: 'dyno.editor.request.count', text: 'Count' },
  first: { body: { query: { match_all: {} } } },
  example: {
    request: {
      body: { query: { bool: { filter: [{ term: { 'http.response.status_code': '{{status}}' } }] } } },
    },
    parameters: {
      status: {
        weighted: [
          { value: 200, weight: 9 },
          { value: 404, weight: 2 },
          { value: 500, weight: 1 },
        ],
      },
    },
  },
  outgoing: ({ body, params }) => ({
    method: 'POST',
    path: '/{{index}}/_count',
    params,
    body: { json: body },
  }),
  judge: allShards,
});
