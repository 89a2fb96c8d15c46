/**
 * `dyno support`: writes a support bundle, which is a zip without secrets. The command starts nothing. It works even if the server or a
 * cluster does not.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { request } from 'undici';
import { aboutSchema, type About } from '../../../common/api/about';
import { DynoError, inputError, messageOf, runError } from '../../../common/problem';
import { formatBytes } from '../../../common/units/format';
import { keptCertification } from '../../certify/kept';
import { aboutText, bundleLines, bundleName } from '../../host/about/support/bundle';
import { createResultsReader } from '../../results/reader';
import { createScheduleLog } from '../../results/schedule-log';
import { listCollectors } from '../../results/collector-list';
import { nextDue } from '../../run/queue/queue';
import { discoverCluster } from '../../target-cluster/cluster';
import { Connection } from '../../target-cluster/connection';
import { writeWhole } from '../../whole-file';
import { createAbout, secretsOfHeaders } from '../about';
import { asDiskError } from '../disk-error';
import { findElasticsearch } from '../elasticsearch/acquire';
import { knownDataFolder } from '../elasticsearch/folders';
import {
  allowedHosts,
  connector,
  dataFolder,
  EMBEDDED,
  resultsUrlsOf,
  shownPlaces,
  targetUrlsOf,
  type PlaceOptions,
} from '../host';
import { readServing } from '../server-lock';
import { createExperimentStore } from '../store/experiments';
import type { Console } from '../terminal/console';
import type { CommandContext } from './run';

export interface SupportOptions extends Pick<PlaceOptions, 'elasticsearch' | 'results' | 'ca' | 'insecure'> {
  /** Path of the bundle. Default: `dyno-support-DATE.zip` in the current folder. */
  file?: string;
  /** Whether to show only the health and the list of the bundle's contents, without writing the bundle. */
  list?: boolean;
}

/** Timeout of a request to the running server, in ms. */
const SERVER_MS = 10_000;

/** Asks the running server of this data folder for the health of all parts of Dyno. Undefined if no server responds. */
async function askServer(folder: string, console: Pick<Console, 'say'>): Promise<About | undefined> {
  const url = await readServing(folder);
  if (url === undefined) return undefined;
  const password = process.env['DYNO_PASSWORD'];
  try {
    const { statusCode, body } = await request(`${url}/api/dyno/about`, {
      headers: password ? { authorization: `Bearer ${password}` } : {},
      headersTimeout: SERVER_MS,
      bodyTimeout: SERVER_MS,
    });
    const answer = await body.json();
    if (statusCode !== 200) throw new Error(`it answers ${statusCode}`);
    return aboutSchema.parse(answer);
  } catch (error) {
    console.say(
      `the server at ${url} does not report its health (${messageOf(error)}): this command checks it instead`,
    );
    return undefined;
  }
}

interface Reached {
  client: Connection;
  uuid: string | undefined;
  embedded: boolean;
}

/** Connects to the results cluster without starting anything. Throws with the reason if there is no results cluster. */
async function reach(options: SupportOptions, embeddedFolder: string): Promise<Reached> {
  const named = resultsUrlsOf(options) ?? targetUrlsOf(options);
  let client: Connection;
  const isNamed = named !== undefined && named !== EMBEDDED;
  if (isNamed) {
    const variable = resultsUrlsOf(options) === undefined ? 'DYNO_TARGET_API_KEY' : 'DYNO_RESULTS_API_KEY';
    client = (await connector(options))(named, variable);
  } else {
    const urls = await findElasticsearch(embeddedFolder);
    if (urls === undefined)
      throw runError(
        'support.results',
        '',
        'the embedded Elasticsearch is not running, and no other cluster is given',
      );
    client = new Connection({ hosts: urls });
  }
  // An unavailable cluster is reported as unavailable.
  const uuid = await discoverCluster(client).then(
    (cluster) => cluster.uuid,
    () => undefined,
  );
  return { client, uuid, embedded: !isNamed };
}

/** Executes `dyno support`. Resolves to the exit code. Rejects with a DynoError if the file cannot be written. */
export async function support(
  options: SupportOptions,
  { console, version }: Pick<CommandContext, 'console' | 'version'>,
): Promise<number> {
  const folder = dataFolder();
  const embeddedFolder = knownDataFolder(folder);
  const answered = await askServer(folder, console);
  let reached: Reached | undefined;
  let why: unknown;
  try {
    reached = await reach(options, embeddedFolder);
  } catch (error) {
    why = error;
  }
  const there = (): Reached => {
    if (reached) return reached;
    throw why;
  };
  const about = createAbout(
    {
      version,
      dataFolder: folder,
      embeddedFolder,
      results: () => {
        const { client, uuid } = there();
        return { client, urls: client.urls, uuid };
      },
      embedded: () => (reached?.embedded ? { client: reached.client, startedHere: false } : 'none'),
      spooled: () => 0,
      collector: async () => ({
        shippers: await listCollectors(there().client),
        own: { state: 'off', detail: '' },
      }),
      reader: () => createResultsReader(there().client),
      experiments: () => createExperimentStore(there().client),
      scheduleLog: () => createScheduleLog(there().client),
      nextDue: (schedule) => nextDue(schedule),
      certification: async () => ({
        machine: { host: '', cores: 0 },
        dyno: version,
        progress: null,
        problem: '',
        last: await keptCertification(folder),
      }),
      configuration: () => ({
        options: shownPlaces(options),
        allowedHosts: allowedHosts(),
        server: answered ? 'running' : 'not running',
      }),
      secrets: () => (reached ? secretsOfHeaders(reached.client.headers) : []),
    },
    answered && (() => Promise.resolve(answered)),
  );
  try {
    return await writeBundle(about, options, console);
  } finally {
    await reached?.client.close();
  }
}

async function writeBundle(
  about: ReturnType<typeof createAbout>,
  { file = bundleName(new Date()), list = false }: SupportOptions,
  console: Console,
): Promise<number> {
  const parts = await about.parts();
  const contents = [`${file} contains, without secrets:`, ...bundleLines(parts).map((line) => `  ${line}`)];
  if (list) {
    console.print([...aboutText(await about.look()), '', ...contents].join('\n'));
    return 0;
  }
  console.say(contents.join('\n'));
  const to = path.resolve(file);
  const { stream, missing } = await about.make(parts);
  try {
    await writeWhole(to, stream, { mode: 0o600, exclusive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw inputError(
        'support.file',
        '--file',
        (await stat(to)).isDirectory() ? 'is a folder' : 'a file of this name exists already',
        { found: file, allowed: 'the name of a new file' },
      );
    const known = asDiskError(error, to);
    throw known instanceof DynoError
      ? known
      : runError('support.not-written', to, `the file cannot be written: ${messageOf(error)}`, error);
  }
  for (const { name, why } of missing) console.warn(`missing from the bundle: ${name} (${why})`);
  console.print(`${file} (${formatBytes((await stat(to)).size)}); look through it before you share it`);
  return 0;
}
