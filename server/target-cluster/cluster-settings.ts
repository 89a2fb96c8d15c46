/** Sets dynamic settings of the cluster under test for a trial, and restores them afterwards. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { flattenSettings } from '../../common/elasticsearch/settings';
import { inputError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { ask } from './answer';

/** Values of settings by flat name. Null for a setting that is not set; the default of the cluster then applies. */
export type ClusterSettings = Readonly<Record<string, unknown>>;

/** Code of the error for a setting that the cluster rejects as invalid. */
export const ILLEGAL_SETTING = 'target.illegal-setting';

/**
 * Returns the current persistent values of these settings. Rejects with a DynoError `target.transient-setting` if one of the settings has a
 * transient value, because this value would override the persistent value that Dyno sets.
 */
export async function readClusterSettings(
  client: ElasticsearchClient,
  wanted: Readonly<Record<string, unknown>>,
): Promise<ClusterSettings> {
  const doing = 'read the settings of the cluster';
  const { persistent, transient } = await ask(client, api.clusterSettings(), doing);
  const names = Object.keys(flattenSettings(wanted));
  const hidden = names.filter((name) => transient[name] !== undefined);
  if (hidden.length > 0) {
    throw inputError(
      'target.transient-setting',
      'cluster.settings',
      'the cluster has a transient value, which takes precedence: remove it first',
      { found: hidden.join(', ') },
    );
  }
  return Object.fromEntries(names.map((name) => [name, persistent[name] ?? null]));
}

/**
 * Sets persistent values of settings. The value null removes a setting. Rejects with a DynoError `target.illegal-setting` (input), which
 * contains Elasticsearch's reason, if a setting is unknown, invalid or not dynamic.
 */
export async function setClusterSettings(
  client: ElasticsearchClient,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const path = 'cluster.settings';
  const put = api.putClusterSettings(flattenSettings(settings));
  await ask(client, put, 'change the settings of the cluster', {
    path,
    illegal: ({ reason }) => {
      throw inputError(ILLEGAL_SETTING, path, reason);
    },
  });
}
