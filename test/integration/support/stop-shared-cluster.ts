/** Stops the shared clusters after all integration tests. */
import { sharedClusters } from './shared-cluster';

export default async function stopSharedClusters(): Promise<void> {
  await Promise.all(sharedClusters.map((cluster) => cluster.stop()));
}
