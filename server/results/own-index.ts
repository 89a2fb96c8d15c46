/** Creates indices in the results cluster for data other than results: leases, markers, schedules and experiments. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import * as api from '../elasticsearch/api';
import { ask } from './answer';

/** Returns strict mappings, which refuse unknown fields. */
export const mappingsOf = (properties: object): object => ({ dynamic: 'strict', properties });

/**
 * Creates the index unless it exists. The mappings are explicit, because Elasticsearch would otherwise guess the types of the fields from
 * the first document.
 */
export async function makeIndex(
  client: ElasticsearchClient,
  { name, properties }: { name: string; properties: object },
  doing: string,
): Promise<void> {
  // Credentials may lack the privilege to check whether an index exists, and still have the privilege to write to it.
  const isThere = await ask(client, api.indexExists(name), doing, {
    missing: () => false,
    failed: () => true,
  });
  if (isThere !== false) return;
  const body = {
    settings: { number_of_shards: 1, auto_expand_replicas: '0-1' },
    mappings: mappingsOf(properties),
  };
  // Another process may have created the index in the meantime.
  await ask(client, api.createIndex(name, body), doing, { exists: () => undefined });
}
