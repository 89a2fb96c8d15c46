/** Indices in which Dyno keeps what is no result: leases, markers, schedules, experiments. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import * as api from '../elasticsearch/api';
import { ask } from './answer';

/** Fields that are not described are refused. */
export const mappingsOf = (properties: object): object => ({ dynamic: 'strict', properties });

/** Makes the index unless it exists: its fields must not be guessed from the first document. */
export async function makeIndex(
  client: ElasticsearchClient,
  { name, properties }: { name: string; properties: object },
  doing: string,
): Promise<void> {
  // Credentials that may not look may still write.
  const isThere = await ask(client, api.indexExists(name), doing, {
    missing: () => false,
    failed: () => true,
  });
  if (isThere !== false) return;
  const body = {
    settings: { number_of_shards: 1, auto_expand_replicas: '0-1' },
    mappings: mappingsOf(properties),
  };
  // Another process may have made it since.
  await ask(client, api.createIndex(name, body), doing, { exists: () => undefined });
}
