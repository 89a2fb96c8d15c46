/** Before all integration tests: one cluster for every file that does not need its own. Starting takes about 10 s. */
import { startElasticsearch } from '../../../server/standalone/elasticsearch/start';
import { SHARED_CLUSTER, sharedCluster } from './shared-cluster';

export default async function startSharedCluster(): Promise<void> {
  const cluster = await startElasticsearch({ ephemeral: true, heap: '512m' });
  sharedCluster.running = cluster;
  process.env[SHARED_CLUSTER] = cluster.url;
}
