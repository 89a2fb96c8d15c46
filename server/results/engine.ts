/** Finds out whether Elasticsearch or OpenSearch stores the results. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { ENGINES, type Engine } from '../../common/elasticsearch/engine';
import * as api from '../elasticsearch/api';
import { ask } from './answer';

/**
 * Reads the engine (Elasticsearch or OpenSearch) of the results cluster. Returns `elasticsearch` if the response names no engine, or if the
 * credentials may not read it. Rejects with a DynoError `results.unauthorised` or `results.refused`, or with the errors of the client.
 */
export async function engineOfResults(client: ElasticsearchClient): Promise<Engine> {
  const answer = await ask(client, api.root(), 'ask which engine stores the results', {
    notOffered: () => null,
    garbled: () => null,
  });
  return ENGINES.find((engine) => engine === answer?.version?.distribution) ?? 'elasticsearch';
}
