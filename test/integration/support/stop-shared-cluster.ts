/** After all integration tests. */
import { sharedCluster } from './shared-cluster';

export default async function stopSharedCluster(): Promise<void> {
  await sharedCluster.running?.stop();
}
