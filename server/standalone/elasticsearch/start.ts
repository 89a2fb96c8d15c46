/** Starts and stops a real cluster of Elasticsearch or OpenSearch on loopback. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { ENGINE_NAMES, type Engine } from '../../../common/elasticsearch/engine';
import { DynoError, inputError, runError } from '../../../common/problem';
import { asDiskError } from '../disk-error';
import { isAlive } from '../../process-life';
import { socketOf } from '../profiler/attach';
import { type Identity, type ServerProcess, startServer } from '../processes/supervisor';
import {
  type Distribution,
  type DistributionKind,
  describeDistribution,
  distributionOf,
} from './distribution';
import { consoleLogOf, explainFailure, readConsoleLog } from './failure';
import { dataFolder, ephemeralFolder } from './folders';
import { defaultHeap, heapForJvm } from './heap';
import { serverIdentity } from './identity';
import { folderOfNode, nodeName, type NodePlan, prepareNodeFolder, type Settings } from './node-folder';
import { NodeWatch, type NodeLoss } from './node-watch';
import { unfollowed, type Steps } from '../start/steps';
import { freePorts, isPortFree, LOOPBACK } from './ports';
import { PRODUCTS } from './products';

export interface ElasticsearchOptions {
  /** Engine of the nodes; `elasticsearch` by default. */
  engine?: Engine;
  /** Number of nodes; 1 by default. */
  nodes?: number;
  /** HTTP port of the first node; by default a free one. The other nodes always use free ports. */
  port?: number;
  /** Heap of each node, such as `512m` or `1g`; see {@link defaultHeap}. */
  heap?: string;
  /** Folder of the cluster's data; see {@link dataFolder} for the default. */
  dataFolder?: string;
  /** Version of the engine. Default: the version in {@link PRODUCTS}. */
  version?: string;
  /**
   * Kind of Elasticsearch's distribution; see `elasticsearchDistribution`. Only a full distribution can open the data that a full
   * distribution has stored.
   */
  kind?: DistributionKind;
  /** Plugins that Dyno adds to the nodes; see `distributionOf`. */
  plugins?: readonly string[] | undefined;
  /** Name of the cluster; `dyno` by default. */
  clusterName?: string;
  /** If this signal aborts, all started nodes are killed, and the start rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Receives each step that takes long. */
  steps?: Steps;
  /** Whether to use a temporary folder, which is removed at the end. For tests. */
  ephemeral?: boolean;
  /** Settings of all nodes, in the notation of elasticsearch.yml or opensearch.yml. */
  settings?: Settings;
  /** Additional settings for each node, in the order of the nodes. */
  nodeSettings?: readonly Settings[];
  /** Attributes (`node.attr.*`) for each node, in the order of the nodes. */
  nodeAttributes?: readonly Readonly<Record<string, string>>[];
}

export interface EmbeddedNode {
  name: string;
  url: string;
  /** Process id of the JVM. */
  pid: number;
}

export interface EmbeddedElasticsearch {
  engine: Engine;
  /** URL of the first node, without a trailing slash. */
  url: string;
  urls: readonly string[];
  nodes: readonly EmbeddedNode[];
  dataFolder: string;
  version: string;
  kind: DistributionKind;
  /** Note for reports about the checksum of the distribution; '' if there is nothing to note. */
  note: string;
  /** Calls `listener` for each node that ends without a call of {@link stop}. Returns a function that removes the listener. */
  onLoss(listener: (loss: NodeLoss) => void): () => void;
  /** Resolves when all nodes have ended unexpectedly, to a sentence about the node that ended last. */
  ended: Promise<string>;
  /** Shuts all nodes down. The nodes finish their shutdown even if this process ends first. */
  stop(): Promise<void>;
  /** Kills nodes with SIGKILL: the node with this index, or all nodes if it is undefined. */
  kill(nodeIndex?: number): Promise<void>;
}

/** Timeout of a start, in ms. It is enough for a busy machine with a slow disk. On two free cores, a start takes about 10 s. */
const START_TIMEOUT_MS = 180_000;
/**
 * Maximum time in s for which a start waits until the existing shards in the data folder are active. After this time, the cluster counts as
 * ready anyway.
 */
const RECOVERY_S = 30;
/** Time in s in which a node may close its shards before it is killed. */
const GRACE_S = 20;
/** Timeout in ms of a request that checks whether a node responds. */
const RESPONSE_MS = 5000;
const CLUSTER_NAME = 'dyno';

/** Returns the JSON of the response if its status is 200; otherwise undefined. */
async function ask<T>(
  url: string,
  path: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<T | undefined> {
  try {
    const { statusCode, body } = await request(url + path, {
      reset: true,
      headersTimeout: timeoutMs,
      signal,
    });
    const answer = (await body.json()) as T;
    return statusCode === 200 ? answer : undefined;
  } catch {
    return undefined;
  }
}

async function planNodes(folder: string, options: ElasticsearchOptions): Promise<NodePlan[]> {
  const { engine = 'elasticsearch', nodes = 1, port, settings, nodeSettings, nodeAttributes } = options;
  if (port !== undefined && !(await isPortFree(port))) {
    throw runError(
      'elasticsearch.port-in-use',
      `port ${port}`,
      'is used by another program; choose another port',
    );
  }
  const existing = (await readdir(folder)).filter((name) => /^node-\d+$/.test(name)).length;
  if (existing > nodes) {
    // With fewer nodes than before, shards would be missing, and possibly the majority of the votes.
    throw inputError('elasticsearch.nodes', 'nodes', `the data in ${folder} belongs to ${existing} nodes`, {
      found: String(nodes),
      allowed: `${existing} or more, or another data folder`,
    });
  }
  const heap = heapForJvm(options.heap ?? defaultHeap(nodes));
  const free = (await freePorts(2 * nodes + 1)).filter((each) => each !== port);
  const transportPorts = free.splice(0, nodes);
  return transportPorts.map((transportPort, i) => ({
    product: PRODUCTS[engine],
    name: nodeName(i + 1),
    folder: folderOfNode(folder, nodeName(i + 1)),
    clusterName: options.clusterName ?? CLUSTER_NAME,
    httpPort: (i === 0 ? port : undefined) ?? free[i]!,
    transportPort,
    transportPorts,
    heap,
    founds: i === 0,
    settings: {
      ...settings,
      ...nodeSettings?.[i],
      ...Object.fromEntries(
        Object.entries(nodeAttributes?.[i] ?? {}).map(([name, value]) => [`node.attr.${name}`, value]),
      ),
    },
  }));
}

async function launch(
  plan: NodePlan,
  distribution: Distribution,
  identity: Identity | undefined,
): Promise<ServerProcess> {
  await prepareNodeFolder(plan, distribution.home, identity);
  const { command, cwd, env } = await PRODUCTS[distribution.engine].launch(
    distribution,
    plan.folder,
    identity,
  );
  return startServer({
    command,
    cwd,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LANG: 'C.UTF-8', HOSTNAME: plan.name, ...env },
    logFile: consoleLogOf(plan.folder),
    identity,
    graceS: GRACE_S,
  });
}

const urlOf = (plan: NodePlan): string => `http://${LOOPBACK}:${plan.httpPort}`;

/** Returns the nodes that do not respond. */
async function silentOf(plans: readonly NodePlan[]): Promise<NodePlan[]> {
  const answers = await Promise.all(plans.map((plan) => responds(urlOf(plan))));
  return plans.filter((_, i) => !answers[i]);
}

/**
 * Resolves when all nodes have joined the cluster and respond, and the cluster has no pending tasks. Rejects if a node's process ends
 * before, or after {@link START_TIMEOUT_MS}.
 */
async function untilReady(
  plans: readonly NodePlan[],
  processes: readonly ServerProcess[],
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<EmbeddedNode[]> {
  const url = urlOf(plans[0]!);
  const deadline = performance.now() + START_TIMEOUT_MS;
  const joined = `/_cluster/health?wait_for_nodes=${plans.length}&wait_for_events=languid&timeout=5s`;
  for (;;) {
    signal?.throwIfAborted();
    const ended = processes.findIndex(({ exited }) => exited);
    if (ended !== -1 || performance.now() > deadline) {
      const silent = ended === -1 ? await silentOf(plans) : [];
      const { name, folder } = silent[0] ?? plans[Math.max(ended, 0)]!;
      const situation =
        ended === -1
          ? `the cluster was not ready within ${START_TIMEOUT_MS / 1000} s${
              silent.length === 0 ? '' : `: ${silent.map((plan) => plan.name).join(', ')} did not answer`
            }`
          : `the node ${name} did not start`;
      throw explainFailure(await readConsoleLog(folder), folder, situation, engine);
    }
    const health = await ask<{ timed_out: boolean }>(url, joined, 10_000, signal);
    // A node joins the cluster before its own HTTP port is open.
    if (health?.timed_out === false && (await silentOf(plans)).length === 0) break;
    await sleep(100);
  }
  await ask(
    url,
    `/_cluster/health?wait_for_status=yellow&timeout=${RECOVERY_S}s`,
    (RECOVERY_S + 5) * 1000,
    signal,
  );
  signal?.throwIfAborted();
  type NodesAnswer = { nodes: Record<string, { name: string; process: { id: number } }> };
  const answer = await ask<NodesAnswer>(url, '/_nodes/process', 10_000);
  const pids = new Map(Object.values(answer?.nodes ?? {}).map((node) => [node.name, node.process.id]));
  return plans.map((plan) => ({ name: plan.name, url: urlOf(plan), pid: pids.get(plan.name) ?? 0 }));
}

/** Returns whether a node responds, with any status. A node that knows no master responds with an error, but is not hung. */
const responds = (url: string): Promise<boolean> =>
  request(url, { reset: true, headersTimeout: RESPONSE_MS, bodyTimeout: RESPONSE_MS }).then(
    async ({ body }) => {
      await body.dump();
      return true;
    },
    () => false,
  );

/**
 * Returns a phrase with the exit code of the node, such as `with code 137`. The supervisor has written the code to the node's console log;
 * '' if the log does not contain it.
 */
async function codeOf({ folder }: NodePlan): Promise<string> {
  const code = /^dyno: the server ended with code (\d+)$/m.exec(await readConsoleLog(folder))?.[1];
  return code === undefined ? '' : `with code ${code}`;
}

/** Waits until the processes have ended. A killed JVM needs some time for this, because it first frees its memory. */
async function untilDead(nodes: readonly EmbeddedNode[]): Promise<void> {
  while (nodes.some(({ pid }) => pid > 0 && isAlive(pid))) await sleep(20);
}

const kindFile = (folder: string): string => join(folder, 'distribution');

/**
 * Returns the kind of distribution to start on the data in `folder`; undefined if any kind is possible. If a full distribution has written
 * the data, a reduced one may lack necessary modules. If `reduced` is nevertheless requested, throws an input error
 * `elasticsearch.distribution`.
 */
async function kindFor(
  folder: string,
  asked: DistributionKind | undefined,
): Promise<DistributionKind | undefined> {
  const stored = (await readFile(kindFile(folder), 'utf8').catch(() => '')).trim();
  if (stored !== 'full') return asked;
  if (asked !== 'reduced') return 'full';
  throw inputError(
    'elasticsearch.distribution',
    '--distribution',
    `the data in ${folder} is that of a full one`,
    {
      found: asked,
      allowed: 'full, or another data folder',
    },
  );
}

async function startIn(
  folder: string,
  options: ElasticsearchOptions,
  identity: Identity | undefined,
): Promise<EmbeddedElasticsearch> {
  const { engine = 'elasticsearch', version, plugins, signal, steps } = options;
  const kind = await kindFor(folder, options.kind);
  const distribution = await distributionOf(engine, identity, { version, kind, plugins, signal, steps });
  const plans = await planNodes(folder, options);
  const processes: ServerProcess[] = [];
  const stopAll = (): Promise<unknown> => Promise.all(processes.map((process) => process.stop()));
  const cleanUp = async (): Promise<void> => {
    if (options.ephemeral) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const startNodes = async (): Promise<EmbeddedNode[]> => {
    for (const plan of plans) {
      signal?.throwIfAborted();
      processes.push(await launch(plan, distribution, identity));
    }
    return await untilReady(plans, processes, engine, signal);
  };
  if (distribution.kind === 'full') await writeFile(kindFile(folder), 'full\n');
  let nodes: EmbeddedNode[];
  try {
    nodes = await (steps ?? unfollowed).carry(
      { doing: `Starting ${ENGINE_NAMES[engine]}`, done: describeDistribution(distribution) },
      startNodes,
    );
  } catch (error) {
    await Promise.all(processes.map((process) => process.kill()));
    throw error instanceof DynoError || signal?.aborted ? error : asDiskError(error, folder);
  }
  const watch = new NodeWatch(
    nodes.map(({ name, url }, i) => ({
      name,
      exit: processes[i]!.exit,
      answers: () => responds(url),
      kill: () => processes[i]!.kill(),
      lastWords: () => codeOf(plans[i]!),
    })),
  );
  return {
    engine,
    url: nodes[0]!.url,
    urls: nodes.map(({ url }) => url),
    nodes,
    dataFolder: folder,
    version: distribution.version,
    kind: distribution.kind,
    note: distribution.note,
    onLoss: (listener) => watch.onLoss(listener),
    ended: watch.ended,
    async stop() {
      watch.stop();
      await stopAll();
      await untilDead(nodes);
      await cleanUp();
    },
    async kill(nodeIndex) {
      if (nodeIndex === undefined) watch.stop();
      const killed = nodeIndex === undefined ? processes : [processes[nodeIndex]!];
      await Promise.all(killed.map((process) => process.kill()));
      const gone = nodeIndex === undefined ? nodes : [nodes[nodeIndex]!];
      await untilDead(gone);
      // A JVM removes its socket only if it ends in an orderly way. Elasticsearch 9 and the profiler open this socket.
      for (const { pid } of gone) await rm(socketOf(pid), { force: true });
    },
  };
}

/**
 * Starts a cluster. Resolves when all its nodes respond. The cluster ends after a call of `stop()`, or when this process ends. Rejects with
 * a DynoError: `java.*`, `download.*`, `disk.*`, `elasticsearch.*`.
 */
export async function startCluster(options: ElasticsearchOptions = {}): Promise<EmbeddedElasticsearch> {
  const identity = serverIdentity();
  const folder = options.ephemeral
    ? await ephemeralFolder(identity)
    : (await dataFolder(options.dataFolder, identity)).folder;
  try {
    return await startIn(folder, options, identity).catch((error: unknown) => {
      // The start is repeated if another program has taken one of the free ports before the node used it.
      const again =
        error instanceof DynoError &&
        error.code === 'elasticsearch.port-in-use' &&
        options.port === undefined;
      if (!again) throw error;
      return startIn(folder, options, identity);
    });
  } catch (error) {
    if (options.ephemeral) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Starts a cluster of Elasticsearch as {@link startCluster} does. */
export const startElasticsearch = (
  options: Omit<ElasticsearchOptions, 'engine'> = {},
): Promise<EmbeddedElasticsearch> => startCluster(options);
