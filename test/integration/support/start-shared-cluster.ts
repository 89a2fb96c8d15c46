/**
 * Starts a cluster for each Jest worker before all integration tests. Test files that do not need a separate cluster use these clusters,
 * because a start takes about 10 s. Alternatively, an existing cluster of any version can be used. The tests delete all data in these
 * clusters.
 */
import { startElasticsearch } from '../../../server/standalone/elasticsearch/start';
import { GIVEN_CLUSTER, SHARED_CLUSTERS, sharedClusters } from './shared-cluster';

export default async function startSharedClusters({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  const given = process.env[GIVEN_CLUSTER];
  if (given !== undefined && given !== '') {
    if (maxWorkers > 1)
      throw new Error(
        `${GIVEN_CLUSTER} is one cluster, which only one file can use at a time: name one file, or use --runInBand`,
      );
    process.env[SHARED_CLUSTERS] = given;
    return;
  }
  const starting = Array.from({ length: maxWorkers }, () =>
    startElasticsearch({ ephemeral: true, heap: '512m' }).then((cluster) => sharedClusters.push(cluster)),
  );
  await Promise.all(starting);
  process.env[SHARED_CLUSTERS] = sharedClusters.map(({ url }) => url).join(' ');
}
