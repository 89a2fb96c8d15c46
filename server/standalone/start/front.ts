/**
 * The HTTP server while Elasticsearch is starting. It serves the pages, the example run that is part of Dyno, and the progress of the
 * start. Until the host has started and provides its route handlers, all other requests are refused.
 */
import { API, type RouteName } from '../../../common/api';
import type { Status } from '../../../common/api/host';
import { runError } from '../../../common/problem';
import { createHandlers } from '../../routes';
import type { Handlers } from '../../routes/handler';
import type { Services } from '../../routes/services';
import { createServer, listen, type Address, type ServerOptions } from '../http/server';
import type { StartCourse } from './steps';

export interface Front {
  url: string;
  /** Reads the example run that is part of Dyno. */
  example: Services['example'];
  /** Uses `handlers` for all later requests. */
  serveHandlers(handlers: Handlers): void;
  /** Resolves when an open page has received the reason why the start failed, or after a timeout. */
  failureShown(): Promise<void>;
  close(): Promise<void>;
}

export interface FrontOptions extends Omit<ServerOptions, 'handlers'> {
  address: Address;
  course: StartCourse;
  /** URL of the results cluster; '' if unknown. */
  results: string;
  allowedHosts: readonly string[] | undefined;
  example: Services['example'];
}

/** Time in ms after its last request during which a page counts as open. Pages request the status every second. */
const LOOKED_MS = 5000;
/** Time in ms to wait after a page has requested the reason of a failed start. The page receives the response before the process ends. */
const ANSWER_MS = 200;

/** Returns a service whose methods all throw the error that `refusal` creates. */
const refusing = <Service extends object>(refusal: () => Error): Service =>
  new Proxy({} as Service, {
    get: () => () => {
      throw refusal();
    },
    ownKeys: () => [],
  });

/** Returns the services of a host that is starting. Only the status and the example run work. */
export function startingServices(
  course: StartCourse,
  status: () => Status,
  example: Services['example'],
): Services {
  const refusal = (): Error =>
    runError('server.starting', '', `Dyno is still starting (${course.doing}); try again later`);
  const refuse = (): never => {
    throw refusal();
  };
  return {
    experiments: refusing(refusal),
    targets: refusing(refusal),
    // The methods are listed one by one, because the services for the example copy them.
    runs: {
      start: refuse,
      resume: refuse,
      cancel: refuse,
      progress: refuse,
      runOf: refuse,
      queuedBehind: refuse,
      heldBack: refuse,
      follow: refuse,
      cleanUp: refuse,
      tryRequest: refuse,
      delete: refuse,
    },
    results: {
      getRun: refuse,
      listRuns: refuse,
      getTrials: refuse,
      getRuns: refuse,
      getSamples: refuse,
      getSeriesSamples: refuse,
      listProfiles: refuse,
      getProfiles: refuse,
      findRunsWithReplaced: refuse,
      findActiveRuns: refuse,
    },
    history: refusing(refusal),
    histories: refusing(refusal),
    annotations: refusing(refusal),
    timeline: { timeline: refuse, heatmap: refuse, parts: refuse, distributions: refuse },
    runFiles: { export: refuse, import: refuse, progress: () => null },
    example,
    scheduleLog: refusing(refusal),
    rejections: refusing(refusal),
    status: () => Promise.resolve(status()),
    collector: refuse,
    collectorPackage: refuse,
    about: refusing(refusal),
    certification: refusing(refusal),
    tunings: refusing(refusal),
    traffic: refusing(refusal),
    nextDue: refuse,
    startsClusters: refuse,
    checkFiles: refuse,
    checkRead: refuse,
    previewDocuments: refuse,
  };
}

/** Returns handlers that forward each request to the handlers that `current()` returns at that time. */
function handlersOf(current: () => Handlers): Handlers {
  const names = Object.keys(API) as RouteName[];
  const each = names.map((name) => [
    name,
    (...given: Parameters<Handlers[RouteName]>) =>
      (current()[name] as (...those: typeof given) => unknown)(...given),
  ]);
  return Object.fromEntries(each) as Handlers;
}

/** Starts the HTTP server on `address`. Rejects with an input error `serve.port` or `serve.host`. */
export async function openFront(options: FrontOptions): Promise<Front> {
  const { address, course, results, allowedHosts, example, ...server } = options;
  let askedAt = -Infinity;
  let knowsFailure: () => void = () => undefined;
  const status = (): Status => {
    const { start } = course;
    askedAt = performance.now();
    if (start?.failed) knowsFailure();
    return {
      version: server.version,
      host: 'standalone',
      results: { url: results, version: '', problem: 'Dyno is starting' },
      startsClustersOf: null,
      allowedHosts: allowedHosts === undefined ? null : [...allowedHosts],
      start,
      spooled: 0,
      untold: [],
    };
  };
  let current = createHandlers(startingServices(course, status, example));
  const app = await createServer({ ...server, handlers: handlersOf(() => current) });
  const url = await listen(app, address);
  return {
    url,
    example,
    serveHandlers(handlers) {
      course.ready();
      current = handlers;
    },
    async failureShown() {
      if (performance.now() - askedAt > LOOKED_MS) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LOOKED_MS);
        knowsFailure = () => {
          clearTimeout(timer);
          setTimeout(resolve, ANSWER_MS);
        };
      });
    },
    async close() {
      await app.close();
    },
  };
}
