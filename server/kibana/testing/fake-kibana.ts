/** A fake of Kibana, as strict as the strictest version: what Kibana would refuse throws here. */
import { checkGrants } from '../alerting/testing/fake-grants';
import type {
  TaskDefinition,
  TaskInstance,
  TaskManagerSetup,
  TaskManagerStart,
  TaskResult,
} from '../schedules/sdk';
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

function demandKeys(what: string, value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw new Error(`${what}: definition for this key is missing: ${unknown.join(', ')}`);
}

/** `kibanaVersion`: from 9.1 a route without `security` throws; before 8.17 `security` guards nothing. */
export function fakeRouter(kibanaVersion: string): Router & { routes: Registered[] } {
  const routes: Registered[] = [];
  const [major = 0, minor = 0] = kibanaVersion.split('.').map(Number);
  const takes = (method: string) => (config: RouteConfig, handler: RouteHandler) => {
    demandKeys(config.path, config, ['path', 'validate', 'options', 'security']);
    demandKeys(config.path, config.options, ['access', 'tags', 'body']);
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

/** Asks a route as Kibana does: what has no validator does not come through. */
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

/** Throws for what `registerKibanaFeature` refuses in any version from 8.3, or in this one. */
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

export interface FakeTaskManager extends TaskManagerSetup, TaskManagerStart {
  /** Runs what is due by the clock, each once, as Task Manager does with what its runs tell. */
  runDue(): Promise<void>;
  /** Ids of the tasks that there are. */
  ids(): string[];
}

/**
 * Throws for definitions that some version refuses or silently leaves out (8.3 knows no `cost` and `priority`, newer ones
 * forbid `maxConcurrency`), for tasks of unknown types, and for what a run may not tell.
 */
export function fakeTaskManager(): FakeTaskManager {
  const definitions = new Map<string, TaskDefinition>();
  const tasks = new Map<string, { task: TaskInstance; runAt: Date; interval: boolean }>();
  const missing = (id: string): Error =>
    Object.assign(new Error(`Saved object [task/${id}] not found`), { output: { statusCode: 404 } });

  function keep(task: TaskInstance & { runAt?: Date }, interval: boolean): void {
    demandKeys('task', task, ['id', 'taskType', 'params', 'state', 'runAt', 'schedule']);
    if (!definitions.has(task.taskType)) throw new Error(`Unsupported task type "${task.taskType}"`);
    const { id, taskType, params, state, runAt = new Date() } = structuredClone(task);
    tasks.set(id, { task: { id, taskType, params, state }, runAt, interval });
  }

  function conclude(id: string, result: TaskResult): void {
    demandKeys('the result of a task', result, ['state', 'runAt']);
    const kept = tasks.get(id);
    if (!kept) return;
    if (result.runAt)
      tasks.set(id, { ...kept, task: { ...kept.task, state: result.state }, runAt: result.runAt });
    else if (!kept.interval) tasks.delete(id);
  }

  return {
    registerTaskDefinitions(given) {
      for (const [type, definition] of Object.entries(given)) {
        demandKeys(type, definition, ['title', 'description', 'timeout', 'maxAttempts', 'createTaskRunner']);
        if (definitions.has(type)) throw new Error(`Task ${type} is already defined!`);
        definitions.set(type, definition);
      }
    },
    schedule: (task) =>
      Promise.resolve().then(() => {
        if (tasks.has(task.id)) throw Object.assign(new Error('conflict'), { output: { statusCode: 409 } });
        keep(task, false);
      }),
    ensureScheduled: (task) => Promise.resolve().then(() => tasks.has(task.id) || keep(task, true)),
    removeIfExists: (id) => Promise.resolve(void tasks.delete(id)),
    get: (id) =>
      Promise.resolve().then(() => {
        const kept = tasks.get(id);
        if (!kept) throw missing(id);
        return structuredClone(kept.task);
      }),
    fetch: ({ query, size }) => {
      const { 'task.taskType': type } = (query as { term: Record<string, string> }).term;
      const docs = [...tasks.values()].map(({ task }) => task).filter(({ taskType }) => taskType === type);
      return Promise.resolve({ docs: structuredClone(docs.slice(0, size)) });
    },
    async runDue() {
      const due = [...tasks.values()].filter(({ runAt }) => runAt.getTime() <= Date.now());
      for (const { task } of due) {
        const runner = definitions
          .get(task.taskType)!
          .createTaskRunner({ taskInstance: structuredClone(task) });
        conclude(task.id, await runner.run());
      }
    },
    ids: () => [...tasks.keys()],
  };
}
