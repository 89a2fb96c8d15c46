/** Lists the names that requests can contain: the indices of a cluster, and the fields of their documents. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import * as api from '../elasticsearch/api';
import { ask } from './answer';

/** Maximum number of listed fields. A mapping with 1,000 fields is already large. */
const MOST_FIELDS = 5000;
const MOST_INDICES = 2000;

/**
 * Returns the fields of `index` that contain values, sorted by name, with their types. If a field has different types in several indices,
 * its types are joined. Returns an empty list if the index does not exist. Rejects with a DynoError.
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

/** Returns the names of indices, aliases and data streams, sorted. Leaves out names that begin with a dot. Rejects with a DynoError. */
export async function indicesOf(client: ElasticsearchClient): Promise<string[]> {
  const all = await ask(client, api.allNames(), 'list the indices');
  return [...new Set(all)]
    .filter((name) => !name.startsWith('.'))
    .sort()
    .slice(0, MOST_INDICES);
}
