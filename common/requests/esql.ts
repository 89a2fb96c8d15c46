/** `esql`: a query in ES|QL. */
import * as z from 'zod';
import { noFlags } from './judges';
import { defineRequestKind } from './kind';
import { paramsSchema } from './parts';

export const esql = defineRequestKind({
  name: 'esql',
  schema: z.strictObject({
    /**
     * The query. `{{index}}` is replaced by the indices of the trial.
     * @example 'FROM {{index}} | STATS count = COUNT(*)'
     */
    query: z.string().min(1),
    /**
     * Other keys of the body: `filter`, `params`, `columnar`, `locale`, ...
     * @example { columnar: true }
     */
    body: z.record(z.string(), z.unknown()).default({}),
    /**
     * Query parameters.
     * @example { drop_null_columns: true }
     */
    params: paramsSchema,
  }),
  text: 'A query in ES|QL. Fails if the answer is partial.',
  label: { id: 'dyno.editor.request.esql', text: 'ES|QL' },
  first: { query: 'FROM {{index}} | STATS count = COUNT(*)' },
  example: {
    request: {
      query:
        'FROM {{index}} | WHERE @timestamp > "{{since}}" | STATS count = COUNT(*) BY bucket = BUCKET(@timestamp, 1 hour), http.response.status_code | SORT bucket',
    },
    expect: ['values.length > 0'],
    parameters: { since: { date: { from: 'now-7d', to: 'now-1d', round: '1h' } } },
  },
  outgoing: ({ query, body, params }) => ({
    method: 'POST',
    path: '/_query',
    params,
    body: { json: { query, ...body } },
  }),
  // Since 8.18 and 9.0, `is_partial` comes before the columns. Older versions fail the query instead.
  judge: noFlags({
    is_partial: { type: 'partial-answer', reason: 'is_partial: parts of the data were not searched' },
  }),
});
