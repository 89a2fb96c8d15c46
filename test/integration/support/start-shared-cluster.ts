/** Before all integration tests: a cluster for each of Jest's workers, for the files that need none of their own. Starting one takes about 10 s. */
import { startElasticsearch } from '../../../server/standalone/elasticsearch/start';
import { SHARED_CLUSTERS, sharedClusters } from './shared-cluster';

export default async function startSharedClusters({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  const starting = Array.from({ length: maxWorkers }, () =>
    startElasticsearch({ ephemeral: true, heap: '512m' }).then((cluster) => sharedClusters.push(cluster)),
  );
  await Promise.all(starting);
  process.env[SHARED_CLUSTERS] = sharedClusters.map(({ url }) => url).join(' ');
}
