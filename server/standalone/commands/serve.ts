/** `dyno start`: the standalone product: pages and HTTP interface, until it is interrupted. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Retention } from '../../../common/experiment/retention';
import { describeProblem, DynoError, inputError, messageOf, type Problem } from '../../../common/problem';
import { AnalysisThread } from '../../analysis/analysis-thread';
import { analyseNightsBy } from '../../analysis/work';
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
import { neighboursFolder } from '../../host/neighbours';
import { checkFiles, corporaFolder } from '../../host/corpora';
import { wasClosed } from '../../target-cluster/failure';
import { Certifier } from '../../certify/certifier';
import type { CertifyFiles } from '../../certify/certify';
import { quotedCertification } from '../../certify/kept';
import { allowedHosts, clustersOf, dataFolder, openPlaces, type PlaceOptions, type Places } from '../host';
import { isLoopback, type AccessRules } from '../http/access';
import { createServer, listen, type Address } from '../http/server';
import { ChangeNotices, WEBHOOK_SETTING } from '../change-notices';
import { keepSamples, startRetaining, type Retaining } from '../retention';
import { ownCollector, type OwnCollector } from '../own-collector';
import { cleanOwnTarget, recover } from '../recover';
import { createServices } from '../services';
import { lockDataFolder } from '../server-lock';
import { createExperimentStore } from '../store/experiments';
import { loadSecretKey } from '../store/secret-key';
import { createTargetStore, type StandaloneTargetStore } from '../store/targets';
import { createTuner, withConnection } from '../../host/tuner';
import { createTuningStore } from '../store/tunings';
import { createScheduleLog } from '../../results/schedule-log';
import { createLeases } from '../../results/leases';
import { createNights, nightMemory } from '../../results/nights';
import { samplesIn } from '../../tuning/draft';
import { checkWebhook } from '../webhook';
import type { Console } from '../terminal/console';
import { ONCE_MORE, onSignal } from '../terminal/signals';
import type { CommandContext } from './run';

export interface ServeOptions extends PlaceOptions {
  /** 5605 by default; 0 takes any. */
  port?: number;
  /** Address to listen at; 127.0.0.1 by default. */
  host?: string;
  /** Threads that generate the load. */
  workers?: number;
  /** How long samples of runs are kept; for ever without, unless the environment says so. */
  keepSamples?: string;
}

export interface ServeContext extends CommandContext, CertifyFiles {
  /** The thread that builds reports: server/analysis/thread.ts, built. */
  analysisFile: string;
  /** Of the built app. */
  appFolder: string;
}

const PORT = 5605;
const SHORTEST_PASSWORD = 8;

/** Who may come in. Throws a DynoError `serve.password` (input). */
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

/** Who is told what scheduled runs make known; undefined for nobody. Throws a DynoError (input) for a wrong address. */
export function webhookFor(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const url = environment[WEBHOOK_SETTING] || undefined;
  if (url !== undefined) checkWebhook(url, WEBHOOK_SETTING);
  return url;
}

/** Resolves with the first signal; a second one ends the process at once. */
function untilInterrupted(console: Pick<Console, 'say'>): Promise<void> {
  return new Promise((resolve) => {
    onSignal(
      (signal) => {
        console.say(`\n${signal}: ending runs and closing${ONCE_MORE[signal]}`);
        resolve();
      },
      () => process.exit(3),
    );
  });
}

/** Serves until a signal; resolves to the exit code. Rejects with a DynoError when it cannot begin. */
export async function serve(options: ServeOptions, context: ServeContext): Promise<number> {
  const address: Address = { host: options.host ?? '127.0.0.1', port: options.port ?? PORT };
  const access = accessFor(address.host);
  const webhook = webhookFor();
  const keep = keepSamples(options.keepSamples);
  const { console } = context;
  // From here on, lest an early signal leave things half open.
  const interrupted = untilInterrupted(console);
  const lock = await lockDataFolder(dataFolder());
  try {
    const key = await loadSecretKey(dataFolder());
    const places = await openPlaces(options, console, context);
    try {
      const own = await ownCollector(options, context.collectorFile);
      const targets = createTargetStore({
        client: places.results,
        local: places.target,
        allowedHosts: allowedHosts(),
        key,
      });
      const serving = await open({ options, context, places, targets, own, access, webhook, keep, address });
      try {
        await lock.publish(serving.url);
        console.print(`Dyno is at ${serving.url}`);
        await interrupted;
      } finally {
        await serving.close();
      }
    } finally {
      await places.close();
    }
  } finally {
    await lock.release();
  }
  return 0;
}

/** The same for each server with this data folder, of which one at a time runs, on whatever machine. */
async function queueName(folder: string): Promise<string> {
  const file = path.join(folder, 'queue-name');
  const known = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (known !== '') return known;
  const name = randomBytes(8).toString('hex');
  await writeFile(file, `${name}\n`);
  return name;
}

interface Opened {
  url: string;
  close(): Promise<void>;
}

interface Parts {
  options: ServeOptions;
  context: ServeContext;
  places: Places;
  targets: StandaloneTargetStore;
  own: OwnCollector;
  access: AccessRules;
  webhook: string | undefined;
  keep: Retention | undefined;
  address: Address;
}

async function open(parts: Parts): Promise<Opened> {
  const { options, context, places, targets, own, access, webhook, keep, address } = parts;
  const { console, version, workerFile, targetFile, analysisFile, appFolder } = context;
  const corpora = corporaFolder(dataFolder());
  await mkdir(corpora, { recursive: true });
  const experiments = createExperimentStore(places.results);
  const { reader, writer, results, resultsUuid } = places;
  const onProblem = (problem: Problem): void => console.warn(describeProblem(problem));
  const name = await queueName(dataFolder());
  const analysis = new AnalysisThread(analysisFile);
  const nights = createNights(results, { memory: nightMemory(analyseNightsBy(analysis.analyse)) });
  const notices =
    webhook === undefined
      ? undefined
      : await ChangeNotices.open({
          url: webhook,
          nights,
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
  // All runs are carried with the rights of whoever started the server.
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
    nights,
    reports: new ReportMemory(analysis.analyse),
    allowedHosts: allowedHosts(),
    corpora,
    ownCollector: own,
    certification: certifier,
    tunings: tuner.service,
    buildFolder: path.dirname(context.metricsTemplateFile),
    untold: () => notices?.untold ?? [],
    onExperiments: () => void schedules?.changed(),
  });
  const app = await createServer({
    handlers: createHandlers(services),
    access,
    appFolder,
    version,
    log: console.warn,
  });
  const close = async (): Promise<void> => {
    schedules?.stop();
    const retained = retaining?.stop();
    const carried = tuner.close();
    await app.close();
    await analysis.close();
    await certifier.close();
    await queue.close('the server was stopped');
    await notices?.close();
    await carried;
    await retained;
  };
  try {
    const { interrupted, queued } = await recover(places, console, name);
    await cleanOwnTarget(places, console);
    const url = await listen(app, address);
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
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What an earlier process left on other targets than the local one, which are not asked before anything else goes on. */
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
        // One that is away is looked at again before a run on it.
        if (!(error instanceof DynoError)) throw error;
      } finally {
        await connection.close();
      }
    }
  } catch (error) {
    if (!wasClosed(error)) console.warn(`targets could not be read: ${messageOf(error)}`);
  }
}
