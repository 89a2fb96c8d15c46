/** Paths of the spool, which stores results on disk while their cluster is unavailable. */
import path from 'node:path';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { identifyCluster } from '../target-cluster/cluster';
import type { KibanaServices } from './kibana-services';

/**
 * Returns the folder of the cluster with this UUID. Each cluster has its own folder, so that spooled results are never stored in
 * another cluster after a change of the settings.
 */
export const spoolFolder = ({ dataFolder }: Pick<KibanaServices, 'dataFolder'>, uuid: string): string =>
  path.join(dataFolder, 'spool', uuid);

/** Returns the {@link spoolFolder} of a cluster. Rejects with a DynoError if the cluster does not return its UUID. */
export const spoolOf = async (
  kibana: Pick<KibanaServices, 'dataFolder'>,
  results: ElasticsearchClient,
): Promise<string> => spoolFolder(kibana, (await identifyCluster(results)).uuid);
