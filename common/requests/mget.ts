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
     * The ids: a list, or a parameter whose value is a list.
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
     * Parameters of the query string.
     * @example { realtime: false }
     */
    params: paramsSchema,
  }),
  text: 'Gets several documents by their ids. Fails if one of them is not found. Dyno must parse the answer.',
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
