/** `get`: one document by its id. */
import * as z from 'zod';
import { byStatus } from './judges';
import { defineRequestKind } from './kind';
import { paramsSchema } from './parts';
import { chained, encodedTemplate, pathTemplate } from './template';

export const get = defineRequestKind({
  name: 'get',
  schema: z.strictObject({
    /**
     * Id of the document.
     * @example '{{id}}'
     */
    id: z.string().min(1),
    /**
     * Query parameters.
     * @example { realtime: false }
     */
    params: paramsSchema,
  }),
  text: 'Gets one document by its id. Fails with 404 if it does not exist.',
  label: { id: 'dyno.editor.request.get', text: 'Get' },
  first: { id: '1' },
  example: {
    request: { id: '{{id}}', params: { realtime: false } },
    parameters: { id: { zipf: { to: 10_000 } } },
  },
  outgoing: ({ id, params }) => ({
    method: 'GET',
    path: chained(pathTemplate('/{{index}}/_doc/'), encodedTemplate(id)),
    params,
  }),
  oneIndex: true,
  judge: byStatus,
});
