/** `field-caps`: lists the fields of the indices with the field capabilities API, as Kibana's data views do. */
import * as z from 'zod';
import { LONGEST_LIST } from '../fields/schema';
import { byStatus } from './judges';
import { defineRequestKind } from './kind';
import { paramsSchema } from './parts';

export const fieldCaps = defineRequestKind({
  name: 'field-caps',
  schema: z.strictObject({
    /**
     * Names or patterns of the fields to list.
     * @example ['@timestamp', 'host.*']
     */
    fields: z.array(z.string().min(1)).min(1).max(LONGEST_LIST).default(['*']),
    /**
     * Body of the request: `index_filter`, `runtime_mappings`.
     * @example { index_filter: { range: { '@timestamp': { gte: now-1d } } } }
     */
    body: z.record(z.string(), z.unknown()).optional(),
    /**
     * Query parameters.
     * @example { include_unmapped: true }
     */
    params: paramsSchema,
  }),
  text: 'Lists the fields of the indices, as data views in Kibana do.',
  label: { id: 'dyno.editor.request.fieldCaps', text: 'Field capabilities' },
  first: { fields: ['*'] },
  example: {
    request: {
      fields: ['*'],
      body: { index_filter: { range: { '@timestamp': { gte: 'now-1d' } } } },
      params: { ignore_unavailable: true },
    },
  },
  outgoing: ({ fields, body, params }) => ({
    method: 'POST',
    path: '/{{index}}/_field_caps',
    params: { fields: fields.join(), ...params },
    body: body === undefined ? undefined : { json: body },
  }),
  judge: byStatus,
});
