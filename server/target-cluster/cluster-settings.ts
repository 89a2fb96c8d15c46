/** Dynamic settings of the cluster under test: set for a trial, and put back afterwards. */
import * as z from 'zod';
import { isDone, reasonOf } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { flattenSettings } from '../../common/elasticsearch/settings';
import { inputError } from '../../common/problem';
import { ask, refusal } from './answer';

/** By flat name; null where nothing was set, so that the cluster's default holds. */
export type ClusterSettings = Readonly<Record<string, unknown>>;

/** The code of a problem with a setting that the cluster refuses for what it is, not for the moment. */
export const ILLEGAL_SETTING = 'target.illegal-setting';

const answer = z.looseObject({
  persistent: z.record(z.string(), z.unknown()),
  transient: z.record(z.string(), z.unknown()),
});

/**
 * What the settings of these names are now. Rejects with a DynoError `target.transient-setting` for one that is set
 * transiently too: it would win over whatever is set here.
 */
export async function readClusterSettings(
  client: ElasticsearchClient,
  wanted: Readonly<Record<string, unknown>>,
): Promise<ClusterSettings> {
  const { persistent, transient } = await ask(
    client,
    { method: 'GET', path: '/_cluster/settings', query: { flat_settings: true } },
    'read the settings of the cluster',
    answer,
  );
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
  const { status, body } = await client.request({
    method: 'PUT',
    path: '/_cluster/settings',
    body: { persistent: flattenSettings(settings) },
    isExact: true,
    repeatable: true,
  });
  if (isDone({ status, body })) return;
  if (status === 400) throw inputError(ILLEGAL_SETTING, 'cluster.settings', reasonOf(body));
  throw refusal(status, body, 'change the settings of the cluster', 'cluster.settings');
}
