/** Finds out which engine stores the results. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { ENGINES, type Engine } from '../../common/elasticsearch/engine';
import * as api from '../elasticsearch/api';
import { ask } from './answer';

/**
 * Reads the engine of the results cluster: Elasticsearch if the cluster does not report one, or not to these credentials. Rejects with a
 * DynoError `results.unauthorised` or `results.refused`, or as the client does.
 */
export async function engineOfResults(client: ElasticsearchClient): Promise<Engine> {
  const answer = await ask(client, api.root(), 'ask which engine stores the results', {
    notOffered: () => null,
    garbled: () => null,
  });
  return ENGINES.find((engine) => engine === answer?.version?.distribution) ?? 'elasticsearch';
}
