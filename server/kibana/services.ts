/** Provides the services of the routes to one request in Kibana, with the rights of its user. */
import type { CollectorStatus, Status } from '../../common/api/host';
import type { Definition } from '../../common/experiment/definition';
import { inputError } from '../../common/problem';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { createTimelineReader } from '../results/timeline/timeline';
import { createExperimentHistory } from '../results/experiment-history';
import { createHistories } from '../results/histories';
import { createResultsReader } from '../results/reader';
import { createScheduleLog } from '../results/schedule-log';
import { createRejectionsReader } from '../results/rejections';
import { listCollectors } from '../results/collector-list';
import type { CertificationService, Services, TrafficService } from '../routes/services';
import { nextDue, previewDocuments, type RunQueue } from '../run/queue/queue';
import { createAnnotationStore } from '../host/stores/annotation-store';
import { checkFiles, checkRead } from '../host/files/corpora';
import { dynobeatExample, type NamedCluster } from '../host/targets/dynobeat-example';
import { createRunFiles } from '../host/http/run-files';
import { lookAtResults } from '../host/about/results-status';
import { createAbout } from './about';
import { asElasticsearchClient } from './elasticsearch';
import { createDashboardStore } from './dashboards/store';
import { createExperimentStore } from './experiments';
import { namespaceOf, savedObjectsOf, spaceOf, type KibanaServices } from './kibana-services';
import { localForCollector } from './local-target';
import { requestRuns } from './request-runs';
import { withSchedules } from './schedules/schedule-store';
import { SAVED_OBJECT_TYPES } from './saved-objects';
import type { KibanaRequest } from './sdk';
import { createSavedSearchStore } from './saved-searches';
import * as api from '../elasticsearch/api';
import { ask } from '../results/answer';
import { createSecrets } from './secrets';
import { createTargetStore } from './targets';
import type { CarriedTunings } from './tunings/carried-tunings';
import { requestTunings } from './tunings/request-tunings';
import { sharedSamples } from './tunings/samples';

export interface RequestServices extends Services {
  /** Client of the results cluster with the rights of the user. */
  resultsClient: ElasticsearchClient;
}

export interface ServiceParts {
  kibana: KibanaServices;
  queue: RunQueue;
  certifier: CertificationService;
  tunings: CarriedTunings;
  /** Folder of the files that experiments may read. */
  corpora: string;
  traffic: TrafficService;
}

const ownCluster = ({ core }: KibanaServices, request: KibanaRequest): ElasticsearchClient =>
  asElasticsearchClient(core.elasticsearch.client.asScoped(request).asCurrentUser);

/** Returns a client of the results cluster with the rights of the request's user. */
export const resultsFor = (kibana: KibanaServices, request: KibanaRequest): ElasticsearchClient =>
  kibana.resultsOf(ownCluster(kibana, request));

export function createServices(
  { kibana, queue, certifier, tunings, corpora, traffic }: ServiceParts,
  request: KibanaRequest,
): RequestServices {
  const own = ownCluster(kibana, request);
  const results = kibana.resultsOf(own);
  const reader = createResultsReader(results, { space: spaceOf(kibana, request) });
  const objects = savedObjectsOf(kibana, request, SAVED_OBJECT_TYPES);
  const namespace = namespaceOf(kibana, request);
  const secrets = createSecrets(objects, kibana.encrypted, namespace);
  const { allowedHosts } = kibana.config.targets;
  const targets = createTargetStore({
    objects,
    secrets,
    client: own,
    local: kibana.elasticsearch(),
    allowedHosts,
  });

  const plain = savedObjectsOf(kibana, request, []);
  const dashboards = createDashboardStore({
    objects: plain,
    importer: kibana.core.savedObjects.createImporter(plain),
    space: spaceOf(kibana, request),
  });

  async function status(): Promise<Status> {
    return {
      version: kibana.version,
      host: 'kibana',
      results: { url: resultsCluster(kibana).hosts.join(', '), ...(await lookAtResults(results)) },
      startsClustersOf: null,
      allowedHosts: allowedHosts === undefined ? null : [...allowedHosts],
      start: null,
      spooled: queue.spooled,
      // Always empty, because Kibana has no webhook: alert rules notify users.
      untold: [],
    };
  }

  async function collector(): Promise<CollectorStatus> {
    const [shippers, known] = await Promise.all([listCollectors(results), targets.list()]);
    return {
      shippers,
      own: { state: 'off', detail: 'Kibana starts no collector: install one on your nodes' },
      configurations: known.map((target) => ({
        target: target.id,
        text: dynobeatExample(
          target.builtIn ? localForCollector(kibana.elasticsearch()) : target,
          resultsCluster(kibana),
        ),
      })),
      packages: [],
    };
  }

  const experiments = withSchedules(createExperimentStore(objects, kibana.experiments), {
    kibana,
    request,
    namespace,
    secrets,
  });
  const runs = requestRuns({ kibana, queue, request, targets, secrets, corpora, results, reader });
  const samples = sharedSamples(results, corpora);
  /**
   * Checks the files of a definition. In a tuning, the file with sample documents may exist only on another node. It is copied to this node
   * before the check.
   */
  const checkAllFiles = async (definition: Definition): Promise<void> => {
    await samples.fetch(definition);
    await checkFiles(definition, corpora);
  };

  const scheduleLog = createScheduleLog(results, { space: spaceOf(kibana, request) });
  const about = createAbout({
    kibana,
    corpora,
    results,
    urls: resultsCluster(kibana).hosts,
    spooled: queue.spooled,
    services: {
      collector,
      results: reader,
      experiments,
      scheduleLog,
      certification: certifier,
      nextDue: (schedule) => nextDue(schedule),
    },
  });

  return {
    about,
    experiments,
    targets,
    runs,
    tunings: requestTunings({
      ...{ kibana, carried: tunings, request, namespace, secrets, objects },
      ...{ experiments, targets, runs, results, reader, samples, checkFiles: checkAllFiles },
    }),
    traffic,
    results: reader,
    resultsClient: results,
    history: createExperimentHistory(results, {
      space: spaceOf(kibana, request),
      memory: kibana.pastRuns,
    }),
    histories: createHistories(results, { space: spaceOf(kibana, request), memory: kibana.histories }),
    annotations: createAnnotationStore(results, {
      space: spaceOf(kibana, request),
      user: () => userOf(own),
    }),
    figures: kibana.figures,
    reports: kibana.reports,
    timeline: createTimelineReader(results),
    dashboards,
    savedSearches: createSavedSearchStore(plain),
    scheduleLog,
    runFiles: createRunFiles({
      results,
      space: spaceOf(kibana, request),
      version: kibana.version,
      folder: kibana.folder,
    }),
    example: kibana.example,
    rejections: createRejectionsReader(results, spaceOf(kibana, request)),
    status,
    collector,
    collectorPackage: () =>
      Promise.reject(
        inputError(
          'collector.no-package',
          '',
          'Kibana has no dynobeat to download: build it in a checkout of Dyno',
        ),
      ),
    certification: certifier,
    nextDue: (schedule) => nextDue(schedule),
    startsClusters: () => false,
    checkFiles: checkAllFiles,
    checkRead: (files) => checkRead(files, corpora),
    previewDocuments: (order, signal) => previewDocuments(order, corpora, signal),
  };
}

/**
 * Returns the name of the request's user from Kibana's own cluster. Notes contain this name as their author. '' if security is disabled.
 */
async function userOf(own: ElasticsearchClient): Promise<string> {
  const user = await ask(own, api.authenticate(), 'read the name of the user', { failed: () => undefined });
  return user?.username ?? '';
}

/** Returns the connection settings of the results cluster, for the configuration of Dyno's collector. */
function resultsCluster({ resultsConnection, elasticsearch }: KibanaServices): NamedCluster {
  if (!resultsConnection) return localForCollector(elasticsearch());
  const { urls, headers, ca, verifyCertificates } = resultsConnection;
  return {
    hosts: [...urls],
    credentials: { kind: headers['authorization'] === undefined ? 'none' : 'api-key', username: null },
    ca: ca ?? null,
    verifyCertificates,
  };
}
