/** `eql`: a query in Event Query Language. */
import * as z from 'zod';
import { noFlags } from './judges';
import { defineRequestKind } from './kind';
import { paramsSchema } from './parts';

export const eql = defineRequestKind({
  name: 'eql',
  schema: z.strictObject({
    /**
     * The query.
     * @example 'sequence by user.id [login where true] [logout where true]'
     */
    query: z.string().min(1),
    /**
     * Other keys of the body: `filter`, `size`, `event_category_field`, ...
     * @example { size: 100 }
     */
    body: z.record(z.string(), z.unknown()).default({}),
    /**
     * Query parameters.
     * @example { ignore_unavailable: true }
     */
    params: paramsSchema,
  }),
  text: 'A query in EQL. Fails if the answer is partial, still running, or timed out.',
  label: { id: 'dyno.editor.request.eql', text: 'EQL' },
  first: { query: 'any where true' },
  example: {
    request: {
      query:
        'sequence by user.name with maxspan=5m [authentication where event.outcome == "failure"] [authentication where event.outcome == "success"]',
      body: { size: 100 },
    },
  },
  outgoing: ({ query, body, params }) => ({
    method: 'POST',
    path: '/{{index}}/_eql/search',
    params,
    body: { json: { query, ...body } },
  }),
  judge: noFlags({
    is_partial: { type: 'partial-answer', reason: 'is_partial: parts of the data were not searched' },
    is_running: { type: 'still-running', reason: 'is_running: the answer came before the end of the search' },
    timed_out: { type: 'search-timed-out', reason: 'the search reached its own timeout' },
  }),
});
