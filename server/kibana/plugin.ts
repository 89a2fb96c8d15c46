/** Dyno as a plugin of Kibana. Registers everything at setup, and creates its services after Kibana has started. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { describeProblem, messageOf, runError } from '../../common/problem';
import { pastRunMemory } from '../results/experiment-history';
import { AnalysisThread } from '../analysis/analysis-thread';
import { analyseHistoryBy } from '../analysis/work';
import { historyMemory } from '../results/history-memory';
import { installMissing } from '../results/templates';
import { waitingOnDisk } from '../results/waiting-samples';
import { createHandlers } from '../routes';
import type { Handlers } from '../routes/handler';
import { EXAMPLE_FILE, recordedIn } from '../results/example-run';
import { ReportMemory } from '../routes/report-cache';
import { figureMemory } from '../routes/run-figures';
import { RunQueue } from '../run/queue/queue';
import { Certifier } from '../certify/certifier';
import { quotedCertification } from '../certify/kept';
import { corporaFolder } from '../host/files/corpora';
import { createTraffic, type HostTraffic } from '../host/files/traffic';
import { neighboursFolder } from '../host/files/neighbours';
import { experimentMemory } from '../host/stores/experiment-store';
import { resultsTemplates } from './actor';
import type { Config } from './config';
import type { RuleServices } from './alerting/adapter';
import { kibanaRuleTypes } from './alerting/registration';
import { asElasticsearchClient } from './elasticsearch';
import { featureFor } from './features';
import { connectResults, dataFolder, type KibanaServices, urlOf } from './kibana-services';
import { giveBackAtStart } from './orphaned-keys';
import { recentLog } from './recent-log';
import { createRecovery, type Recovery } from './recovery';
import { retentionTaskDefinitions, scheduleRetention } from './retention';
import { registerRoutes } from './routes';
import { registerSecrets, savedObjectTypes } from './saved-objects';
import type { CoreSetup, CoreStart, KibanaRequest, PluginContext, SetupPlugins, StartPlugins } from './sdk';
import { SeatLending } from './seats/lending';
import { seatTaskDefinitions } from './seats/tasks';
import { scheduledWork } from './schedules/scheduled-runs';
import { taskDefinitions, WATCH_INTERVAL, WATCH_TASK, type TaskWork } from './schedules/tasks';
import { spoolOf } from './spool';
import { createServices, resultsFor, type ServiceParts } from './services';
import { CarriedTunings } from './tunings/carried-tunings';
import { tuningTaskDefinitions } from './tunings/tasks';
import { apiKeysOf, dataFolderOf, elasticsearchConfig } from './versions';

export interface PluginFiles {
  /**
   * Folder of the built server side of the plugin. It contains `worker.js`, `certify-target.js`, `analysis.js`, `traffic.js` and the
   * collector's template.
   */
  folder: string;
  /** Version of Dyno. */
  version: string;
}

interface AtHome extends ServiceParts {
  certifier: Certifier;
  recovery: Recovery;
  lending: SeatLending;
  analysis: AnalysisThread;
  traffic: HostTraffic;
}

/** The plugin. Setup and start never wait for Elasticsearch, because each must finish within 10 s, and an exception in them ends Kibana. */
export class DynoPlugin {
  private readonly closing = new AbortController();
  private elasticsearch: KibanaServices['elasticsearch'] = () => undefined;
  private canEncrypt = false;
  private home: AtHome | undefined;

  constructor(
    private readonly context: PluginContext<Config>,
    private readonly files: PluginFiles,
  ) {}

  setup(core: CoreSetup, plugins: SetupPlugins): void {
    this.elasticsearch = elasticsearchConfig(core);
    for (const type of savedObjectTypes) core.savedObjects.registerType(type);
    const { encryptedSavedObjects } = plugins;
    if (encryptedSavedObjects) {
      registerSecrets(encryptedSavedObjects);
      this.canEncrypt = encryptedSavedObjects.canEncrypt;
    }
    const kibanaVersion = this.context.env.packageInfo.version;
    const { alerting } = plugins;
    plugins.features.registerKibanaFeature(featureFor({ kibanaVersion, alerting: alerting !== undefined }));
    for (const type of kibanaRuleTypes(() => ruleServices(this.atHome()))) alerting?.registerType(type);
    plugins.taskManager.registerTaskDefinitions({
      ...taskDefinitions(() => this.scheduledWork()),
      ...tuningTaskDefinitions(() => this.home?.tunings),
      ...retentionTaskDefinitions(() => this.home?.kibana),
      ...seatTaskDefinitions(kibanaVersion, () => this.home?.lending),
    });
    registerRoutes({
      router: core.http.createRouter(),
      kibanaVersion,
      version: this.files.version,
      handlersFor: (request) => this.handlersFor(request),
      resultsFor: (request) => resultsFor(this.atHome().kibana, request),
      closing: this.closing.signal,
      log: this.context.logger.get(),
    });
  }

  start(core: CoreStart, plugins: StartPlugins): void {
    const config = this.context.config.get();
    const { log, lines } = recentLog(this.context.logger.get());
    let resultsConnection: KibanaServices['resultsConnection'];
    let unreachable: ElasticsearchClient | undefined;
    try {
      resultsConnection = connectResults(config);
    } catch (error) {
      // An invalid setting must not end Kibana. It is reported in the response to every request instead.
      log.error(`dyno.results: ${messageOf(error)}`);
      const refusal = runError('results.settings', 'dyno.results', messageOf(error), error);
      unreachable = { request: () => Promise.reject(refusal) };
    }
    const analysis = new AnalysisThread(path.join(this.files.folder, 'analysis.js'));
    const kibana: KibanaServices = {
      core,
      apiKeys: apiKeysOf(core, plugins),
      taskManager: plugins.taskManager,
      spaces: plugins.spaces,
      encrypted: this.canEncrypt ? plugins.encryptedSavedObjects : undefined,
      elasticsearch: this.elasticsearch,
      config,
      log,
      logLines: lines,
      version: this.files.version,
      kibanaVersion: this.context.env.packageInfo.version,
      folder: this.files.folder,
      dataFolder: dataFolder(config, dataFolderOf(this.context)),
      experiments: experimentMemory(),
      pastRuns: pastRunMemory(),
      histories: historyMemory(analyseHistoryBy(analysis.analyse)),
      figures: figureMemory(),
      example: recordedIn(path.join(this.files.folder, EXAMPLE_FILE)),
      reports: new ReportMemory(analysis.analyse),
      resultsOf: (own) => unreachable ?? resultsConnection ?? own,
      resultsConnection,
      urlOf: (space, path) => urlOf(core, space, path),
    };
    const corpora = corporaFolder(kibana.dataFolder);
    try {
      mkdirSync(corpora, { recursive: true });
    } catch (error) {
      log.warn(`experiments can read no files: ${messageOf(error)}`);
    }
    const workerFile = path.join(this.files.folder, 'worker.js');
    const queue = new RunQueue({
      workerFile,
      neighboursFolder: neighboursFolder(kibana.dataFolder),
      workers: config.limits.workers,
      version: this.files.version,
      certification: () => quotedCertification(kibana.dataFolder),
      allowedHosts: config.targets.allowedHosts,
      onProblem: (problem) => log.warn(describeProblem(problem)),
    });
    const certifier = new Certifier({
      folder: kibana.dataFolder,
      workerFile,
      targetFile: path.join(this.files.folder, 'certify-target.js'),
      version: this.files.version,
      holdRuns: (why) => queue.hold(why),
    });
    const lending = new SeatLending({ kibana, workerFile, corpora });
    const recovery = createRecovery(kibana);
    const tunings = new CarriedTunings({ kibana, queue, corpora, recovery });
    const traffic = createTraffic(corpora, path.join(this.files.folder, 'traffic.js'));
    this.home = { kibana, queue, analysis, traffic, certifier, tunings, corpora, recovery, lending };
    void watchOrphans(kibana);
    void scheduleRetention(kibana);
    void prepareResults(kibana);
    void giveBackAtStart(kibana, this.closing.signal);
  }

  async stop(): Promise<void> {
    this.closing.abort();
    await this.home?.certifier.close();
    // The parts are closed in parallel, because each may take a few seconds and Kibana waits only briefly.
    await Promise.all([
      // Tunings are closed first. Otherwise, a tuning would continue on this node after its run has ended because of the shutdown.
      this.home?.tunings.close(),
      this.home?.queue.close('Kibana was stopped'),
      this.home?.lending.close('its Kibana was stopped'),
    ]);
    await this.home?.analysis.close();
    await this.home?.traffic.close();
    await this.home?.kibana.resultsConnection?.close();
  }

  private async scheduledWork(): Promise<TaskWork> {
    return scheduledWork(this.atHome());
  }

  private atHome(): AtHome {
    if (!this.home) throw runError('host.starting', '', 'Kibana is still starting');
    return this.home;
  }

  private async handlersFor(request: KibanaRequest): Promise<Handlers> {
    const home = this.atHome();
    const services = createServices(home, request);
    await home.recovery.look(services.resultsClient);
    return createHandlers(services);
  }
}

/**
 * Returns the services for the checks of rules. Samples that wait on disk for the results cluster are included. Samples of other Kibana
 * processes are only included if they are on a shared disk.
 */
const ruleServices = ({ kibana, queue }: AtHome): RuleServices => ({
  resultsOf: (own) => kibana.resultsOf(own),
  urlOf: (space, page) => kibana.urlOf(space, page),
  waitingSamples: async (results) => [
    ...queue.waitingSamples,
    ...(await waitingOnDisk(await spoolOf(kibana, results))),
  ],
  histories: kibana.histories,
});

/** Schedules the task that looks for runs whose process has ended. Never rejects, because requests of users also look for such runs. */
async function watchOrphans({ taskManager, log }: KibanaServices): Promise<void> {
  try {
    await taskManager.ensureScheduled({
      id: WATCH_TASK,
      taskType: WATCH_TASK,
      schedule: { interval: WATCH_INTERVAL },
      params: {},
      state: {},
    });
  } catch (error) {
    log.warn(`runs whose Kibana is gone could not be searched for: ${messageOf(error)}`);
  }
}

/**
 * Installs missing index templates with the rights of Kibana's own user. They are needed before the first run, because Dyno's collector may
 * already send events. Without a template, Elasticsearch would guess the types of the fields. Never rejects.
 */
async function prepareResults(kibana: KibanaServices): Promise<void> {
  try {
    const own = asElasticsearchClient(kibana.core.elasticsearch.client.asInternalUser);
    await installMissing(kibana.resultsOf(own), await resultsTemplates(kibana));
  } catch (error) {
    kibana.log.info(
      `the index templates of the results will be installed by the first run: ${messageOf(error)}`,
    );
  }
}
