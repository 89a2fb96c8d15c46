/** Starts a complete OpenSearch. Unlike the embedded Elasticsearch, it has ingest pipelines and Painless. */
import type { Settings } from '../../../server/standalone/elasticsearch/node-folder';
import { startCluster } from '../../../server/standalone/elasticsearch/start';

/** Timeout in ms for the first start of OpenSearch, including its download. It is long enough for a busy machine. */
export const START_TIMEOUT_MS = 400_000;

export interface OpenSearch {
  url: string;
  stop(): Promise<void>;
}

export const startOpenSearch = (settings: Settings = {}): Promise<OpenSearch> =>
  startCluster({ engine: 'opensearch', ephemeral: true, heap: '512m', settings });
