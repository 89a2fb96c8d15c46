/** `terms-enum`: lists the terms of a field that begin with a prefix, as for autocompletion. */
import * as z from 'zod';
import { shardFailure } from './judges';
import { defineRequestKind, type Judge } from './kind';

/**
 * Accepts a response if no shard failed and the response does not contain `complete: false`, which means that shards failed or a timeout
 * occurred.
 */
const complete: Judge = {
  head: () => 'keep',
  failure: (answer) => {
    const shards = shardFailure(answer);
    if (shards !== null) return shards;
    return (answer as { complete?: boolean }).complete === false
      ? { type: 'partial-answer', reason: 'complete: false, so terms are missing' }
      : null;
  },
};

export const termsEnum = defineRequestKind({
  name: 'terms-enum',
  schema: z.strictObject({
    /**
     * Field to list the terms of. Its type must be a keyword type.
     * @example user.id
     */
    field: z.string().min(1),
    /**
     * Prefix of the terms.
     * @example '{{prefix}}'
     */
    string: z.string().optional(),
    /**
     * Other keys of the body: `size`, `timeout`, `case_insensitive`, `index_filter`, ...
     * @example { size: 20 }
     */
    body: z.record(z.string(), z.unknown()).default({}),
  }),
  text: 'Lists the terms of a field that begin with a prefix, as for autocompletion. Fails if the list is incomplete.',
  label: { id: 'dyno.editor.request.termsEnum', text: 'Terms enumeration' },
  first: { field: 'host.name', string: 'a' },
  example: {
    request: { field: 'host.name', string: '{{prefix}}', body: { size: 10, case_insensitive: true } },
    parameters: { prefix: { values: ['a', 'db', 'web'] } },
  },
  outgoing: ({ field, string, body }) => ({
    method: 'POST',
    path: '/{{index}}/_terms_enum',
    body: { json: { field, ...(string === undefined ? {} : { string }), ...body } },
  }),
  judge: complete,
});
