/** Reads facts about a cluster. If the cluster is unreachable, this is one of the facts, not an error. */
import type { TargetFacts } from '../../../common/api/targets';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { missingModules } from '../../../common/elasticsearch/modules';
import { DynoError } from '../../../common/problem';
import { discoverCluster } from '../../target-cluster/cluster';
import type { TargetConnection } from '../../target-cluster/connection';
import { readModules } from '../../target-cluster/modules';
import { nodeFacts } from '../../target-cluster/nodes';
import { checkOneCluster } from '../../target-cluster/one-cluster';
import { checkAccess } from '../../target-cluster/permissions';

const unreached = (problem: string, tookMs: number): TargetFacts => ({
  reachable: false,
  problem,
  tookMs,
  cluster: null,
  nodes: [],
  missing: [],
  notes: [],
});

/** Client of the cluster to inspect. The properties of a connection are optional, because Kibana's client has no list of hosts. */
type Inspected = ElasticsearchClient & { close(): Promise<void> } & Partial<
    Pick<TargetConnection, 'urls' | 'to'>
  >;

/** Returns the facts about the cluster, and closes the connection. */
export async function inspect(connection: Inspected): Promise<TargetFacts> {
  const began = performance.now();
  const tookMs = (): number => Math.round(performance.now() - began);
  try {
    const dead = isConnection(connection) ? await checkOneCluster(connection) : [];
    const { name, uuid, engine, version, health, serverless, nodes, notes } =
      await discoverCluster(connection);
    const modules = serverless ? null : await readModules(connection);
    const access = await accessTo(connection, { engine, plugins: modules });
    const problem =
      health === 'red' ? 'the cluster is red: some primary shards are not allocated' : access.problem;
    return {
      reachable: true,
      problem,
      tookMs: tookMs(),
      cluster: { name, uuid, engine, version, health, serverless },
      nodes: nodes.map(nodeFacts),
      // The list of modules only applies to distributions of Elasticsearch.
      missing: modules === null || engine !== 'elasticsearch' ? [] : missingModules(modules),
      notes: [...dead, ...notes, ...(access.note === '' ? [] : [access.note])],
    };
  } catch (error) {
    if (error instanceof DynoError) return unreached(error.message, tookMs());
    throw error;
  } finally {
    await connection.close();
  }
}

const isConnection = (client: Inspected): client is Inspected & Pick<TargetConnection, 'urls' | 'to'> =>
  client.urls !== undefined && client.to !== undefined;

/**
 * Checks the privileges on `dyno-trial-*`, the indices that trials use by default. `problem`: a sentence that lists the missing privileges;
 * '' if no privilege is missing. `note`: see {@link checkAccess}.
 */
async function accessTo(
  connection: ElasticsearchClient,
  cluster: Parameters<typeof checkAccess>[1],
): Promise<{ problem: string; note: string }> {
  try {
    return { problem: '', note: await checkAccess(connection, cluster, ['dyno-trial-*']) };
  } catch (error) {
    if (error instanceof DynoError) return { problem: error.message, note: '' };
    throw error;
  }
}
