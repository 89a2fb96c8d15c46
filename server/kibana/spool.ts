/** Where results wait on the disk while their cluster is away. */
import path from 'node:path';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { identifyCluster } from '../target-cluster/cluster';
import type { KibanaServices } from './kibana-services';

/**
 * The folder of the cluster of a uuid: where the settings name another, what waits for the old one must never be stored in
 * the new.
 */
export const spoolFolder = ({ dataFolder }: Pick<KibanaServices, 'dataFolder'>, uuid: string): string =>
  path.join(dataFolder, 'spool', uuid);

/** As {@link spoolFolder}. Rejects with a DynoError when the cluster does not say which it is. */
export const spoolOf = async (
  kibana: Pick<KibanaServices, 'dataFolder'>,
  results: ElasticsearchClient,
): Promise<string> => spoolFolder(kibana, (await identifyCluster(results)).uuid);
