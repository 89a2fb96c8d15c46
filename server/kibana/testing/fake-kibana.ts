/** Simulates Kibana as strictly as the strictest version: it throws for everything that Kibana would refuse. */
import { checkGrants } from '../alerting/testing/fake-grants';
import type {
  KibanaFeature,
  KibanaRequest,
  KibanaResponse,
  ResponseFactory,
  RouteConfig,
  RouteHandler,
  Router,
} from '../sdk';

export interface Registered {
  method: string;
  config: RouteConfig;
  handler: RouteHandler;
}

/** Throws for unknown keys as Kibana's strict schemas do. */
export function demandKeys(what: string, value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw new Error(`${what}: definition for this key is missing: ${unknown.join(', ')}`);
}

/** Simulates a router. It throws for a route without access control: before 8.17 a tag `access:...`, from then on the option `security`. */
export function fakeRouter(kibanaVersion: string): Router & { routes: Registered[] } {
  const routes: Registered[] = [];
  const [major = 0, minor = 0] = kibanaVersion.split('.').map(Number);
  const takes = (method: string) => (config: RouteConfig, handler: RouteHandler) => {
    demandKeys(config.path, config, ['path', 'validate', 'options', 'security']);
    demandKeys(config.path, config.options, ['access', 'tags', 'body', 'timeout']);
    demandKeys(config.path, config.validate, ['params', 'query', 'body']);
    if (major * 100 + minor >= 901 && !config.security) {
      throw new Error(`${config.path}: [security]: route must define authz`);
    }
    const guarded =
      major * 100 + minor >= 817
        ? config.security
        : config.options.tags?.some((tag) => tag.startsWith('access:'));
    if (!guarded) throw new Error(`${config.path} is open to everybody`);
    if (routes.some((route) => route.method === method && route.config.path === config.path)) {
      throw new Error(`${config.path} is registered twice`);
    }
    routes.push({ method, config, handler });
  };
  return { routes, get: takes('get'), post: takes('post'), put: takes('put'), delete: takes('delete') };
}

export interface Told extends KibanaResponse {
  headers: Record<string, string>;
  body: unknown;
}

const factory: ResponseFactory = {
  custom: ({ statusCode, headers = {}, body }): Told => ({ status: statusCode, headers, body }),
  customError({ statusCode, headers = {}, body }): Told {
    if (statusCode < 400 || statusCode > 599) throw new Error(`${statusCode} is no status of an error`);
    return { status: statusCode, headers, body };
  },
};

/** Sends a request to a route as Kibana does. `params`, `query` or `body` reach the handler only if the route has a validator for them. */
export async function askRoute(
  { config, handler }: Registered,
  given: { params?: unknown; query?: unknown; body?: unknown } = {},
  gone: (leave: () => void) => void = () => undefined,
): Promise<Told> {
  const part = (name: 'params' | 'query' | 'body'): unknown => {
    const validator = config.validate[name];
    if (!validator) return {};
    const result = validator(given[name] ?? (name === 'body' ? null : {}), {
      ok: (value) => ({ value }),
      badRequest: (error) => ({ error }),
    });
    if ('error' in result) throw new Error(String(result.error));
    return result.value;
  };
  const request: KibanaRequest = {
    headers: {},
    params: part('params'),
    query: part('query'),
    body: part('body'),
    events: {
      aborted$: {
        subscribe: (next) => {
          gone(() => next(undefined));
          return { unsubscribe: () => undefined };
        },
      },
    },
  };
  return (await handler({}, request, factory)) as Told;
}

/**
 * Throws for features that `registerKibanaFeature` of any supported version refuses. `kibanaVersion`: version whose form of the alerting
 * grants is required.
 */
export function checkFeature(feature: KibanaFeature, kibanaVersion: string): void {
  demandKeys('feature', feature, [
    'id',
    'name',
    'category',
    'app',
    'catalogue',
    'management',
    'alerting',
    'privileges',
  ]);
  for (const privilege of [feature.privileges.all, feature.privileges.read]) {
    demandKeys('privilege', privilege, [
      'app',
      'api',
      'catalogue',
      'management',
      'alerting',
      'savedObject',
      'ui',
    ]);
    for (const part of ['app', 'catalogue'] as const) {
      const undeclared = privilege[part].filter((entry) => !feature[part].includes(entry));
      if (undeclared.length > 0) throw new Error(`the feature does not declare ${undeclared.join(', ')}`);
    }
  }
  for (const part of ['app', 'catalogue'] as const) {
    const granted = [feature.privileges.all, feature.privileges.read].flatMap((privilege) => privilege[part]);
    const unused = feature[part].filter((entry) => !granted.includes(entry));
    if (unused.length > 0) throw new Error(`no privilege grants ${unused.join(', ')}`);
  }
  checkGrants(feature, kibanaVersion);
}
