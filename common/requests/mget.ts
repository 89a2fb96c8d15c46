/** `mget`: several documents by their ids. */
import * as z from 'zod';
import { exact, LONGEST_LIST } from '../fields/schema';
import { eachOf, fieldsOf } from './judges';
import { defineRequestKind } from './kind';
import { paramsSchema } from './parts';

export const mget = defineRequestKind({
  name: 'mget',
  schema: z.strictObject({
    /**
     * Ids of the documents: a list, or a parameter with a list as its value.
     * @example ['{{first}}', '{{second}}']
     */
    ids: z.union([
      z
        .array(exact(z.union([z.string(), z.number()])))
        .min(1)
        .max(10 * LONGEST_LIST),
      z.string().min(1),
    ]),
    /**
     * Query parameters.
     * @example { realtime: false }
     */
    params: paramsSchema,
  }),
  text: 'Gets several documents by their ids. Fails if a document is not found. Dyno must parse every answer, which costs CPU time in the load generator.',
  label: { id: 'dyno.editor.request.mget', text: 'Multi get' },
  first: { ids: ['1', '2'] },
  example: {
    request: { ids: ['{{first}}', '{{second}}', '{{third}}'] },
    parameters: {
      first: { zipf: { to: 10_000 } },
      second: { zipf: { to: 10_000 } },
      third: { zipf: { to: 10_000 } },
    },
  },
  outgoing: ({ ids, params }) => ({
    method: 'POST',
    path: '/{{index}}/_mget',
    params,
    body: { json: { ids } },
  }),
  oneIndex: true,
  judge: eachOf('docs', (one) =>
    fieldsOf(one)['found'] === true
      ? null
      : { type: 'not-found', reason: `the document ${String(fieldsOf(one)['_id'])} does not exist` },
  ),
});
