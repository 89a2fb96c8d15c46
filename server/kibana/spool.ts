/** Paths of the spool, the folder in which results wait on disk while the results cluster is unavailable. */
import path from 'node:path';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { identifyCluster } from '../target-cluster/cluster';
import type { KibanaServices } from './kibana-services';

/**
 * Returns the folder of the results for the cluster with this UUID. Each cluster has a separate folder. Therefore, results are never stored
 * in another cluster after the settings were changed.
 */
export const spoolFolder = ({ dataFolder }: Pick<KibanaServices, 'dataFolder'>, uuid: string): string =>
  path.join(dataFolder, 'spool', uuid);

/** Returns the {@link spoolFolder} of a cluster. Rejects with a DynoError if the cluster does not report its UUID. */
export const spoolOf = async (
  kibana: Pick<KibanaServices, 'dataFolder'>,
  results: ElasticsearchClient,
): Promise<string> => spoolFolder(kibana, (await identifyCluster(results)).uuid);
