/**
 * Starts the clusters that a run needs, for example with different versions of Elasticsearch. Only one cluster runs at a time, and each has
 * a new data folder.
 */
import { engineWithVersion } from '../../../common/elasticsearch/engine';
import {
  allNodes,
  attributesOfNodes,
  describeCluster,
  type RequestedCluster,
} from '../../../common/experiment/requested-cluster';
import { messageOf } from '../../../common/problem';
import type { ClusterStarter, Following, RunCluster } from '../../target-cluster/cluster-starter';
import { Connection } from '../../target-cluster/connection';
import type { Collector } from '../collector/start';
import { type DistributionKind, distributionOf } from '../elasticsearch/distribution';
import { jvmSize } from '../elasticsearch/heap';
import { serverIdentity } from '../elasticsearch/identity';
import type { Settings } from '../elasticsearch/node-folder';
import { PRODUCTS } from '../elasticsearch/products';
import { startCluster, type EmbeddedElasticsearch } from '../elasticsearch/start';
import { createNodeProfiler } from '../profiler/profiler';
import type { Console } from '../terminal/console';
import { newClusterFolder, removeFolder } from './folders';
import { checkMemory, checkThreads } from './memory';

/**
 * Name of the started clusters. It differs from the name of the embedded cluster, because Elasticsearch nodes join nodes with the same
 * cluster name.
 */
const CLUSTER_NAME = 'dyno-under-test';

export interface StarterOptions {
  /**
   * UUID of the embedded cluster on the same machine. A cluster that Dyno starts for a run takes CPU time from the embedded cluster. Until
   * this run has ended, no other run measures the embedded cluster.
   */
  beside: string;
  /** Data folder of the embedded cluster with the UUID `beside`. */
  dataFolder: string;
  /** Process ids of the nodes of this cluster. */
  nodePids: readonly number[];
  /** Distribution of Elasticsearch for clusters that request none; undefined to let Dyno choose. */
  kind?: DistributionKind;
  /** Folder that contains the data folders of all started clusters. */
  folder: string;
  /** Starts a collector (dynobeat) for the nodes of one cluster; undefined if no collector is wanted. */
  collect: ((watched: EmbeddedElasticsearch) => Promise<Collector | undefined>) | undefined;
  console: Pick<Console, 'warn'>;
}

export const createClusterStarter = (options: StarterOptions): ClusterStarter => ({
  beside: options.beside,
  dataFolder: options.dataFolder,
  profiler: createNodeProfiler({ dataFolder: options.dataFolder, pids: options.nodePids }),
  async prepare(run, requested, following) {
    checkThreads(requested);
    checkMemory(run, requested);
    const distinct = new Map(
      requested.map((one) => [
        `${one.engine} ${one.version} ${one.distribution} ${one.plugins?.join()}`,
        one,
      ]),
    );
    for (const one of distinct.values()) await bring(one, options.kind, following);
  },
  start: (requested, following) => start(options, requested, following),
});

/**
 * Downloads and unpacks a distribution of the requested engine, unless it is in the cache. `usual`: distribution for clusters that do not
 * request one. If undefined, Dyno chooses.
 */
async function bring(
  { engine = 'elasticsearch', version, distribution, plugins }: RequestedCluster,
  usual: DistributionKind | undefined,
  { signal, onStep }: Following,
): Promise<void> {
  const own = { engine, version: version ?? PRODUCTS[engine].version };
  let shownStep = '';
  await distributionOf(engine, serverIdentity(), {
    version: own.version,
    kind: distribution ?? usual,
    plugins,
    signal,
    onProgress: (done, total) => {
      const percent = total === undefined ? '' : `: ${Math.floor((10 * done) / total) * 10}%`;
      const step = `downloads ${engineWithVersion(own)}${percent}`;
      if (step !== shownStep) onStep(step);
      shownStep = step;
    },
  });
}

async function start(
  { folder: root, kind, collect, console }: StarterOptions,
  requested: RequestedCluster,
  { signal, onStep }: Following,
): Promise<RunCluster> {
  signal.throwIfAborted();
  const { engine = 'elasticsearch', nodes, heapBytes, attribute, settings, plugins } = requested;
  const version = requested.version ?? PRODUCTS[engine].version;
  const all = allNodes(requested);
  onStep(`starts ${describeCluster({ ...requested, version })}`);
  const folder = await newClusterFolder(root);
  try {
    const cluster = await startCluster({
      engine,
      nodes: all,
      // The last nodes hold no data and cannot become master.
      nodeSettings: Array.from({ length: all }, (_, at): Settings =>
        at < nodes ? {} : { 'node.roles': [] },
      ),
      heap: jvmSize(heapBytes),
      ...(settings ? { settings } : {}),
      ...(attribute ? { nodeAttributes: attributesOfNodes(attribute, nodes) } : {}),
      version,
      kind: requested.distribution ?? kind,
      plugins,
      clusterName: CLUSTER_NAME,
      dataFolder: folder,
      signal,
    });
    const collector = await collect?.(cluster);
    const connection = new Connection({ hosts: all > nodes ? cluster.urls.slice(nodes) : cluster.urls });
    return {
      connection,
      dataFolder: cluster.dataFolder,
      profiler: createNodeProfiler({
        dataFolder: cluster.dataFolder,
        pids: cluster.nodes.map(({ pid }) => pid),
      }),
      requested: { engine, nodes: all, heapBytes, version },
      notes: [
        collect && !collector ? 'no collector reads the nodes of the cluster under test' : '',
        cluster.note,
      ].filter(Boolean),
      onLoss: (listener) => cluster.onLoss(({ message }) => listener(message)),
      async end() {
        try {
          await connection.close();
          await collector?.stop();
          // The data of the cluster is deleted, so an orderly shutdown is not needed.
          await cluster.kill();
          await removeFolder(folder);
        } catch (error) {
          console.warn(`the cluster under test left data in ${folder}: ${messageOf(error)}`);
        }
      },
    };
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}
