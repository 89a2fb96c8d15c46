/** Services of the standalone host for the routes. */
import type { CollectorStatus, Status } from '../../common/api/host';
import { LOCAL_TARGET } from '../../common/api/targets';
import type { Engine } from '../../common/elasticsearch/engine';
import { engineOfResults } from '../results/engine';
import { createTimelineReader } from '../results/timeline/timeline';
import { createExperimentHistory } from '../results/experiment-history';
import type { Histories } from '../results/histories';
import { createScheduleLog } from '../results/schedule-log';
import { createRejectionsReader } from '../results/rejections';
import { listCollectors } from '../results/collector-list';
import type { ReportMemory } from '../routes/report-cache';
import { createAbout, secretsOfHeaders } from './about';
import { knownDataFolder } from './elasticsearch/folders';
import type {
  CertificationService,
  ExperimentStore,
  Services,
  TrafficService,
  TuningService,
} from '../routes/services';
import { nextDue, previewDocuments, type RunService } from '../run/queue/queue';
import type { Connection } from '../target-cluster/connection';
import { createAnnotationStore } from '../host/stores/annotation-store';
import { checkFiles, checkRead } from '../host/files/corpora';
import { builtArchitectures, packageCollector } from './collector/package';
import { credentialsIn, dynobeatExample, type NamedCluster } from '../host/targets/dynobeat-example';
import { createRunFiles } from '../host/http/run-files';
import { lookAtResults } from '../host/about/results-status';
import { clustersOf, dataFolder, type Places } from './host';
import type { OwnCollector } from './own-collector';
import type { StandaloneTargetStore } from './store/targets';

export interface ServiceParts {
  places: Places;
  experiments: ExperimentStore;
  targets: StandaloneTargetStore;
  runs: RunService;
  version: string;
  allowedHosts: readonly string[] | undefined;
  /** Folder of the files that experiments may read. */
  corpora: string;
  ownCollector: OwnCollector;
  certification: CertificationService;
  distribution: Services['distribution'];
  tunings: TuningService;
  traffic: TrafficService;
  /**
   * Cache for the histories of experiments (all completed runs of an experiment). The whole server shares it. Therefore, each run is cached
   * only once.
   */
  histories: Histories;
  reports: ReportMemory;
  /** Folder of the build, which contains the command and the files that it loads. */
  buildFolder: string;
  example: Services['example'];
  /** Returns the options of the command, for the support bundle. */
  configuration: () => unknown;
  /** Notices about changes of metrics that could not be sent to the webhook. */
  untold: () => Status['untold'];
  /** Called when an experiment was created, changed or removed. */
  onExperiments: () => void;
}

export function createServices(parts: ServiceParts): Services {
  const { places, targets, runs, version, histories, allowedHosts, corpora } = parts;
  const { results, writer, reader } = places;

  async function status(): Promise<Status> {
    return {
      version,
      host: 'standalone',
      results: { url: results.urls.join(', '), ...(await lookAtResults(results)) },
      startsClustersOf: places.clusters ? LOCAL_TARGET : null,
      allowedHosts: allowedHosts === undefined ? null : [...allowedHosts],
      start: null,
      spooled: writer.stats().spooled,
      untold: parts.untold(),
    };
  }

  async function collector(): Promise<CollectorStatus> {
    const [shippers, known, own] = await Promise.all([
      listCollectors(results),
      targets.list(),
      resultsFor(results),
    ]);
    return {
      shippers,
      own: await parts.ownCollector(shippers),
      configurations: known.map((target) => ({ target: target.id, text: dynobeatExample(target, own) })),
      packages: await builtArchitectures(parts.buildFolder),
    };
  }

  const collectorPackage: Services['collectorPackage'] = async ({ target, architecture, secrets }) =>
    packageCollector({
      build: parts.buildFolder,
      architecture,
      configuration: dynobeatExample(await targets.get(target), await resultsFor(results), secrets),
    });

  const scheduleLog = createScheduleLog(results);
  const about = createAbout({
    version,
    dataFolder: dataFolder(),
    embeddedFolder: places.embedded?.dataFolder ?? knownDataFolder(dataFolder()),
    results: () => ({ client: results, urls: results.urls, uuid: places.resultsUuid }),
    embedded: () => places.embedded ?? 'none',
    spooled: () => writer.stats().spooled,
    collector: async () => {
      const shippers = await listCollectors(results);
      return { shippers, own: await parts.ownCollector(shippers) };
    },
    reader: () => reader,
    experiments: () => parts.experiments,
    scheduleLog: () => scheduleLog,
    nextDue: (schedule) => nextDue(schedule),
    certification: () => parts.certification.status(),
    configuration: async () => ({ options: parts.configuration(), targets: await targets.list() }),
    secrets: () => [results, places.target].flatMap(({ headers }) => secretsOfHeaders(headers)),
  });

  return {
    about,
    experiments: notifying(parts.experiments, parts.onExperiments),
    targets,
    runs,
    results: reader,
    history: createExperimentHistory(results),
    histories,
    reports: parts.reports,
    annotations: createAnnotationStore(results),
    timeline: createTimelineReader(results),
    scheduleLog,
    runFiles: createRunFiles({ results, version, folder: parts.buildFolder }),
    example: parts.example,
    rejections: createRejectionsReader(results, 'default'),
    status,
    collector,
    collectorPackage,
    certification: parts.certification,
    distribution: parts.distribution,
    tunings: parts.tunings,
    traffic: parts.traffic,
    nextDue: (schedule) => nextDue(schedule),
    startsClusters: (target) => clustersOf(places, target) !== undefined,
    checkFiles: (definition) => checkFiles(definition, corpora),
    checkRead: (files) => checkRead(files, corpora),
    previewDocuments: (order, signal) => previewDocuments(order, corpora, signal),
  };
}

/** Returns the address and credentials of the results cluster, for the configuration of a dynobeat. */
async function resultsFor(connection: Connection): Promise<NamedCluster & { engine: Engine }> {
  const { urls, headers, ca, verifyCertificates } = connection;
  return {
    hosts: [...urls],
    credentials: credentialsIn(headers['authorization']),
    ca: ca ?? null,
    verifyCertificates,
    engine: await engineOfResults(connection),
  };
}

/** Returns a store of experiments that calls `onChange` after every change. */
const notifying = (store: ExperimentStore, onChange: () => void): ExperimentStore => {
  const notified = async <T>(change: Promise<T>): Promise<T> => {
    const done = await change;
    onChange();
    return done;
  };
  return {
    list: () => store.list(),
    get: (id) => store.get(id),
    create: (...given) => notified(store.create(...given)),
    save: (...given) => notified(store.save(...given)),
    delete: (id) => notified(store.delete(id)),
  };
};
