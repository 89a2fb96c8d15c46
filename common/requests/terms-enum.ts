/** `terms-enum`: terms of a field that begin with a text, as autocompletion asks for them. */
import * as z from 'zod';
import { shardFailure } from './judges';
import { defineRequestKind, type Judge } from './kind';

/** `complete: false` where shards failed or the time was over. */
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
     * The field; of a keyword type.
     * @example user.id
     */
    field: z.string().min(1),
    /**
     * What the terms begin with.
     * @example '{{prefix}}'
     */
    string: z.string().optional(),
    /**
     * Beside them in the body: `size`, `timeout`, `case_insensitive`, `index_filter`, ...
     * @example { size: 20 }
     */
    body: z.record(z.string(), z.unknown()).default({}),
  }),
  text: 'Asks for terms of a field that begin with a text, as autocompletion does. It fails where terms are missing.',
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
