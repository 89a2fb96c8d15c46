/**
 * The types of Kibana's server-side plugin SDK that Dyno uses. They are copied, because the packages of the SDK are not on npm. They are
 * valid from 8.3 to 9.x unless noted otherwise. Source: the built 8.3.3 (`src/core/server`) and Kibana's main. Paths below are relative to
 * `src/core/packages` there.
 */

import type { TaskManagerSetup, TaskManagerStart } from './schedules/sdk';
import type {
  SavedObjectsType,
  SavedObject,
  SavedObjectsImporter,
  SavedObjectsClient,
  SavedObjectsRepository,
} from './sdk-saved-objects';

/** The part of an rxjs observable that Dyno uses. Kibana provides values that change as observables. */
export interface Observable<T> {
  subscribe(next: (value: T) => void): { unsubscribe(): void };
}

export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** Context that Kibana passes to a plugin when it creates the plugin. Source: `PluginInitializerContext` in plugins/server/src/types.ts. */
export interface PluginContext<Config> {
  env: { packageInfo: { version: string } };
  logger: { get(): Logger };
  config: {
    get(): Config;
    /** Old form of Kibana's settings. Deprecated in 9.x, but still available. Dyno reads only Kibana's data path from it. */
    legacy?: { get?(): { path?: { data?: string } } };
  };
}

/**
 * A request with the transport of the JavaScript client. The client has major version 8 in Kibana 8, and 9 in Kibana 9. Source:
 * elasticsearch/server/src/client.
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
  /** Maximum size of the response, in bytes. Versions that do not have this option ignore it. */
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

/** Argument of `asScoped` without a request of a user. Kibana calls its type `FakeRequest` in 8.3, and `ScopeableRequest` in 9.x. */
export interface ScopeableRequest {
  headers: Record<string, string | string[] | undefined>;
}

/** Settings of Kibana's connection to its own cluster. Source: elasticsearch/server/src/elasticsearch_config.ts. */
export interface ElasticsearchConfig {
  hosts: readonly string[];
  ssl: {
    verificationMode: 'none' | 'certificate' | 'full';
    /** Certificates of the certificate authorities, as PEM text. */
    certificateAuthorities?: readonly string[];
  };
  /** Credentials of Kibana itself: a user name or a service account token. Both are absent if security is disabled. */
  username?: string;
  serviceAccountToken?: string;
}

/** A request of a user to Kibana. Source: http/server/src/router/request.ts. */
export interface KibanaRequest extends ScopeableRequest {
  params: unknown;
  query: unknown;
  body: unknown;
  events: { aborted$: Observable<unknown> };
}

export interface KibanaResponse {
  readonly status: number;
}

/** Creates the responses of a route. Source: http/server/src/router/response_factory.ts. */
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

/**
 * Passed to a validator, which returns one of its two results. Kibana accepts such functions as validators, in addition to schemas. Source:
 * http/server/src/router/route_validator.ts.
 */
export interface ValidationResolver {
  ok(value: unknown): { value: unknown };
  badRequest(error: string): { error: unknown };
}
export type Validator = (
  data: unknown,
  resolver: ValidationResolver,
) => { value: unknown } | { error: unknown };

export interface RouteGuard {
  /** Authorization of the route. It exists since 8.16, and is mandatory since 9.1. Source: http/server/src/router/route.ts. */
  security?: { authz: { requiredPrivileges: string[] } };
  /** Tags of the route. Tags with the prefix `access:` are the authorization in versions without `security`. */
  tags?: string[];
}

export interface RouteConfig {
  path: string;
  validate: { params?: Validator; query?: Validator; body?: Validator };
  options: {
    /** Whether the route is for users or internal. Used since 8.4; older versions ignore it. */
    access: 'public' | 'internal';
    tags?: string[];
    /** With `output: 'stream'` and `parse: false`, Kibana passes on the body unchanged, in chunks. */
    body?: { maxBytes: number; accepts: string[]; output?: 'stream'; parse?: false };
    /** Timeouts of the route for receiving the body and for an idle connection, in ms. */
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

/** Kibana's interface for API keys. Since 8.17, it belongs to the core. In older versions, it belongs to the plugin `security`. */
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
  /**
   * Invalidates API keys. Resolves to null if security is disabled, or if Kibana does not know yet whether it is enabled. An unknown or
   * already invalid key is not an error.
   */
  invalidateAsInternalUser(params: { ids: string[] }): Promise<{ error_count: number } | null>;
}

export interface SecurityContract {
  authc: { apiKeys: ApiKeys };
}

/**
 * Rule types for which a feature grants privileges. Before 8.18, these are the ids of rule types. Since 8.18, each has its consumers. No
 * version accepts both forms.
 */
export type AlertingGrants = string[] | { ruleTypeId: string; consumers: string[] }[];

/**
 * Privileges that one level of a feature, such as read, grants. Kibana throws on unknown keys. Source:
 * x-pack/platform/plugins/shared/features/common/kibana_feature.ts.
 */
export interface FeaturePrivilege {
  management?: Record<string, string[]>;
  alerting?: Record<'rule' | 'alert', { all?: AlertingGrants; read?: AlertingGrants }>;
  app: string[];
  /** Entries on Kibana's home page that users with this privilege see. */
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

/**
 * The setup contract of Kibana's plugin that encrypts saved objects. Source: x-pack/platform/plugins/shared/encrypted_saved_objects/server.
 */
export interface EncryptedSavedObjectsSetup {
  /** Whether Kibana's settings contain `xpack.encryptedSavedObjects.encryptionKey`. */
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
  /** The alerting plugin, which may be missing. `registerRuleType` accepts the rule types of alerting/sdk.ts. */
  alerting?: { registerType(ruleType: object): void };
  features: { registerKibanaFeature(feature: KibanaFeature): void };
  taskManager: TaskManagerSetup;
  encryptedSavedObjects?: EncryptedSavedObjectsSetup;
}

/** The start contract of Kibana's plugin for spaces. Source: x-pack/platform/plugins/shared/spaces/server. */
export interface SpacesStart {
  spacesService: {
    getSpaceId(request: KibanaRequest): string;
    /** Returns the namespace of a space. It is undefined for the default space. */
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
  /** Base paths of Kibana's URLs. They begin with `/` and do not end with `/`. Source: http/server/src/base_path.ts. */
  http: {
    basePath: {
      serverBasePath: string;
      /** The setting `server.publicBaseUrl`, which includes the base path. Undefined if it is not set. */
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
    /** Creates an importer with the rights of a client. Source: `SavedObjectsServiceStart` in saved-objects/server/src/contracts.ts. */
    createImporter(client: SavedObjectsClient): SavedObjectsImporter;
  };
  /** Security functions of the core, which exist since 8.17. */
  security?: SecurityContract;
}
