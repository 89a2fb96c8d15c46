/** Simulates the services that Kibana provides to Dyno, for tests and benchmarks: saved objects in memory, with a real Elasticsearch. */
import type { Connection } from '../../target-cluster/connection';
import { experimentMemory } from '../../host/stores/experiment-store';
import { pastRunMemory } from '../../results/experiment-history';
import { historyMemory } from '../../results/history-memory';
import { recordedIn } from '../../results/example-run';
import { ReportMemory } from '../../routes/report-cache';
import { figureMemory } from '../../routes/run-figures';
import type { KibanaServices } from '../kibana-services';
import type { TaskManagerStart } from '../schedules/sdk';
import type { ApiKeys, KibanaElasticsearchClient } from '../sdk';
import type { FakeSavedObjects } from './fake-saved-objects';

/** Wraps a real cluster in the interface of Kibana's client, where unsuccessful answers are errors. */
const elasticsearch = (client: Connection): KibanaElasticsearchClient => ({
  transport: {
    async request({ method, path, querystring, body, bulkBody }, { requestTimeout, signal }) {
      const { status, body: answer } = await client.request({
        method: method as 'GET',
        path,
        query: querystring,
        body: bulkBody ?? body,
        timeoutMs: requestTimeout,
        signal,
      });
      if (status < 400) return { statusCode: status, body: answer };
      const meta = { statusCode: status, body: answer };
      throw Object.assign(new Error(`status ${status}`), { name: 'ResponseError', meta });
    },
  },
});

export interface FakeKibanaOptions {
  client: Connection;
  objects: FakeSavedObjects;
  taskManager: TaskManagerStart;
  apiKeys?: ApiKeys;
  canEncrypt?: boolean;
  /** Folder for all files. */
  folder: string;
}

export function fakeKibanaServices(options: FakeKibanaOptions): KibanaServices {
  const { client, objects, taskManager, apiKeys, canEncrypt = true, folder } = options;
  return {
    core: {
      http: { basePath: { serverBasePath: '' } },
      elasticsearch: {
        client: {
          asInternalUser: elasticsearch(client),
          asScoped: () => ({ asCurrentUser: elasticsearch(client) }),
        },
      },
      savedObjects: {
        getScopedClient: () => objects.client,
        createInternalRepository: () => objects.repository,
        // An importer that does nothing.
        createImporter: () => ({ import: () => Promise.resolve({ success: true }) }),
      },
    },
    apiKeys,
    taskManager,
    spaces: undefined,
    encrypted: canEncrypt ? objects.encrypted : undefined,
    elasticsearch: () => ({ hosts: client.urls, ssl: { verificationMode: 'full' } }),
    config: {
      enabled: true,
      results: {
        hosts: undefined,
        apiKey: undefined,
        username: undefined,
        password: undefined,
        certificateAuthority: undefined,
        verifyCertificates: true,
      },
      targets: { allowedHosts: undefined },
      retention: { samples: undefined },
      seats: { lend: true, labels: {} },
      limits: { workers: undefined, spoolMegabytes: 16 },
      dataFolder: undefined,
    },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    logLines: () => [],
    version: 'test',
    kibanaVersion: '9.5.3',
    folder,
    dataFolder: folder,
    experiments: experimentMemory(),
    pastRuns: pastRunMemory(),
    histories: historyMemory(),
    figures: figureMemory(),
    example: recordedIn('common/example/run.dyno-runs.gz'),
    reports: new ReportMemory(),
    resultsOf: (own) => own,
    urlOf: (space, path) => `/s/${space}/app/dyno${path}`,
    resultsConnection: undefined,
  };
}
