/** Paths of the spool, which stores results on disk while their cluster is unavailable. */
import path from 'node:path';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { identifyCluster } from '../target-cluster/cluster';
import type { KibanaServices } from './kibana-services';

/**
 * Returns the folder for the results of the cluster with this UUID. Each cluster has its own folder. After a change of the settings,
 * spooled results are therefore never stored in another cluster.
 */
export const spoolFolder = ({ dataFolder }: Pick<KibanaServices, 'dataFolder'>, uuid: string): string =>
  path.join(dataFolder, 'spool', uuid);

/** Returns the {@link spoolFolder} of a cluster. Rejects with a DynoError if the cluster does not report its UUID. */
export const spoolOf = async (
  kibana: Pick<KibanaServices, 'dataFolder'>,
  results: ElasticsearchClient,
): Promise<string> => spoolFolder(kibana, (await identifyCluster(results)).uuid);
