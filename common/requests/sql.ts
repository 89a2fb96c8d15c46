/** `sql`: a query in Elasticsearch SQL. */
import * as z from 'zod';
import { byStatus } from './judges';
import { defineRequestKind } from './kind';

export const sql = defineRequestKind({
  name: 'sql',
  schema: z.strictObject({
    /**
     * The query. An index name with special characters must be in double quotes.
     * @example 'SELECT COUNT(*) FROM "{{index}}"'
     */
    query: z.string().min(1),
    /**
     * Other keys of the body: `fetch_size`, `filter`, `params`, ...
     * @example { fetch_size: 100 }
     */
    body: z.record(z.string(), z.unknown()).default({}),
  }),
  text: 'A query in Elasticsearch SQL. Only the first page of the result is read.',
  label: { id: 'dyno.editor.request.sql', text: 'SQL' },
  first: { query: 'SELECT COUNT(*) FROM "{{index}}"' },
  example: {
    request: {
      query:
        'SELECT "http.response.status_code", COUNT(*) FROM "{{index}}" WHERE "host.name" = \'{{host}}\' GROUP BY 1',
      body: { fetch_size: 100 },
    },
    parameters: { host: { terms: { field: 'host.name', by: 'frequency' } } },
  },
  outgoing: ({ query, body }) => ({
    method: 'POST',
    path: '/_sql',
    params: { format: 'json' },
    body: { json: { query, ...body } },
  }),
  judge: byStatus,
});
