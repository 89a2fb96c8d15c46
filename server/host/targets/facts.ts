/** Reads facts about a cluster. If the cluster is unreachable, this is one of the facts, not an error. */
import type { TargetFacts } from '../../../common/api/targets';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { missingModules } from '../../../common/elasticsearch/modules';
import { DynoError } from '../../../common/problem';
import { checkPrivileges, discoverCluster, uncheckedPrivileges } from '../../target-cluster/cluster';
import type { TargetConnection } from '../../target-cluster/connection';
import { readModules } from '../../target-cluster/modules';
import { nodeFacts } from '../../target-cluster/nodes';
import { checkOneCluster } from '../../target-cluster/one-cluster';

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
    const unchecked = uncheckedPrivileges({ engine }, modules);
    const isElasticsearch = engine === 'elasticsearch';
    const problem =
      health === 'red'
        ? 'the cluster is red: some primary shards are not allocated'
        : isElasticsearch
          ? await missingPrivileges(connection)
          : '';
    return {
      reachable: true,
      problem,
      tookMs: tookMs(),
      cluster: { name, uuid, engine, version, health, serverless },
      nodes: nodes.map(nodeFacts),
      // The list of modules only applies to distributions of Elasticsearch.
      missing: modules === null || !isElasticsearch ? [] : missingModules(modules),
      notes: [...dead, ...notes, ...(unchecked === '' ? [] : [unchecked])],
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
 * Checks the privileges on `dyno-trial-*`, the indices that trials use by default. Returns a sentence that lists the missing privileges; ''
 * if no privilege is missing.
 */
async function missingPrivileges(connection: ElasticsearchClient): Promise<string> {
  try {
    await checkPrivileges(connection, ['dyno-trial-*']);
    return '';
  } catch (error) {
    if (error instanceof DynoError) return error.message;
    throw error;
  }
}
