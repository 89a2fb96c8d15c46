/**
 * Before all integration tests: a cluster for each of Jest's workers, for the files that need none of their own. Starting one takes
 * about 10 s. In their place it takes one that is there, of whatever version, by its URL: it has to be for tests, which delete all of it.
 */
import { startElasticsearch } from '../../../server/standalone/elasticsearch/start';
import { GIVEN_CLUSTER, SHARED_CLUSTERS, sharedClusters } from './shared-cluster';

export default async function startSharedClusters({ maxWorkers }: { maxWorkers: number }): Promise<void> {
  const given = process.env[GIVEN_CLUSTER];
  if (given !== undefined && given !== '') {
    if (maxWorkers > 1)
      throw new Error(
        `${GIVEN_CLUSTER} is one cluster, for one file at a time: name the files, or use --runInBand`,
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
