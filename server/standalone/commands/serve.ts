/** `dyno start`: serves the pages and the HTTP API of the standalone product until interrupted. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Retention } from '../../../common/experiment/retention';
import { describeProblem, DynoError, inputError, messageOf, type Problem } from '../../../common/problem';
import { shownAddress } from '../../../common/secrets/address';
import { AnalysisThread } from '../../analysis/analysis-thread';
import { analyseHistoryBy } from '../../analysis/work';
import { formatDuration } from '../../../common/units/format';
import { createHandlers } from '../../routes';
import { ReportMemory } from '../../routes/report-cache';
import {
  cleanTarget,
  createRunService,
  resumeInterrupted,
  RunQueue,
  startSchedules,
  takeUpQueuedRuns,
  type Actor,
  type Schedules,
} from '../../run/queue/queue';
import { neighboursFolder } from '../../host/files/neighbours';
import { checkFiles, corporaFolder } from '../../host/files/corpora';
import { createTraffic } from '../../host/files/traffic';
import { wasClosed } from '../../target-cluster/failure';
import { Certifier } from '../../certify/certifier';
import type { CertifyFiles } from '../../certify/certify';
import { quotedCertification } from '../../certify/kept';
import {
  allowedHosts,
  clustersOf,
  dataFolder,
  openPlaces,
  resultsUrlsOf,
  shownPlaces,
  type PlaceOptions,
  type Places,
} from '../host';
import { ELASTICSEARCH_VERSION } from '../elasticsearch/distribution';
import { distributionFolder } from '../elasticsearch/folders';
import { serverIdentity } from '../elasticsearch/identity';
import { officialArchive } from '../elasticsearch/official';
import { WholeDownload } from '../elasticsearch/whole-download';
import { isLoopback, type AccessRules } from '../http/access';
import type { Address } from '../http/server';
import { ChangeNotices } from '../change-notices';
import { WEBHOOK_SETTING } from '../webhook-setting';
import { keepSamples, startRetaining, type Retaining } from '../retention';
import { ownCollector, type OwnCollector } from '../own-collector';
import { cleanOwnTarget, recover } from '../recover';
import { openServerLog } from '../server-log';
import { createServices } from '../services';
import { lockDataFolder } from '../server-lock';
import { createExperimentStore } from '../store/experiments';
import { loadSecretKey } from '../store/secret-key';
import { buildCollector } from '../start/build-collector';
import { openFront, type Front } from '../start/front';
import { BEFORE_START, readBeforeStart, StartCourse, type BeforeStart } from '../start/steps';
import { createTargetStore, type StandaloneTargetStore } from '../store/targets';
import { createTuner, withConnection } from '../../host/tuner';
import { createTuningStore } from '../store/tunings';
import { EXAMPLE_FILE, recordedIn } from '../../results/example-run';
import { createScheduleLog } from '../../results/schedule-log';
import { createLeases } from '../../results/leases';
import { createHistories } from '../../results/histories';
import { historyMemory } from '../../results/history-memory';
import { samplesIn } from '../../tuning/draft';
import { checkWebhook } from '../webhook';
import type { Console } from '../terminal/console';
import { ONCE_MORE, onSignal } from '../terminal/signals';
import type { CommandContext } from './run';

export interface ServeOptions extends PlaceOptions {
  /** Port to listen on: 5605 by default; 0 means any free port. */
  port?: number;
  /** Address to listen on; 127.0.0.1 by default. */
  host?: string;
  /** Number of load threads. */
  workers?: number;
  /**
   * How long to keep the samples of runs, as the user wrote it. Default: the value of the environment variable `DYNO_KEEP_SAMPLES`. Without
   * a value, samples are kept forever.
   */
  keepSamples?: string;
}

export interface ServeContext extends CommandContext, CertifyFiles {
  /** Path of the built file of the thread that builds reports. Its source is server/analysis/thread.ts. */
  analysisFile: string;
  /** Path of the built file of the thread that summarizes recorded traffic. Its source is server/traffic/inspect/thread.ts. */
  trafficFile: string;
  /** Folder with the built files of the pages. */
  appFolder: string;
}

const PORT = 5605;
const SHORTEST_PASSWORD = 8;

/**
 * Returns the rules by which the server accepts requests: the password and host names. Throws an input error `serve.password` if a required
 * password is missing or too short.
 */
export function accessFor(host: string, environment: NodeJS.ProcessEnv = process.env): AccessRules {
  const password = environment['DYNO_PASSWORD'] || undefined;
  const names = (environment['DYNO_HOST_NAMES'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  if (password === undefined && !isLoopback(host)) {
    throw inputError(
      'serve.password',
      '--host',
      'anyone who reaches this address could load clusters, so a password is required',
      {
        found: host,
        allowed: 'DYNO_PASSWORD in the environment, or 127.0.0.1',
      },
    );
  }
  if (password !== undefined && password.length < SHORTEST_PASSWORD) {
    throw inputError('serve.password', 'DYNO_PASSWORD', 'is too short', {
      allowed: `at least ${SHORTEST_PASSWORD} characters`,
    });
  }
  return { password, names };
}

/**
 * Returns the URL of the webhook for changes that scheduled runs confirm; undefined if not set. Throws an input error for an invalid URL.
 */
export function webhookFor(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const url = environment[WEBHOOK_SETTING] || undefined;
  if (url !== undefined) checkWebhook(url, WEBHOOK_SETTING);
  return url;
}

/** Returns a signal that Ctrl-C or SIGTERM aborts. A second Ctrl-C or SIGTERM ends the process immediately. */
function interruption(console: Pick<Console, 'say'>): AbortSignal {
  const interrupted = new AbortController();
  onSignal(
    (signal) => {
      console.say(`\n${signal}: ending runs and closing${ONCE_MORE[signal]}`);
      interrupted.abort();
    },
    () => process.exit(3),
  );
  return interrupted.signal;
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Serves until the process is interrupted. Resolves to the exit code. Rejects with a DynoError if the server cannot start. */
export async function serve(options: ServeOptions, given: ServeContext): Promise<number> {
  const address: Address = { host: options.host ?? '127.0.0.1', port: options.port ?? PORT };
  const access = accessFor(address.host);
  const webhook = webhookFor();
  const keep = keepSamples(options.keepSamples);
  const log = await openServerLog(given.console, dataFolder());
  const context = { ...given, console: log.console };
  const { console } = context;
  log.note(
    'INFO',
    `Dyno ${context.version} starts, Node.js ${process.versions.node}, process ${process.pid}`,
  );
  // The handlers of signals are installed before anything is opened, so that an early signal also closes everything.
  const interrupted = interruption(console);
  const before = readBeforeStart(process.env[BEFORE_START], Date.now());
  const course = new StartCourse(console.say, before);
  const lock = await lockDataFolder(dataFolder());
  try {
    const key = await loadSecretKey(dataFolder());
    const front = await openFront({
      address,
      access,
      course,
      results: resultsUrlsOf(options) ?? '',
      allowedHosts: allowedHosts(),
      example: recordedIn(path.join(path.dirname(context.metricsTemplateFile), EXAMPLE_FILE)),
      appFolder: context.appFolder,
      version: context.version,
      log: console.warn,
    });
    try {
      await lock.publish(front.url);
      console.say(
        `The pages are already at ${front.url}, with a recorded example. You can start runs once Dyno has started.`,
      );
      const started = { options, context, front, course, key, webhook, keep, before, interrupted };
      await serveStarted(started).catch(async (error: unknown) => {
        const isStarting = course.start !== null;
        if (isStarting && interrupted.aborted) return;
        if (isStarting) {
          course.fail(messageOf(error));
          await front.failureShown();
        }
        throw error;
      });
    } finally {
      await front.close();
    }
  } catch (error) {
    // The caller prints the error after everything is closed.
    log.note('ERROR', messageOf(error));
    throw error;
  } finally {
    await lock.release();
    await log.close();
  }
  return 0;
}

interface Started {
  options: ServeOptions;
  context: ServeContext;
  front: Front;
  course: StartCourse;
  key: Awaited<ReturnType<typeof loadSecretKey>>;
  webhook: string | undefined;
  keep: Retention | undefined;
  before: BeforeStart;
  interrupted: AbortSignal;
}

/**
 * Starts Elasticsearch and the services. The pages are already available during this time. Resolves after the process was interrupted and
 * everything is closed.
 */
async function serveStarted(started: Started): Promise<void> {
  const { options, context, front, course, key, webhook, keep, before, interrupted } = started;
  const { console } = context;
  /** Aborted when the start has failed or the server ends. */
  const over = new AbortController();
  const givenUp = AbortSignal.any([interrupted, over.signal]);
  // Runs start only after the collector is built, so that the compiler does not disturb a measurement.
  const collectorIsBuilt = buildCollector(before.collector, course, givenUp).catch((error: unknown) => {
    if (!givenUp.aborted) console.warn(`The collector is not built: ${messageOf(error)}`);
  });
  try {
    const following = { steps: course, signal: interrupted, collectorIsBuilt };
    const places = await openPlaces(options, console, context, following);
    try {
      await collectorIsBuilt;
      const own = await ownCollector(options, context.collectorFile, places.embedded?.dataFolder);
      const targets = createTargetStore({
        client: places.results,
        local: places.target,
        allowedHosts: allowedHosts(),
        key,
      });
      const serving = await course.carry(
        { doing: 'Checking the results', done: 'The results are ready' },
        () => open({ options, context, places, targets, own, webhook, keep, front }),
      );
      try {
        const took = formatDuration(course.tookMs);
        console.say(`Dyno has started after ${took}.`);
        console.print(`Dyno is at ${front.url}`);
        await untilAborted(interrupted);
      } finally {
        await serving.close();
      }
    } finally {
      await places.close();
    }
  } finally {
    over.abort();
    await collectorIsBuilt;
  }
}

/**
 * Returns the name of the queue of runs, which is stored in the data folder. If the server starts again with this folder, even on another
 * machine, it continues this queue.
 */
async function queueName(folder: string): Promise<string> {
  const file = path.join(folder, 'queue-name');
  const known = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (known !== '') return known;
  const name = randomBytes(8).toString('hex');
  await writeFile(file, `${name}\n`);
  return name;
}

interface Opened {
  close(): Promise<void>;
}

interface Parts {
  options: ServeOptions;
  context: ServeContext;
  places: Places;
  targets: StandaloneTargetStore;
  own: OwnCollector;
  webhook: string | undefined;
  keep: Retention | undefined;
  front: Front;
}

async function open(parts: Parts): Promise<Opened> {
  const { options, context, places, targets, own, webhook, keep, front } = parts;
  const { console, version, workerFile, targetFile, analysisFile, trafficFile } = context;
  const corpora = corporaFolder(dataFolder());
  await mkdir(corpora, { recursive: true });
  const experiments = createExperimentStore(places.results);
  const { reader, writer, results, resultsUuid } = places;
  const onProblem = (problem: Problem): void => console.warn(describeProblem(problem));
  const name = await queueName(dataFolder());
  const analysis = new AnalysisThread(analysisFile);
  const traffic = createTraffic(corpora, trafficFile);
  const histories = createHistories(results, { memory: historyMemory(analyseHistoryBy(analysis.analyse)) });
  const notices =
    webhook === undefined
      ? undefined
      : await ChangeNotices.open({
          url: webhook,
          histories,
          file: path.join(dataFolder(), 'webhook.json'),
          onProblem,
        });
  const queue = new RunQueue({
    name,
    workerFile,
    neighboursFolder: neighboursFolder(dataFolder()),
    workers: options.workers,
    version,
    certification: () => quotedCertification(dataFolder()),
    allowedHosts: allowedHosts(),
    onProblem,
    onEnd: (run) => notices?.ended(run),
  });
  const certifier = new Certifier({
    folder: dataFolder(),
    workerFile,
    targetFile,
    version,
    holdRuns: (why) => queue.hold(why),
  });
  const archive = places.clusters ? officialArchive(ELASTICSEARCH_VERSION) : undefined;
  const distribution =
    archive && new WholeDownload({ archive, folder: () => distributionFolder(serverIdentity()) });
  // All runs have the privileges of the operating system's user who started the server.
  const actor: Actor = {
    reader,
    writer,
    results,
    resultsUuid,
    folder: corpora,
    connect: targets.connect,
    clusters: (target) => clustersOf(places, target),
    close: () => Promise.resolve(),
  };
  const runs = createRunService(queue, {
    reader,
    results,
    allowedHosts: allowedHosts(),
    becomeActor: () => Promise.resolve(actor),
    withWriter: (work) => work(writer),
    onProblem,
  });
  const tuner = createTuner({
    store: createTuningStore(results),
    leases: createLeases(results),
    samples: samplesIn(corpora),
    runs,
    reader,
    experiments,
    connected: (target, work) => withConnection(() => targets.connect(target), work),
    checkFiles: (definition) => checkFiles(definition, corpora),
    onProblem,
  });
  let schedules: Schedules | undefined;
  let retaining: Retaining | undefined;
  const services = createServices({
    places,
    experiments,
    targets,
    runs,
    version,
    histories,
    reports: new ReportMemory(analysis.analyse),
    allowedHosts: allowedHosts(),
    corpora,
    ownCollector: own,
    certification: certifier,
    distribution,
    tunings: tuner.service,
    traffic,
    buildFolder: path.dirname(context.metricsTemplateFile),
    example: front.example,
    configuration: () => ({
      ...shownPlaces(options),
      allowedHosts: allowedHosts(),
      webhook: webhook === undefined ? undefined : shownAddress(webhook, { webhook: true }),
    }),
    untold: () => notices?.untold ?? [],
    onExperiments: () => void schedules?.changed(),
  });
  /**
   * Closes everything. `closeFront` closes the HTTP server with the pages. After a failed start, the caller passes a function that does
   * nothing. The pages can then still show the error.
   */
  const close = async (closeFront: () => Promise<void>): Promise<void> => {
    schedules?.stop();
    const retained = retaining?.stop();
    const carried = tuner.close();
    await closeFront();
    await analysis.close();
    await traffic.close();
    await certifier.close();
    await distribution?.close();
    await queue.close('the server was stopped');
    await notices?.close();
    await carried;
    await retained;
  };
  try {
    const { interrupted, queued } = await recover(places, console, name);
    await cleanOwnTarget(places, console);
    front.serveHandlers(createHandlers(services));
    for (const note of await resumeInterrupted(runs, interrupted)) console.say(note);
    const take = (run: string): Promise<unknown> => queue.takeUpQueued(run, actor);
    for (const note of await takeUpQueuedRuns(take, queued, places)) console.say(note);
    schedules = startSchedules({
      list: () => experiments.list(),
      start: async (order) => {
        await services.checkFiles(order.definition);
        return runs.start(order);
      },
      startsClusters: services.startsClusters,
      reader,
      log: createScheduleLog(results),
      onProblem,
    });
    if (keep) retaining = startRetaining({ results, keep, say: console.say, onProblem });
    for (const note of await tuner.takeUp()) console.say(note);
    void tidyTargets(places, targets, console);
    return { close: () => close(front.close) };
  } catch (error) {
    await close(() => Promise.resolve());
    throw error;
  }
}

/**
 * Removes indices and other objects of earlier runs from all targets except the local one. The caller does not wait for this, because
 * targets may be slow.
 */
async function tidyTargets(
  { results, reader, writer }: Places,
  targets: StandaloneTargetStore,
  console: Console,
): Promise<void> {
  try {
    for (const { id, builtIn } of await targets.list()) {
      if (builtIn) continue;
      const connection = await targets.connect(id);
      try {
        for (const note of await cleanTarget({ connection, results, reader, writer }))
          console.say(`${id}: ${note}`);
      } catch (error) {
        // A target that is unavailable now is cleaned up before its next run.
        if (!(error instanceof DynoError)) throw error;
      } finally {
        await connection.close();
      }
    }
  } catch (error) {
    if (!wasClosed(error)) console.warn(`targets could not be read: ${messageOf(error)}`);
  }
}
