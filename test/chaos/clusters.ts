/** The clusters of a run: its target, which is Elasticsearch or OpenSearch, and the Elasticsearch that stores its results. */
import { ENGINE_NAMES, type Engine } from '../../common/elasticsearch/engine';
import { startCluster, type EmbeddedElasticsearch } from '../../server/standalone/elasticsearch/start';
import { ask } from './ask';

/** URLs of the clusters of a run, which may be the same cluster. Only one run at a time uses them. */
export interface Clusters {
  target: string;
  results: string;
}

export interface ClusterOptions {
  /** Engine of the target. */
  engine: Engine;
  /** URL of an existing target. Without it, a target is started. */
  target: string | undefined;
  /** URL of an existing cluster for results. Used only if the results are not stored in the target. */
  results: string | undefined;
  /** Whether separate processes generate the load of some runs. Such runs need a separate cluster for their results. */
  isInSeats: boolean;
}

const started: EmbeddedElasticsearch[] = [];

async function start(engine: Engine): Promise<string> {
  const cluster = await startCluster({
    engine,
    ephemeral: true,
    heap: '512m',
    settings: { 'action.auto_create_index': true },
  });
  started.push(cluster);
  return cluster.url;
}

/** Returns the clusters on which runs are executed one after the other. Starts those that do not exist yet. */
export async function clustersOfLane(options: ClusterOptions): Promise<Clusters> {
  const { engine, isInSeats } = options;
  const isSeparate = isInSeats || engine !== 'elasticsearch';
  const target = options.target ?? (await start(engine));
  return { target, results: isSeparate ? (options.results ?? (await start('elasticsearch'))) : target };
}

/** Stops the clusters that {@link clustersOfLane} started. */
export const stopClusters = async (): Promise<void> =>
  void (await Promise.all(started.map((cluster) => cluster.stop())));

/** Returns the engine and the version of a cluster, as the cluster reports them. */
async function identify(url: string): Promise<{ engine: Engine; shown: string }> {
  const { version } = await ask<{ version: { number: string; distribution?: string } }>(url);
  const engine = version.distribution === 'opensearch' ? 'opensearch' : 'elasticsearch';
  return { engine, shown: `${ENGINE_NAMES[engine]} ${version.number}` };
}

/**
 * Describes the clusters in one line, with the versions that they report. Throws an error if the engine of the target is not `expected`.
 */
export async function describeClusters({ target, results }: Clusters, expected: Engine): Promise<string> {
  const found = await identify(target);
  if (found.engine !== expected)
    throw new Error(`the target ${target} is ${found.shown}: use --engine ${found.engine}`);
  return `target: ${found.shown}, results: ${results === target ? 'in the target' : (await identify(results)).shown}`;
}
