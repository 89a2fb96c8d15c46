/** What the routes need, as Kibana provides it to one request: everything with the rights of its user. */
import type { CollectorStatus, Status } from '../../common/api/host';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { createCourseReader } from '../results/course';
import { createExperimentHistory } from '../results/experiment-history';
import { createResultsReader } from '../results/reader';
import { createRejectionsReader } from '../results/rejections';
import { collectorShippers } from '../results/shippers';
import type { Services } from '../routes/services';
import { nextDue } from '../run/schedules';
import { checkFiles } from '../host/corpora';
import { dynobeatExample, type NamedCluster } from '../host/dynobeat-example';
import { lookAtResults } from '../host/results-status';
import type { Carriers } from './carriers';
import { asElasticsearchClient } from './elasticsearch';
import { createDashboardStore } from './dashboards/store';
import { createExperimentStore } from './experiments';
import { namespaceOf, savedObjectsOf, spaceOf, type House } from './house';
import { localForCollector } from './local-target';
import { requestRuns } from './request-runs';
import { withSchedules } from './schedules/keeper';
import { EXPERIMENT_TYPE, SECRET_TYPE, TARGET_TYPE } from './saved-objects';
import type { KibanaRequest } from './sdk';
import { createSecrets } from './secrets';
import { createTargetStore } from './targets';

export interface RequestServices extends Omit<Services, 'runs'> {
  runs: Omit<Services['runs'], 'close'>;
  /** The cluster that keeps the results, as the user. */
  resultsClient: ElasticsearchClient;
}

export interface ServiceParts {
  house: House;
  carriers: Carriers;
  /** Folder of the files that experiments may read. */
  corpora: string;
}

export function createServices(
  { house, carriers, corpora }: ServiceParts,
  request: KibanaRequest,
): RequestServices {
  const own = asElasticsearchClient(house.core.elasticsearch.client.asScoped(request).asCurrentUser);
  const results = house.resultsOf(own);
  const reader = createResultsReader(results, { space: spaceOf(house, request) });
  const objects = savedObjectsOf(house, request, [EXPERIMENT_TYPE, TARGET_TYPE, SECRET_TYPE]);
  const namespace = namespaceOf(house, request);
  const secrets = createSecrets(objects, house.encrypted, namespace);
  const { allowedHosts } = house.config.targets;
  const targets = createTargetStore({
    objects,
    secrets,
    client: own,
    local: house.elasticsearch(),
    allowedHosts,
  });

  const plain = savedObjectsOf(house, request, []);
  const dashboards = createDashboardStore({
    objects: plain,
    importer: house.core.savedObjects.createImporter(plain),
    space: spaceOf(house, request),
  });

  async function status(): Promise<Status> {
    return {
      version: house.version,
      host: 'kibana',
      results: { url: resultsCluster(house).hosts.join(', '), ...(await lookAtResults(results)) },
      startsClustersOf: null,
      allowedHosts: allowedHosts === undefined ? null : [...allowedHosts],
      spooled: carriers.spooled,
    };
  }

  async function collector(): Promise<CollectorStatus> {
    const [shippers, known] = await Promise.all([collectorShippers(results), targets.list()]);
    return {
      shippers,
      own: { state: 'off', detail: 'Kibana starts none: install one beside your nodes' },
      configurations: known.map((target) => ({
        target: target.id,
        text: dynobeatExample(
          target.builtIn ? localForCollector(house.elasticsearch()) : target,
          resultsCluster(house),
        ),
      })),
    };
  }

  return {
    experiments: withSchedules(createExperimentStore(objects), { house, request, namespace, secrets }),
    targets,
    runs: requestRuns({ house, carriers, request, targets, results, reader }),
    results: reader,
    resultsClient: results,
    history: createExperimentHistory(results),
    course: createCourseReader(results),
    dashboards,
    rejections: createRejectionsReader(results, spaceOf(house, request)),
    status,
    collector,
    nextDue: (schedule) => nextDue(schedule),
    startsClusters: () => false,
    checkFiles: (definition) => checkFiles(definition, corpora),
  };
}

/** As a collector's configuration names it. */
function resultsCluster({ resultsConnection, elasticsearch }: House): NamedCluster {
  if (!resultsConnection) return localForCollector(elasticsearch());
  const { urls, headers, ca, verifyCertificates } = resultsConnection;
  return {
    hosts: [...urls],
    credentials: { kind: headers['authorization'] === undefined ? 'none' : 'api-key', username: null },
    ca: ca ?? null,
    verifyCertificates,
  };
}
