/**
 * Checks before a run whether these credentials may do what the run does. OpenSearch has no API that lists permissions. Since version 3.2,
 * its security plugin reports for a single request whether it would be allowed, without executing it.
 */
import * as z from 'zod';
import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { runError } from '../../common/problem';
import { MORE_NEEDS } from '../../common/privileges';
import * as api from '../elasticsearch/api';
import {
  checkPrivileges,
  wantedBy,
  type Cluster,
  type ExistingPrivileges,
  type Privileges,
  type WantedPrivileges,
} from './cluster';

const SECURITY_PLUGIN = 'opensearch-security';

/** Permission of OpenSearch to close scrolls. Elasticsearch has no privilege for this. */
export const CLOSE_SCROLLS = 'indices:data/read/scroll/clear';

/** Name of everything that the requests below would create, and id of their documents. The plugin does not execute the requests. */
const NAME = 'dyno-check';

/** Requests that need the permissions of OpenSearch which correspond to a cluster privilege of Elasticsearch. */
const ON_CLUSTER: Readonly<Record<string, ElasticsearchRequest>> = {
  monitor: api.clusterHealth(),
  [MORE_NEEDS.cluster]: api.putClusterSettings({ 'cluster.max_shards_per_node': 1000 }),
  [MORE_NEEDS.pipelines]: api.putIngestPipeline(NAME, { processors: [] }),
  [MORE_NEEDS.streams]: api.putIndexTemplate(NAME, { index_patterns: [NAME] }),
  [MORE_NEEDS.snapshots]: api.getSnapshots(NAME, NAME),
  [CLOSE_SCROLLS]: { method: 'DELETE', path: '/_search/scroll', body: { scroll_id: ['1'] } },
};

/** Requests that need the permissions of OpenSearch which correspond to an index privilege of Elasticsearch. */
const ON_INDEX: Readonly<Record<string, (index: string) => ElasticsearchRequest[]>> = {
  create_index: (index) => [api.createIndex(index, {})],
  delete_index: (index) => [api.deleteIndex(index)],
  index: (index) => [
    api.bulkInto(index, `{"delete":{"_id":"${NAME}"}}\n`, { timeoutMs: 30_000 }),
    api.putDocument(index, NAME, {}, {}),
  ],
  read: (index) => [api.search(index, {}, z.unknown())],
  monitor: (index) => [api.indexFigures(index, '_stats/docs', z.unknown(), {})],
  view_index_metadata: (index) => [api.getIndices(index, z.unknown(), {})],
  manage: (index) => [api.clearCaches(index)],
};

const verdict = z.looseObject({ accessAllowed: z.boolean(), missingPrivileges: z.array(z.string()) });

/** Returns the permissions that the request lacks; undefined if the cluster does not report them. */
async function lackedBy(
  client: ElasticsearchClient,
  { method, path, body, query: { filter_path: _, ...query } = {} }: ElasticsearchRequest,
): Promise<string[] | undefined> {
  const asked = { method, path, body, query: { ...query, perform_permission_check: true } };
  const answer = verdict.safeParse((await client.request(asked)).body);
  return answer.success ? answer.data.missingPrivileges : undefined;
}

/**
 * Returns the permissions that these credentials lack, each with a request that needs it; undefined if the cluster does not report
 * permissions. Some requests cannot be checked, because the plugin then answers with an error. They count as allowed.
 */
async function lackedPermissions(
  client: ElasticsearchClient,
  { cluster, index }: WantedPrivileges,
): Promise<string[] | undefined> {
  // A cluster that does not know the question might execute the request. Therefore, the first request changes nothing.
  if ((await lackedBy(client, api.clusterHealth())) === undefined) return undefined;
  const requests = [
    ...cluster.flatMap((privilege) => ON_CLUSTER[privilege] ?? []),
    ...index.flatMap(({ names, privileges }) =>
      names.flatMap((name) =>
        privileges.flatMap((privilege) => ON_INDEX[privilege]?.(name.replaceAll('*', 'check')) ?? []),
      ),
    ),
  ];
  const lacked: string[] = [];
  for (const request of requests) {
    for (const permission of (await lackedBy(client, request)) ?? [])
      lacked.push(`${permission} (for ${request.method} ${request.path})`);
  }
  return lacked;
}

const NOT_REPORTED =
  'this OpenSearch does not report the permissions of these credentials (its security plugin does since 3.2): a missing one is found when a request needs it';

/**
 * Checks that these credentials may run trials on indices that match the `patterns`. `more` and `existing`: see {@link checkPrivileges}.
 * `plugins`: names of the cluster's plugins; null if unknown. Returns a note if the cluster does not report permissions; otherwise ''.
 * Rejects with a DynoError `target.missing-privileges` that names all missing privileges, or all missing permissions.
 */
export async function checkAccess(
  client: ElasticsearchClient,
  { engine, plugins }: Pick<Cluster, 'engine'> & { plugins: ReadonlySet<string> | null },
  patterns: readonly string[],
  more?: Privileges,
  existing?: readonly ExistingPrivileges[],
): Promise<string> {
  if (engine === 'elasticsearch') {
    await checkPrivileges(client, patterns, more, existing);
    return '';
  }
  if (plugins !== null && !plugins.has(SECURITY_PLUGIN)) return '';
  const lacked = await lackedPermissions(client, wantedBy(patterns, more, existing));
  if (lacked === undefined) return NOT_REPORTED;
  if (lacked.length > 0)
    throw runError(
      'target.missing-privileges',
      '',
      `these credentials lack permissions: ${[...new Set(lacked)].join(', ')}`,
    );
  return '';
}
