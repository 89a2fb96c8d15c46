/** What requests may name in a cluster: its indices, and the fields of their documents. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import * as api from '../elasticsearch/api';
import { ask } from './answer';

/** More than this nobody reads through, and a mapping of a thousand fields is large. */
const MOST_FIELDS = 5000;
const MOST_INDICES = 2000;

/**
 * Fields of `index` that hold values, sorted, each with its type, or several that differ by index, joined; none of an index that is
 * not there. Rejects with a DynoError.
 */
export async function fieldsOf(
  client: ElasticsearchClient,
  index: string,
): Promise<{ name: string; type: string }[]> {
  const { fields } = await ask(client, api.fieldCapabilities(index, ['*']), `read the fields of ${index}`);
  return Object.entries(fields)
    .filter(
      ([, types]) => !('object' in types) && !Object.values(types).some((one) => one.metadata_field === true),
    )
    .map(([name, types]) => ({ name, type: Object.keys(types).join(', ') }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, MOST_FIELDS);
}

/** Names of indices, aliases and data streams, sorted, without those that begin with a point. Rejects with a DynoError. */
export async function indicesOf(client: ElasticsearchClient): Promise<string[]> {
  const all = await ask(client, api.allNames(), 'list the indices');
  return [...new Set(all)]
    .filter((name) => !name.startsWith('.'))
    .sort()
    .slice(0, MOST_INDICES);
}
