/**
 * The parts of Kibana's server-side plugin SDK that Dyno uses; its packages are not on npm. Valid from 8.3 to 9.x unless noted otherwise.
 * Source: the built 8.3.3 (`src/core/server`) and Kibana's main (`src/core/packages/*`, paths below).
 */

import type { TaskManagerSetup, TaskManagerStart } from './schedules/sdk';
import type {
  SavedObjectsType,
  SavedObject,
  SavedObjectsImporter,
  SavedObjectsClient,
  SavedObjectsRepository,
} from './sdk-saved-objects';

/** Observable of rxjs, which is how Kibana provides values that change. */
export interface Observable<T> {
  subscribe(next: (value: T) => void): { unsubscribe(): void };
}

export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** From plugins/server/src/types.ts (`PluginInitializerContext`). What Kibana passes to a plugin when it creates it. */
export interface PluginContext<Config> {
  env: { packageInfo: { version: string } };
  logger: { get(): Logger };
  config: {
    get(): Config;
    /** Deprecated in 9.x, but still available. Dyno uses it only to find Kibana's data folder. */
    legacy?: { get?(): { path?: { data?: string } } };
  };
}

/**
 * From elasticsearch/server/src/client. The transport of the JavaScript client, which has major version 8 in Kibana 8, and 9 in Kibana 9.
 */
export interface TransportRequest {
  method: string;
  path: string;
  querystring?: Readonly<Record<string, string | number | boolean>>;
  /** Request body as an object, which is sent as JSON. */
  body?: unknown;
  /** Request body as NDJSON, which is sent unchanged. */
  bulkBody?: string;
}

export interface TransportOptions {
  meta: true;
  signal?: AbortSignal;
  /** Timeout of the request, in ms. */
  requestTimeout?: number;
  maxRetries?: number;
  /** Maximum size of the response, in bytes; versions without this option ignore it. */
  maxResponseSize?: number;
}

export interface KibanaElasticsearchClient {
  transport: {
    request(
      request: TransportRequest,
      options: TransportOptions,
    ): Promise<{ statusCode: number | null; body: unknown }>;
  };
}

export interface ScopedClusterClient {
  asCurrentUser: KibanaElasticsearchClient;
}

/** Argument of `asScoped` if there is no request: `FakeRequest` in 8.3, `ScopeableRequest` in 9.x. */
export interface ScopeableRequest {
  headers: Record<string, string | string[] | undefined>;
}

/** From elasticsearch/server/src/elasticsearch_config.ts. */
export interface ElasticsearchConfig {
  hosts: readonly string[];
  ssl: {
    verificationMode: 'none' | 'certificate' | 'full';
    /** Certificate authorities, as PEM. */
    certificateAuthorities?: readonly string[];
  };
  /** Credentials of Kibana itself; both absent without security. */
  username?: string;
  serviceAccountToken?: string;
}

/** From http/server/src/router/request.ts. */
export interface KibanaRequest extends ScopeableRequest {
  params: unknown;
  query: unknown;
  body: unknown;
  events: { aborted$: Observable<unknown> };
}

export interface KibanaResponse {
  readonly status: number;
}

/** From http/server/src/router/response_factory.ts. */
export interface ResponseFactory {
  custom(options: {
    statusCode: number;
    headers?: Record<string, string>;
    body?: string | NodeJS.ReadableStream;
  }): KibanaResponse;
  customError(options: {
    statusCode: number;
    headers?: Record<string, string>;
    body: { message: string; attributes?: Record<string, unknown> };
  }): KibanaResponse;
}

/** From http/server/src/router/route_validator.ts. Kibana accepts plain functions as well as schemas. */
export interface ValidationResolver {
  ok(value: unknown): { value: unknown };
  badRequest(error: string): { error: unknown };
}
export type Validator = (
  data: unknown,
  resolver: ValidationResolver,
) => { value: unknown } | { error: unknown };

export interface RouteGuard {
  /** Authorization of the route, from 8.16 on (main: http/server/src/router/route.ts). Mandatory from 9.1 on. */
  security?: { authz: { requiredPrivileges: string[] } };
  /** Tags of the route. Tags with the prefix `access:` are the authorization in versions without `security`. */
  tags?: string[];
}

export interface RouteConfig {
  path: string;
  validate: { params?: Validator; query?: Validator; body?: Validator };
  options: {
    /** Whether the route is for users or internal. From 8.4; ignored before. */
    access: 'public' | 'internal';
    tags?: string[];
    /** With `output: 'stream'` and `parse: false`, Kibana passes on the body unchanged, in chunks. */
    body?: { maxBytes: number; accepts: string[]; output?: 'stream'; parse?: false };
    /** Timeouts of the route, in ms. */
    timeout?: { payload: number; idleSocket: number };
  };
  security?: RouteGuard['security'];
}

export type RouteHandler = (
  context: unknown,
  request: KibanaRequest,
  response: ResponseFactory,
) => Promise<KibanaResponse>;

export interface Router {
  get(config: RouteConfig, handler: RouteHandler): void;
  post(config: RouteConfig, handler: RouteHandler): void;
  put(config: RouteConfig, handler: RouteHandler): void;
  delete(config: RouteConfig, handler: RouteHandler): void;
}

/** Kibana's interface for API keys. It belongs to the core from 8.17 on, and to the plugin `security` in older versions. */
export interface ApiKeys {
  /** Creates an API key with the rights of the request's user. Resolves to null if security or API keys are disabled. */
  grantAsInternalUser(
    request: KibanaRequest,
    params: {
      name: string;
      role_descriptors: Record<string, never>;
      metadata: Record<string, unknown>;
      expiration?: string;
    },
  ): Promise<{ id: string; api_key: string } | null>;
  /** Resolves to null if security is disabled or not known yet. An unknown or already invalid key is not an error. */
  invalidateAsInternalUser(params: { ids: string[] }): Promise<{ error_count: number } | null>;
}

export interface SecurityContract {
  authc: { apiKeys: ApiKeys };
}

/** Ids of rule types before 8.18; from 8.18 on, rule types with their consumers. No version accepts both forms. */
export type AlertingGrants = string[] | { ruleTypeId: string; consumers: string[] }[];

/** From x-pack/platform/plugins/shared/features/common/kibana_feature.ts. Kibana throws if there are unknown keys. */
export interface FeaturePrivilege {
  management?: Record<string, string[]>;
  alerting?: Record<'rule' | 'alert', { all?: AlertingGrants; read?: AlertingGrants }>;
  app: string[];
  /** Entries on Kibana's home page. */
  catalogue: string[];
  api: string[];
  savedObject: { all: string[]; read: string[] };
  ui: string[];
}

export interface KibanaFeature {
  id: string;
  name: string;
  category: { id: string; label: string; order: number; euiIconType: string };
  app: string[];
  catalogue: string[];
  management?: Record<string, string[]>;
  alerting?: AlertingGrants;
  privileges: { all: FeaturePrivilege; read: FeaturePrivilege };
}

/** x-pack/platform/plugins/shared/encrypted_saved_objects/server */
export interface EncryptedSavedObjectsSetup {
  /** False without `xpack.encryptedSavedObjects.encryptionKey`. */
  canEncrypt: boolean;
  registerType(registration: {
    type: string;
    attributesToEncrypt: Set<string>;
    attributesToExcludeFromAAD?: Set<string>;
  }): void;
}

export interface EncryptedSavedObjectsStart {
  getClient(options: { includedHiddenTypes: string[] }): {
    getDecryptedAsInternalUser<T>(
      type: string,
      id: string,
      options: { namespace?: string },
    ): Promise<SavedObject<T>>;
  };
}

export interface SetupPlugins {
  /** Accepts a rule type of alerting/sdk.ts. */
  alerting?: { registerType(ruleType: object): void };
  features: { registerKibanaFeature(feature: KibanaFeature): void };
  taskManager: TaskManagerSetup;
  encryptedSavedObjects?: EncryptedSavedObjectsSetup;
}

/** x-pack/platform/plugins/shared/spaces/server */
export interface SpacesStart {
  spacesService: {
    getSpaceId(request: KibanaRequest): string;
    /** Returns the namespace of a space; undefined for the default space. */
    spaceIdToNamespace(spaceId: string): string | undefined;
  };
}

export interface StartPlugins {
  taskManager: TaskManagerStart;
  security?: SecurityContract;
  spaces?: SpacesStart;
  encryptedSavedObjects?: EncryptedSavedObjectsStart;
}

export interface CoreSetup {
  http: { createRouter(): Router };
  elasticsearch: { legacy?: { config$?: Observable<ElasticsearchConfig> } };
  savedObjects: { registerType(type: SavedObjectsType): void };
}

export interface CoreStart {
  /** From http/server/src/base_path.ts. Paths begin with `/` and do not end with `/`. */
  http: {
    basePath: {
      serverBasePath: string;
      /** `server.publicBaseUrl`, including the base path. */
      publicBaseUrl?: string;
    };
  };
  elasticsearch: {
    client: {
      asInternalUser: KibanaElasticsearchClient;
      asScoped(request: ScopeableRequest): ScopedClusterClient;
    };
  };
  savedObjects: {
    getScopedClient(request: KibanaRequest, options: { includedHiddenTypes: string[] }): SavedObjectsClient;
    createInternalRepository(includedHiddenTypes: string[]): SavedObjectsRepository;
    /** saved-objects/server/src/contracts.ts: `SavedObjectsServiceStart`. */
    createImporter(client: SavedObjectsClient): SavedObjectsImporter;
  };
  /** API of security, from 8.17. */
  security?: SecurityContract;
}
