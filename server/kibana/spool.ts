/** Where results wait on the disk while their cluster is away. */
import path from 'node:path';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { discoverCluster } from '../target-cluster/cluster';
import type { KibanaServices } from './kibana-services';

/**
 * The folder of one cluster: where the settings name another, what waits for the old one must never be stored in the new.
 * Rejects with a DynoError when the cluster does not say which it is.
 */
export async function spoolOf(
  { dataFolder }: Pick<KibanaServices, 'dataFolder'>,
  results: ElasticsearchClient,
): Promise<string> {
  return path.join(dataFolder, 'spool', (await discoverCluster(results)).uuid);
}
