/** Starts a complete OpenSearch. Unlike the embedded Elasticsearch, it has ingest pipelines and Painless. */
import type { Settings } from '../../../server/standalone/elasticsearch/node-folder';
import { startCluster } from '../../../server/standalone/elasticsearch/start';

/** Time limit for the first start of OpenSearch on a busy machine, with its download, in ms. */
export const START_TIMEOUT_MS = 400_000;

export interface OpenSearch {
  url: string;
  stop(): Promise<void>;
}

export const startOpenSearch = (settings: Settings = {}): Promise<OpenSearch> =>
  startCluster({ engine: 'opensearch', ephemeral: true, heap: '512m', settings });
