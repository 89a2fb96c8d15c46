/** What one Kibana process gives to everything of Dyno in it, once it has started. */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { ExperimentMemory } from '../host/stores/experiment-store';
import type { PastRunMemory } from '../results/experiment-history';
import type { HistoryMemory } from '../results/history-memory';
import type { ExampleRun } from '../results/example-run';
import type { ReportMemory } from '../routes/report-cache';
import type { FigureMemory } from '../routes/run-figures';
import { Connection } from '../target-cluster/connection';
import { basic } from '../target-cluster/hosts';
import type { Config } from './config';
import type { TaskManagerStart } from './schedules/sdk';
import type {
  ApiKeys,
  CoreStart,
  ElasticsearchConfig,
  EncryptedSavedObjectsStart,
  KibanaRequest,
  Logger,
  SpacesStart,
} from './sdk';
import type { SavedObjectsClient } from './sdk-saved-objects';

export interface KibanaServices {
  core: CoreStart;
  apiKeys: ApiKeys | undefined;
  taskManager: TaskManagerStart;
  /** Undefined where there are none. */
  spaces: SpacesStart | undefined;
  /** Undefined where Kibana has no key to encrypt with. */
  encrypted: EncryptedSavedObjectsStart | undefined;
  /** How Kibana reaches its Elasticsearch. */
  elasticsearch(): ElasticsearchConfig | undefined;
  config: Config;
  log: Logger;
  /** What was written to it, the newest lines. */
  logLines(): string[];
  /** Of Dyno. */
  version: string;
  kibanaVersion: string;
  /** Of the built plugin's server side. */
  folder: string;
  /** Where the spool and the corpora are. */
  dataFolder: string;
  /** What lists of experiments have read, in all spaces: ids are the same in none of two. */
  experiments: ExperimentMemory;
  /** What they have read of runs, and of the trials of these. */
  pastRuns: PastRunMemory;
  nights: HistoryMemory;
  figures: FigureMemory;
  /** Reads the recorded example. */
  example: () => Promise<ExampleRun>;
  reports: ReportMemory;
  /** The cluster that keeps the results: the one of the settings, else Kibana's, which `own` reaches. */
  resultsOf(own: ElasticsearchClient): ElasticsearchClient;
  /** The whole URL of a page of Dyno's, or its path where Kibana does not know how it is reached from outside. */
  urlOf(space: string, path: string): string;
  /** Of the cluster of the settings; undefined for Kibana's own. */
  resultsConnection: Connection | undefined;
}

/** Throws a DynoError for settings that no cluster can be reached with. */
export function connectResults({ results }: Config): Connection | undefined {
  const { hosts, apiKey, username, password, certificateAuthority, verifyCertificates } = results;
  if (hosts === undefined) return undefined;
  return new Connection({
    hosts,
    authorization:
      apiKey !== undefined
        ? `ApiKey ${apiKey}`
        : username !== undefined
          ? basic(username, password ?? '')
          : undefined,
    ca: certificateAuthority === undefined ? undefined : readFileSync(certificateAuthority, 'utf8'),
    verifyCertificates,
  });
}

/** `kibanaData`: Kibana's own; without it what waits for the results does not outlive the machine's next start. */
export const dataFolder = ({ dataFolder: given }: Config, kibanaData: string | undefined): string =>
  given ?? path.join(kibanaData ?? os.tmpdir(), 'dyno');

/** `path` begins with `/`, as `/runs`. */
export function urlOf({ http: { basePath } }: CoreStart, space: string, path: string): string {
  const inSpace = space === 'default' ? '' : `/s/${encodeURIComponent(space)}`;
  return `${basePath.publicBaseUrl ?? basePath.serverBasePath}${inSpace}/app/dyno${path}`;
}

export const savedObjectsOf = (
  { core }: KibanaServices,
  request: KibanaRequest,
  includedHiddenTypes: readonly string[],
): SavedObjectsClient =>
  core.savedObjects.getScopedClient(request, { includedHiddenTypes: [...includedHiddenTypes] });

/** Id of the space that the request was made in; `default` too where there are none. */
export const spaceOf = ({ spaces }: KibanaServices, request: KibanaRequest): string =>
  spaces?.spacesService.getSpaceId(request) ?? 'default';

/** Of the space that the request was made in; undefined for the default one. */
export function namespaceOf({ spaces }: KibanaServices, request: KibanaRequest): string | undefined {
  const service = spaces?.spacesService;
  return service?.spaceIdToNamespace(service.getSpaceId(request));
}
