/** Dynamic settings of the cluster under test: set for a trial, and put back afterwards. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { flattenSettings } from '../../common/elasticsearch/settings';
import { inputError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { ask } from './answer';

/** By flat name; null where nothing was set, so that the cluster's default holds. */
export type ClusterSettings = Readonly<Record<string, unknown>>;

/** The code of a problem with a setting that the cluster refuses for what it is, not for the moment. */
export const ILLEGAL_SETTING = 'target.illegal-setting';

/**
 * What the settings of these names are now. Rejects with a DynoError `target.transient-setting` for one that is set
 * transiently too: it would win over whatever is set here.
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
      'the cluster holds a transient value, which wins: remove it first',
      { found: hidden.join(', ') },
    );
  }
  return Object.fromEntries(names.map((name) => [name, persistent[name] ?? null]));
}

/**
 * Sets them persistently; null takes one away. Rejects with a DynoError `target.illegal-setting` (input) with
 * Elasticsearch's own reason for one that is unknown, wrong, or not dynamic.
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
