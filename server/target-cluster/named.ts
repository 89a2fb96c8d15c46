/** What requests may name in a cluster: its indices, and the fields of their documents. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { ask } from './answer';

/** More than this nobody reads through, and a mapping of a thousand fields is large. */
const MOST_FIELDS = 5000;
const MOST_INDICES = 2000;

const capabilities = z.looseObject({
  fields: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ metadata_field: z.boolean().optional() })),
  ),
});

/**
 * Fields of `index` that hold values, sorted, each with its type, or several that differ by index, joined; none of an index that is
 * not there. Rejects with a DynoError.
 */
export async function fieldsOf(
  client: ElasticsearchClient,
  index: string,
): Promise<{ name: string; type: string }[]> {
  const { fields } = await ask(
    client,
    {
      method: 'GET',
      path: `/${encodeURIComponent(index)}/_field_caps`,
      query: { fields: '*', ignore_unavailable: true },
    },
    `read the fields of ${index}`,
    capabilities,
  );
  return Object.entries(fields)
    .filter(
      ([, types]) => !('object' in types) && !Object.values(types).some((one) => one.metadata_field === true),
    )
    .map(([name, types]) => ({ name, type: Object.keys(types).join(', ') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, MOST_FIELDS);
}

const named = z.array(z.looseObject({ name: z.string() })).default([]);
const resolved = z.looseObject({ indices: named, aliases: named, data_streams: named });

/** Names of indices, aliases and data streams, sorted, without those that begin with a point. Rejects with a DynoError. */
export async function indicesOf(client: ElasticsearchClient): Promise<string[]> {
  const told = await ask(client, { method: 'GET', path: '/_resolve/index/*' }, 'list the indices', resolved);
  const all = [told.indices, told.aliases, told.data_streams].flatMap((own) => own.map(({ name }) => name));
  return [...new Set(all)]
    .filter((name) => !name.startsWith('.'))
    .sort()
    .slice(0, MOST_INDICES);
}
