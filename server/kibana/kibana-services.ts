/** Services that a started Kibana process provides to Dyno. */
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
  /** Kibana's plugin for spaces; undefined if it is disabled. */
  spaces: SpacesStart | undefined;
  /** Kibana's plugin that encrypts saved objects; undefined if Kibana has no encryption key. */
  encrypted: EncryptedSavedObjectsStart | undefined;
  /** Returns the connection settings of Kibana's own Elasticsearch. */
  elasticsearch(): ElasticsearchConfig | undefined;
  config: Config;
  log: Logger;
  /** Returns the newest lines that Dyno has written to Kibana's log. */
  logLines(): string[];
  /** Version of Dyno. */
  version: string;
  kibanaVersion: string;
  /** Path of the built server side of the plugin. */
  folder: string;
  /** Folder for results that wait for the results cluster, and for files that experiments may read (`corpora`). */
  dataFolder: string;
  /** Cache of experiments for lists. All spaces share it, because the ids of experiments are unique across spaces. */
  experiments: ExperimentMemory;
  /** Cache of runs that have ended, for lists of runs. */
  pastRuns: PastRunMemory;
  histories: HistoryMemory;
  figures: FigureMemory;
  /** Reads the results of the example run that is part of Dyno. */
  example: () => Promise<ExampleRun>;
  reports: ReportMemory;
  /**
   * Returns the client of the results cluster. `own`: client of Kibana's own cluster, which is returned if the settings name no results
   * cluster.
   */
  resultsOf(own: ElasticsearchClient): ElasticsearchClient;
  /** Returns the complete URL of a page of Dyno, or its path if Kibana does not know its public URL. */
  urlOf(space: string, path: string): string;
  /** Connection to the results cluster that the settings name. Undefined if results are stored in Kibana's own cluster. */
  resultsConnection: Connection | undefined;
}

/**
 * Returns a connection to the results cluster that the settings name; undefined if they name none. Throws an error if the settings are
 * invalid.
 */
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

/**
 * Returns the path of the data folder. By default, it is in `kibanaData`, Kibana's own data path. If that is undefined, the data folder is
 * in the folder for temporary files, and spooled results are lost when the machine restarts.
 */
export const dataFolder = ({ dataFolder: given }: Config, kibanaData: string | undefined): string =>
  given ?? path.join(kibanaData ?? os.tmpdir(), 'dyno');

/**
 * Returns the complete URL of a page of Dyno, or its path if Kibana does not know its public URL. `path` starts with `/`, such as `/runs`.
 */
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

/** Returns the id of the space of the request. It is `default` if spaces are disabled. */
export const spaceOf = ({ spaces }: KibanaServices, request: KibanaRequest): string =>
  spaces?.spacesService.getSpaceId(request) ?? 'default';

/**
 * Returns the namespace in which Kibana stores saved objects of the request's space: undefined for the default space, otherwise the id of
 * the space.
 */
export function namespaceOf({ spaces }: KibanaServices, request: KibanaRequest): string | undefined {
  const service = spaces?.spacesService;
  return service?.spaceIdToNamespace(service.getSpaceId(request));
}
