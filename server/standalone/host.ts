/** Opens and closes the clusters that the standalone server and commands use: the target and the cluster that stores the results. */
import os from 'node:os';
import path from 'node:path';
import { LOCAL_TARGET } from '../../common/api/targets';
import { ENGINES, ENGINE_NAMES, engineWithVersion, type Engine } from '../../common/elasticsearch/engine';
import { describeProblem, DynoError, inputError } from '../../common/problem';
import { shownAddresses } from '../../common/secrets/address';
import type { LoadTarget } from '../load/contract';
import { createResultsReader, type ResultsReader } from '../results/reader';
import { createResultsWriter, type ResultsWriter } from '../results/writer';
import { identifyCluster } from '../target-cluster/cluster';
import type { ClusterStarter } from '../target-cluster/cluster-starter';
import { Connection } from '../target-cluster/connection';
import { checkAllowedHosts } from '../target-cluster/guard-rails';
import { parseHosts } from '../target-cluster/hosts';
import { checkOneCluster } from '../target-cluster/one-cluster';
import { removeAbandoned } from './clusters/folders';
import { createClusterStarter } from './clusters/starter';
import { allowedHosts, readCa } from './connection-settings';
import { dataFolder } from './data-folder';
import { collectBeside } from './collector/beside';
import type { CollectorFiles } from './collector/files';
import { type AcquiredElasticsearch, acquireElasticsearch } from './elasticsearch/acquire';
import type { DistributionKind } from './elasticsearch/distribution';
import type { Steps } from './start/steps';
import type { Console } from './terminal/console';

/** Options of the command line for clusters. */
export interface PlaceOptions {
  /** URLs of the target, separated by commas. Default: the embedded Elasticsearch. */
  elasticsearch?: string;
  /** URLs of the cluster from which a run copies documents (`preload.from-target`). */
  fromTarget?: string;
  /** URLs of the cluster that stores the results, or `embedded`. Default: the target. */
  results?: string;
  /** File with the certificate authority of both clusters. */
  ca?: string;
  /** Whether any certificate of the target and of the results cluster is accepted. */
  insecure?: boolean;
  /** Distribution of the embedded Elasticsearch. */
  distribution?: DistributionKind;
  /** Whether to start a collector (dynobeat), which reads the metrics of nodes, for the embedded Elasticsearch. Default: true. */
  collector?: boolean;
}

export { allowedHosts, dataFolder };

export interface Places {
  target: Connection;
  /** Connects to the cluster that `preload.from-target` names. The caller closes the connection. Rejects with an input error. */
  connectSource(name: string): Promise<Connection>;
  results: Connection;
  resultsUuid: string;
  writer: ResultsWriter;
  reader: ResultsReader;
  /**
   * The embedded Elasticsearch. Undefined if it is neither the target nor the results cluster. `startedHere`: whether this process started
   * it. Otherwise, another process did.
   */
  embedded: { client: Connection; dataFolder: string; startedHere: boolean } | undefined;
  /**
   * Starts the clusters that a run measures, for example with different versions or numbers of nodes. Undefined if the target is not the
   * embedded Elasticsearch.
   */
  clusters: ClusterStarter | undefined;
  /** Writes all pending results, then stops everything that {@link openPlaces} started. */
  close(): Promise<void>;
}

/**
 * Returns the object that starts clusters for the runs on a target. Undefined if Dyno does not start clusters for this target. `target`: id
 * of the target.
 */
export const clustersOf = ({ clusters }: Places, target: string): ClusterStarter | undefined =>
  target === LOCAL_TARGET ? clusters : undefined;

/** Value of `--results` that stores the results in the embedded Elasticsearch, even if the target is another cluster. */
export const EMBEDDED = 'embedded';

/** Returns the options without the secrets in their addresses, for display. */
export const shownPlaces = <T extends Pick<PlaceOptions, 'elasticsearch' | 'results'>>(options: T): T => ({
  ...options,
  ...(options.elasticsearch === undefined ? {} : { elasticsearch: shownAddresses(options.elasticsearch) }),
  ...(options.results === undefined ? {} : { results: shownAddresses(options.results) }),
});

export const targetUrlsOf = ({ elasticsearch }: PlaceOptions): string | undefined =>
  elasticsearch ?? process.env['DYNO_ELASTICSEARCH'];

/** Returns the URLs of the results cluster from the options or the environment; undefined if the target stores the results. */
export const resultsUrlsOf = ({ results }: PlaceOptions): string | undefined =>
  results ?? process.env['DYNO_RESULTS'];

export const isEmbeddedTarget = (options: PlaceOptions): boolean => targetUrlsOf(options) === undefined;

/**
 * Reads an API key from an environment variable. Returns the value of an `Authorization` header; undefined if the variable is not set.
 * There is no option for secrets, because other users can see the options in the process list.
 */
const authorization = (variable: string): string | undefined => {
  const key = process.env[variable];
  return key === undefined || key === '' ? undefined : `ApiKey ${key}`;
};

/** Options to watch the progress of a start and to abort it. */
export interface StartFollowing {
  steps: Steps;
  /** If this signal aborts, everything that was started is stopped, and the start rejects with the signal's reason. */
  signal: AbortSignal;
  /** Resolves when the build of the collector's binary has succeeded or failed. */
  collectorIsBuilt: Promise<void>;
}

/** Creates the object that starts clusters for runs. They run on the machine of the embedded Elasticsearch, which is the target. */
async function clusterStarter(
  target: Connection,
  results: Connection,
  embedded: AcquiredElasticsearch,
  { collector }: PlaceOptions,
  console: Console,
  collecting: CollectorFiles | undefined,
): Promise<ClusterStarter> {
  const folder = path.join(dataFolder(), 'clusters');
  await removeAbandoned(folder, console.warn);
  return createClusterStarter({
    beside: (await identifyCluster(target)).uuid,
    dataFolder: embedded.dataFolder,
    nodePids: embedded.nodePids,
    folder,
    kind: embedded.kind === 'full' ? 'full' : undefined,
    collect:
      collecting && collector !== false
        ? (watched) => collectBeside({ ...collecting, results, watched, console })
        : undefined,
    console,
  });
}

/**
 * Returns a DynoError whose messages begin with "the results cluster", to distinguish it from an error of the target. Returns other errors
 * unchanged.
 */
const ofResults = (error: unknown): unknown =>
  error instanceof DynoError
    ? new DynoError(
        error.kind,
        error.problems.map((problem) => ({ ...problem, message: `the results cluster: ${problem.message}` })),
        { cause: error },
      )
    : error;

/**
 * For each engine: the first version that can store Dyno's results, and the Elasticsearch or OpenSearch feature for which the mapping of
 * trials needs this version.
 */
const KEEPS_RESULTS: Readonly<Record<Engine, { from: string; feature: string }>> = {
  elasticsearch: { from: '8.3', feature: 'subobjects' },
  opensearch: { from: '2.7', feature: 'flat_object' },
};

/**
 * Throws an input error if a cluster of this engine and version cannot store results. `isTarget`: whether the cluster is also the target;
 * the error message then says so.
 */
export function checkKeepsResults(cluster: { engine: Engine; version: string }, isTarget: boolean): void {
  const { from, feature } = KEEPS_RESULTS[cluster.engine];
  const [major = 0, minor = 0] = cluster.version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = from.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  const allowed = ENGINES.map((engine) => `${ENGINE_NAMES[engine]} ${KEEPS_RESULTS[engine].from}`).join(
    ' or ',
  );
  throw inputError(
    'command.results-version',
    '--results',
    `${isTarget ? 'the target, which would store the results,' : 'the results cluster'} is ${engineWithVersion(cluster)}: it cannot store results, ` +
      `because their mapping needs ${feature}, which ${ENGINE_NAMES[cluster.engine]} supports since ${from}`,
    {
      allowed: `--results (or DYNO_RESULTS) with the URL of a cluster of ${allowed} or later, or --results embedded for the one that Dyno starts`,
    },
  );
}

/**
 * Returns a function that connects to a cluster, for example the target or the results cluster. `keyVariable`: environment variable with
 * the API key.
 */
export async function connector(
  options: Pick<PlaceOptions, 'ca' | 'insecure'>,
): Promise<(urls: string, keyVariable: string) => Connection> {
  const tls = { ca: await readCa(options.ca), verifyCertificates: options.insecure !== true };
  return (urls, keyVariable) =>
    new Connection({
      hosts: parseHosts(urls),
      authorization: authorization(keyVariable),
      allowedHosts: allowedHosts(),
      ...tls,
    });
}

/**
 * Returns a function that connects to the cluster that `preload.from-target` names. The function rejects a second name, because the option
 * `--from-target` contains the address of only one cluster.
 */
function sourceConnector(
  options: PlaceOptions,
  given: Awaited<ReturnType<typeof connector>>,
  target: Connection,
): Places['connectSource'] {
  let known: string | undefined;
  return async (name) => {
    if (name === LOCAL_TARGET) return target.to(target.urls);
    const urls = options.fromTarget ?? process.env['DYNO_FROM_TARGET'];
    if (urls === undefined)
      throw inputError(
        'command.from-target',
        '--from-target',
        'preload.from-target needs the address of a cluster',
        {
          found: name,
          allowed: '--from-target (or DYNO_FROM_TARGET) with the URL of this cluster',
        },
      );
    known ??= name;
    if (known !== name)
      throw inputError(
        'command.from-target',
        'preload.from-target',
        'names several clusters, and --from-target is one',
        {
          found: `${known}, ${name}`,
          allowed: 'one name, or a run of the server, which stores targets',
        },
      );
    return given(urls, 'DYNO_FROM_TARGET_API_KEY');
  };
}

/** Connections and credentials of a worker. A worker is a machine that generates load for runs that other machines execute. */
export interface WorkerPlaces {
  results: Connection;
  /**
   * Returns the credentials for the targets with these addresses. Throws an input error `target.host-not-allowed` for addresses to which
   * this machine may not send load.
   */
  credentials(nodes: readonly string[]): Pick<LoadTarget, 'headers' | 'ca' | 'verifyCertificates'>;
}

/** Connects a worker to the results cluster. Rejects with an input error if the options name no results cluster. */
export async function openWorkerPlaces(options: PlaceOptions): Promise<WorkerPlaces> {
  const given = await connector(options);
  const resultsUrls = resultsUrlsOf(options);
  if (resultsUrls === undefined || resultsUrls === EMBEDDED)
    throw inputError(
      'command.results',
      '--join',
      'a worker needs the cluster that stores the results of its runs: set its URL with --join or DYNO_RESULTS',
    );
  return {
    results: given(resultsUrls, 'DYNO_RESULTS_API_KEY'),
    credentials: (nodes) => {
      checkAllowedHosts(nodes, allowedHosts());
      // User and password come from the URL, an API key from the environment.
      const target = given(targetUrlsOf(options) ?? nodes[0]!, 'DYNO_TARGET_API_KEY');
      const { headers, ca, verifyCertificates } = target;
      void target.close();
      return { headers: { ...headers }, ca, verifyCertificates };
    },
  };
}

/**
 * Connects to the target and to the cluster that stores the results. `collecting`: paths of the collector's files, for commands that
 * execute runs. With these paths, installs the index template of the collector's events, and starts a collector for the embedded
 * Elasticsearch. Rejects with a DynoError, or with the reason of `following.signal`.
 */
export async function openPlaces(
  options: PlaceOptions,
  console: Console,
  collecting?: CollectorFiles,
  following?: StartFollowing,
): Promise<Places> {
  const given = await connector(options);
  const opened: (() => Promise<void>)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of opened.reverse()) await close();
  };
  try {
    const targetUrls = targetUrlsOf(options);
    const resultsUrls = resultsUrlsOf(options);
    let target = targetUrls === undefined ? undefined : given(targetUrls, 'DYNO_TARGET_API_KEY');
    let isTarget = false;
    const inEmbedded = resultsUrls === EMBEDDED;
    let results =
      resultsUrls === undefined || inEmbedded ? undefined : given(resultsUrls, 'DYNO_RESULTS_API_KEY');
    let embedded: AcquiredElasticsearch | undefined;
    let ofEmbedded: Places['embedded'];
    if (!target || inEmbedded) {
      embedded = await acquireElasticsearch({
        dataFolder: path.join(dataFolder(), 'elasticsearch'),
        kind: options.distribution,
        say: console.say,
        steps: following?.steps,
        signal: following?.signal,
      });
      opened.push(embedded.stop);
      const own = new Connection({ hosts: [embedded.url] });
      const { dataFolder: folder, started } = embedded;
      ofEmbedded = { client: own, dataFolder: folder, startedHere: started !== undefined };
      if (inEmbedded) results = own;
      isTarget = target === undefined;
      target ??= own;
    }
    results ??= target;
    const connections = new Set([target, results]);
    opened.push(async () => {
      for (const connection of connections) await connection.close();
    });
    const stores = await identifyCluster(results).catch((error: unknown) => {
      throw results === target ? error : ofResults(error);
    });
    if (collecting && !stores.serverless) checkKeepsResults(stores, results === target);
    const dead = await checkOneCluster(results).catch((error: unknown) => {
      throw results === target ? error : ofResults(error);
    });
    // Warnings about the target are not printed here, because runs report them.
    if (results !== target) for (const sentence of dead) console.warn(`the results cluster: ${sentence}`);
    const writer = createResultsWriter({
      client: results,
      // Each cluster has its own folder, so that spooled documents are never stored in another cluster.
      spoolDir: path.join(dataFolder(), 'spool', stores.uuid),
      // Folders that are tried last, if the disk of the data folder is full. They may be on other disks.
      lastFolders: [process.cwd(), os.tmpdir()],
      onProblem: (problem) => console.warn(describeProblem(problem)),
    });
    opened.push(() => writer.close());
    if (collecting) {
      await following?.collectorIsBuilt;
      following?.signal.throwIfAborted();
      // If another process has started the cluster, that process has also started a collector.
      const watched = options.collector !== false && isTarget && embedded?.started ? embedded : undefined;
      const collector = await collectBeside({ ...collecting, results, watched, console });
      if (collector) opened.push(collector.stop);
    }
    const clusters =
      isTarget && embedded
        ? await clusterStarter(target, results, embedded, options, console, collecting)
        : undefined;
    return {
      target,
      connectSource: sourceConnector(options, given, target),
      results,
      embedded: ofEmbedded,
      clusters,
      resultsUuid: stores.uuid,
      writer,
      reader: createResultsReader(results),
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
