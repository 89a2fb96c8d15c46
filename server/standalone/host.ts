/** The standalone host's surroundings: where the target and the results are, and who opens and closes them. */
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { LOCAL_TARGET } from '../../common/api/targets';
import { describeProblem, DynoError, inputError } from '../../common/problem';
import { shownAddress, shownAddresses } from '../../common/secrets/address';
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
import { dataFolder } from './data-folder';
import { collectBeside } from './collector/beside';
import type { CollectorFiles } from './collector/files';
import { type AcquiredElasticsearch, acquireElasticsearch } from './elasticsearch/acquire';
import type { Steps } from './start/steps';
import type { Console } from './terminal/console';

/** How the clusters are named on the command line. */
export interface PlaceOptions {
  /** URLs of the target, separated by commas; the embedded Elasticsearch without. */
  elasticsearch?: string;
  /** URLs of the cluster that keeps the results, or `embedded`; the target's without, or the embedded one without either. */
  results?: string;
  /** File of the certificate authority of both. */
  ca?: string;
  /** Accept any certificate. */
  insecure?: boolean;
  /** False keeps the collector away from the embedded Elasticsearch. */
  collector?: boolean;
}

export { dataFolder };

export interface Places {
  target: Connection;
  results: Connection;
  resultsUuid: string;
  writer: ResultsWriter;
  reader: ResultsReader;
  /** What is in use of the embedded Elasticsearch, as the target or for the results; undefined for nothing. */
  embedded: { client: Connection; dataFolder: string; startedHere: boolean } | undefined;
  /** Starts clusters for a run's environments; undefined where the target is not the embedded Elasticsearch. */
  clusters: ClusterStarter | undefined;
  /** Stops what was started here, after everything has been written. */
  close(): Promise<void>;
}

/** What starts clusters for the runs on a target, by its id. */
export const clustersOf = ({ clusters }: Places, target: string): ClusterStarter | undefined =>
  target === LOCAL_TARGET ? clusters : undefined;

/** As `--results`: the embedded Elasticsearch keeps them though the target is another. */
export const EMBEDDED = 'embedded';

/**
 * Allowed targets, `DYNO_ALLOWED_HOSTS`: patterns separated by commas; undefined allows all. Throws a DynoError
 * `command.allowed-hosts` (input) for a pattern that no host can match, such as a URL.
 */
export function allowedHosts(): string[] | undefined {
  const patterns = process.env['DYNO_ALLOWED_HOSTS']
    ?.split(',')
    .map((host) => host.trim())
    .filter(Boolean);
  const wrong = patterns?.find(
    (pattern) => !/^[\w.*-]+(:[\d*]+)?$|^\[[0-9a-f:.*]+\](:[\d*]+)?$/i.test(pattern),
  );
  if (wrong === undefined) return patterns;
  throw inputError('command.allowed-hosts', 'DYNO_ALLOWED_HOSTS', 'this is no pattern of a host', {
    found: shownAddress(wrong),
    allowed:
      'host, host:9200 or *.example.org, separated by commas, without a scheme and without credentials',
  });
}

/** Options as anyone may read them: addresses without what is secret in them. */
export const shownPlaces = <T extends Pick<PlaceOptions, 'elasticsearch' | 'results'>>(options: T): T => ({
  ...options,
  ...(options.elasticsearch === undefined ? {} : { elasticsearch: shownAddresses(options.elasticsearch) }),
  ...(options.results === undefined ? {} : { results: shownAddresses(options.results) }),
});

export const targetUrlsOf = ({ elasticsearch }: PlaceOptions): string | undefined =>
  elasticsearch ?? process.env['DYNO_ELASTICSEARCH'];

/** Undefined where they are kept in the target. */
export const resultsUrlsOf = ({ results }: PlaceOptions): string | undefined =>
  results ?? process.env['DYNO_RESULTS'];

export const isEmbeddedTarget = (options: PlaceOptions): boolean => targetUrlsOf(options) === undefined;

async function readCa(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  let text;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    throw inputError('command.ca', '--ca', 'the file cannot be read', { found: file });
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw inputError('command.ca', '--ca', 'the file contains no certificate in PEM', {
      found: file,
      allowed: 'a file with a line -----BEGIN CERTIFICATE-----',
    });
  return text;
}

/** Secrets come from the environment or the URL, never from an option that others see in the process list. */
const authorization = (variable: string): string | undefined => {
  const key = process.env[variable];
  return key === undefined || key === '' ? undefined : `ApiKey ${key}`;
};

/** How a start is followed and given up. */
export interface StartFollowing {
  steps: Steps;
  /** Aborted to give up: what was started is ended, and the promise rejects with its reason. */
  signal: AbortSignal;
  /** Resolves once the collector is built, or will not be. */
  collectorIsBuilt: Promise<void>;
}

/** Beside the embedded Elasticsearch that is the target. */
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
    folder,
    collect:
      collecting && collector !== false
        ? (watched) => collectBeside({ ...collecting, results, watched, console })
        : undefined,
    console,
  });
}

/** The same failure, which says that it is not the target's. */
const ofResults = (error: unknown): unknown =>
  error instanceof DynoError
    ? new DynoError(
        error.kind,
        error.problems.map((problem) => ({ ...problem, message: `the results cluster: ${problem.message}` })),
        { cause: error },
      )
    : error;

/** The first version that knows `subobjects`, which the mapping of trials needs. */
const KEEPS_RESULTS_FROM = '8.3';

/** Throws a DynoError (input) where a cluster of this version cannot keep results. */
export function checkKeepsResults(version: string, isTarget: boolean): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor = 0, leastMinor = 0] = KEEPS_RESULTS_FROM.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  throw inputError(
    'command.results-version',
    '--results',
    `${isTarget ? 'the target, which would keep the results,' : 'the results cluster'} is Elasticsearch ${version}: it cannot keep results, ` +
      `for their mapping needs subobjects, which Elasticsearch has from ${KEEPS_RESULTS_FROM} on`,
    {
      allowed: `--results (or DYNO_RESULTS) with the URL of a cluster of ${KEEPS_RESULTS_FROM} or later, or --results embedded for the one that Dyno starts`,
    },
  );
}

/** What both clusters are reached with. */
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

/** Of a worker: where its runs are, and how it proves to their targets who it is. */
export interface WorkerPlaces {
  results: Connection;
  /** Rejects addresses that this machine may not load, as a DynoError `target.host-not-allowed` (input). */
  credentials(nodes: readonly string[]): Pick<LoadTarget, 'headers' | 'ca' | 'verifyCertificates'>;
}

/** Rejects with a DynoError (input) where no results cluster is named. */
export async function openWorkerPlaces(options: PlaceOptions): Promise<WorkerPlaces> {
  const given = await connector(options);
  const resultsUrls = resultsUrlsOf(options);
  if (resultsUrls === undefined || resultsUrls === EMBEDDED)
    throw inputError(
      'command.results',
      '--join',
      'a worker must know the cluster that keeps the results of its runs: name its URL with --join or DYNO_RESULTS',
    );
  return {
    results: given(resultsUrls, 'DYNO_RESULTS_API_KEY'),
    credentials: (nodes) => {
      checkAllowedHosts(nodes, allowedHosts());
      // A URL with a user and a password tells them; an API key comes from the environment.
      const target = given(targetUrlsOf(options) ?? nodes[0]!, 'DYNO_TARGET_API_KEY');
      const { headers, ca, verifyCertificates } = target;
      void target.close();
      return { headers: { ...headers }, ca, verifyCertificates };
    },
  };
}

/**
 * Connects to the target and to the cluster that keeps the results; with `collecting`, for a run: the latter is made
 * ready for a collector's events, and the embedded Elasticsearch gets a collector. Rejects with a DynoError, or with the reason
 * for which the start was given up.
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
    const { uuid, version, serverless } = await identifyCluster(results).catch((error: unknown) => {
      throw results === target ? error : ofResults(error);
    });
    if (collecting && !serverless) checkKeepsResults(version, results === target);
    const dead = await checkOneCluster(results).catch((error: unknown) => {
      throw results === target ? error : ofResults(error);
    });
    // Of the target, a run reports them.
    if (results !== target) for (const sentence of dead) console.warn(`the results cluster: ${sentence}`);
    const writer = createResultsWriter({
      client: results,
      // What waits for one cluster must never be stored in another.
      spoolDir: path.join(dataFolder(), 'spool', uuid),
      // Where the data folder's disk is full, these may be on others.
      lastFolders: [process.cwd(), os.tmpdir()],
      onProblem: (problem) => console.warn(describeProblem(problem)),
    });
    opened.push(() => writer.close());
    if (collecting) {
      await following?.collectorIsBuilt;
      following?.signal.throwIfAborted();
      // One that another process has started has its collector from there.
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
      results,
      embedded: ofEmbedded,
      clusters,
      resultsUuid: uuid,
      writer,
      reader: createResultsReader(results),
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
