/** Contents of the *About* page and of the support bundle in the standalone product, for the server and for `dyno support`. */
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { CertificationStatus } from '../../common/api/certification';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { ZIP_TYPE, type Found } from '../../common/api/about';
import {
  certificationOf,
  gatherAbout,
  lookAtCluster,
  lookAtDisks,
  lookAtMachine,
  lookAtPaths,
  lookAtSchedules,
  lookAtSpool,
  ownVersions,
  runsUnderWay,
  type AboutSources,
} from '../host/about/about';
import { corporaFolder } from '../host/files/corpora';
import {
  bundleLines,
  commonParts,
  logPart,
  makeBundle,
  newestFiles,
  type BundlePart,
} from '../host/about/support/bundle';
import { createRedactor, passwordsIn, secretsOf, type Redactor } from '../../common/secrets/redact';
import type { ResultsReader } from '../results/reader';
import type { ScheduleLog } from '../results/schedule-log';
import type { AboutService, ExperimentStore, Services } from '../routes/services';
import { configurationFileOf, logsOf as collectorLogsOf } from './collector/configuration';
import { cacheFolder } from './downloads/cache-folder';
import { configOf, logsOf } from './elasticsearch/node-folder';
import { logsFolder, serverLogOf } from './server-log';
import { SECRET_KEY_FILE } from './store/secret-key';

/**
 * Functions that provide the parts of the page. If one of them throws or rejects, its part shows the reason, and the other parts are not
 * affected.
 */
export interface StandaloneSources {
  version: string;
  dataFolder: string;
  /** Data folder of the embedded Elasticsearch. It is set even if the embedded Elasticsearch is not running. */
  embeddedFolder: string;
  results: () => { client: ElasticsearchClient; urls: readonly string[]; uuid: string | undefined };
  /**
   * The embedded Elasticsearch, or 'none' if it is not in use. `startedHere`: whether this process started it. Otherwise, another process
   * did.
   */
  embedded: () => { client: ElasticsearchClient; startedHere: boolean } | 'none';
  /** Number of this process's documents that wait on disk for the results cluster. */
  spooled: () => number;
  collector: () => Promise<Found<'collector'>>;
  reader: () => Pick<ResultsReader, 'findActiveRuns' | 'listRuns'>;
  experiments: () => Pick<ExperimentStore, 'list'>;
  scheduleLog: () => Pick<ScheduleLog, 'newest'>;
  nextDue: Services['nextDue'];
  certification: () => Promise<CertificationStatus>;
  /** Returns the settings that this process uses. */
  configuration: () => unknown;
  /** Secrets of this process that are not in its environment. */
  secrets: () => readonly string[];
}

const NODES = 8;
const LOGS_OF_NODE = 3;
const LOGS_OF_COLLECTOR = 3;

function sourcesOf(own: StandaloneSources): AboutSources {
  const { version, dataFolder, embeddedFolder } = own;
  return {
    versions: () => ownVersions(version, null),
    results: async () => {
      const { client, urls } = own.results();
      return { url: urls.join(', '), ...(await lookAtCluster(client)) };
    },
    embedded: async () => {
      const embedded = own.embedded();
      if (embedded === 'none') return 'none';
      const { version: known } = await lookAtCluster(embedded.client);
      return { version: known, startedHere: embedded.startedHere };
    },
    spool: () => {
      // The spool is shown even if the results cluster cannot be reached.
      let uuid: string | undefined;
      try {
        ({ uuid } = own.results());
      } catch {
        uuid = undefined;
      }
      return lookAtSpool(spoolFolder(dataFolder), uuid, own.spooled());
    },
    collector: () => own.collector(),
    runs: () => runsUnderWay(own.reader()),
    schedules: () => lookAtSchedules(own.experiments(), own.scheduleLog(), own.nextDue),
    certification: async () => certificationOf(await own.certification()),
    disks: () =>
      lookAtDisks({
        'data folder': dataFolder,
        cache: cacheFolder(),
        elasticsearch: embeddedFolder,
        'temporary files': os.tmpdir(),
      }),
    machine: lookAtMachine,
  };
}

export const spoolFolder = (dataFolder: string): string => path.join(dataFolder, 'spool');

const foldersOf = ({ dataFolder, embeddedFolder }: StandaloneSources): Record<string, string> => ({
  data: dataFolder,
  cache: cacheFolder(),
  spool: spoolFolder(dataFolder),
  logs: logsFolder(dataFolder),
  corpora: corporaFolder(dataFolder),
  elasticsearch: embeddedFolder,
});

/**
 * Returns a redactor. It removes the secrets in the environment and the arguments of this process, its other secrets, and the secret key in
 * the data folder.
 */
async function redactorOf({ secrets, dataFolder }: StandaloneSources): Promise<Redactor> {
  const key = await readFile(path.join(dataFolder, SECRET_KEY_FILE), 'utf8').catch(() => '');
  return createRedactor([
    ...secretsOf(process.env),
    ...process.argv.flatMap(passwordsIn),
    ...secrets(),
    ...(key.trim() === '' ? [] : [key.trim()]),
  ]);
}

/**
 * Returns the logs and the configuration of the embedded Elasticsearch and of the collector that reads its nodes. Missing files are
 * skipped.
 */
async function embeddedParts(folder: string): Promise<BundlePart[]> {
  const parts: BundlePart[] = [];
  for (let number = 1; number <= NODES; number += 1) {
    const node = path.join(folder, `node-${number}`);
    const logs = await newestFiles(logsOf(node), ['.log'], LOGS_OF_NODE);
    if (logs.length === 0) continue;
    const label = `embedded Elasticsearch, node ${number}`;
    parts.push(
      ...logs.map((file) =>
        logPart(`logs/elasticsearch/node-${number}/${path.basename(file)}`, `log of the ${label}`, file),
      ),
      logPart(
        `configuration/elasticsearch-node-${number}.yml`,
        `settings of the ${label}`,
        path.join(configOf(node), 'elasticsearch.yml'),
      ),
    );
  }
  const collector = path.join(folder, 'collector');
  const logs = await newestFiles(collectorLogsOf(collector), ['.ndjson', '.log'], LOGS_OF_COLLECTOR);
  if (logs.length > 0)
    parts.push(
      ...logs.map((file) => logPart(`logs/collector/${path.basename(file)}`, 'log of the collector', file)),
      logPart('configuration/dynobeat.yml', 'settings of the collector', configurationFileOf(collector)),
    );
  return parts;
}

async function partsOf(own: StandaloneSources, look: AboutService['look']): Promise<BundlePart[]> {
  return [
    ...commonParts({
      about: look,
      paths: () => lookAtPaths(foldersOf(own)),
      configuration: () => own.configuration(),
      reader: () => own.reader(),
      spoolFolder: spoolFolder(own.dataFolder),
    }),
    logPart('logs/server.log', 'log of the server', serverLogOf(own.dataFolder)),
    ...(await embeddedParts(own.embeddedFolder)),
  ];
}

export interface StandaloneAbout extends AboutService {
  /** Returns the files of the support bundle, as input for {@link make}. */
  parts(): Promise<BundlePart[]>;
  make(parts: readonly BundlePart[]): ReturnType<typeof makeBundle>;
}

/**
 * Creates the contents of the page. `look`: returns the state of all parts, for example by asking a running server, which knows more than
 * this process. If absent, this process collects the state itself.
 */
export function createAbout(own: StandaloneSources, look?: AboutService['look']): StandaloneAbout {
  const lookHere = async (): ReturnType<AboutService['look']> =>
    gatherAbout('standalone', sourcesOf(own), await redactorOf(own));
  const parts = (): Promise<BundlePart[]> => partsOf(own, look ?? lookHere);
  const make = async (made: readonly BundlePart[]): ReturnType<typeof makeBundle> =>
    makeBundle(made, await redactorOf(own), own);
  return {
    look: look ?? lookHere,
    async paths() {
      return { paths: await lookAtPaths(foldersOf(own)), bundle: bundleLines(await parts()) };
    },
    async bundle() {
      const { fileName, stream } = await make(await parts());
      return { contentType: ZIP_TYPE, fileName, stream };
    },
    parts,
    make,
  };
}

/**
 * Returns the secrets in the headers of a connection: the credentials in the form in which they are sent, and in the form in which the user
 * wrote them.
 */
export const secretsOfHeaders = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).flatMap(([name, value]) => {
    if (name !== 'authorization') return [];
    const [scheme = '', sent = ''] = value.split(' ', 2);
    const written = Buffer.from(sent, 'base64').toString('utf8');
    const secret = written.slice(written.indexOf(':') + 1);
    return scheme === 'Basic' ? [sent, secret] : [sent, ...(written.includes(':') ? [secret] : [])];
  });
