/** Registers all routes of common/api with Kibana's router. */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { API, type RouteName } from '../../common/api';
import { errorBody, statusOf } from '../../common/api/error';
import { OPENAPI_PATH, openApiDocument } from '../../common/api/openapi';
import { readPart } from '../../common/api/problems';
import type { Privilege, RouteShape } from '../../common/api/route';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { DynoError } from '../../common/problem';
import type { FileAnswer, HandlerContext, Handlers, StreamAnswer } from '../routes/handler';
import { Conflict } from '../routes/services';
import { EVENT_HEADERS } from '../host/http/event-stream';
import { sentFile } from '../host/http/file-answer';
import { eventStream } from './event-stream';
import { withMissingPrivileges } from './missing-privileges';
import { KIBANA } from './openapi';
import type {
  KibanaRequest,
  KibanaResponse,
  Logger,
  ResponseFactory,
  RouteConfig,
  RouteHandler,
  Router,
  Validator,
} from './sdk';
import { routeGuard } from './versions';

export interface RouteOptions {
  router: Router;
  /** Version of Kibana. */
  kibanaVersion: string;
  /** Version of Dyno. */
  version: string;
  /** Returns handlers with the rights of the request's user. Rejects while Kibana is starting. */
  handlersFor(request: KibanaRequest): Promise<Handlers>;
  /** Returns a client of the results cluster with the rights of the request's user. Throws while Kibana is starting. */
  resultsFor(request: KibanaRequest): ElasticsearchClient;
  /** Signal that ends streams when Kibana stops. */
  closing: AbortSignal;
  log: Logger;
}

/** Maximum size of a request body in bytes. A definition may have 1 MB, and may be larger as JSON. */
const BODY_BYTES = 2 * 1024 ** 2;

/** Timeout of a file upload in ms. It includes the time for storing the file, during which the connection is idle. */
const UPLOAD_MS = 10 * 60_000;

/**
 * Validator that accepts any input. Kibana only passes on input that a validator has accepted. The handler itself validates the input with
 * the schema of the route. Therefore, problems are reported with their paths, in the same words as outside Kibana.
 */
const take: Validator = (data, { ok }) => ok(data);

function configOf(
  path: string,
  {
    privilege,
    params,
    query,
    body,
    upload,
    method,
  }: Pick<RouteShape, 'privilege' | 'params' | 'query' | 'body' | 'upload' | 'method'>,
  kibanaVersion: string,
): RouteConfig {
  const { security, tags } = routeGuard(kibanaVersion, privilege);
  return {
    path,
    validate: {
      ...(params ? { params: take } : {}),
      ...(query ? { query: take } : {}),
      ...((body && method !== 'GET') || upload ? { body: take } : {}),
    },
    options: {
      access: 'public',
      ...(tags ? { tags } : {}),
      ...(body ? { body: { maxBytes: BODY_BYTES, accepts: ['application/json'] } } : {}),
      ...(upload
        ? {
            body: {
              maxBytes: upload.mostBytes,
              accepts: [upload.contentType],
              output: 'stream',
              parse: false,
            },
            timeout: { payload: UPLOAD_MS, idleSocket: UPLOAD_MS },
          }
        : {}),
    },
    ...(security ? { security } : {}),
  };
}

type Verb = 'get' | 'post' | 'put' | 'delete';

export function registerRoutes(options: RouteOptions): void {
  const { router, kibanaVersion, version } = options;
  for (const name of Object.keys(API) as RouteName[]) {
    const shape: RouteShape = API[name];
    router[shape.method.toLowerCase() as Verb](
      configOf(shape.path, shape, kibanaVersion),
      failing(options, shape, (request, response) => answer(name, shape, options, request, response)),
    );
  }
  const document = JSON.stringify(openApiDocument(version, KIBANA));
  const privilege: Privilege = 'read';
  router.get(configOf(OPENAPI_PATH, { method: 'GET', privilege }, kibanaVersion), async (_, __, response) =>
    sendJson(response, 200, document),
  );
}

const sendJson = (response: ResponseFactory, statusCode: number, body: string | Readable): KibanaResponse =>
  response.custom({
    statusCode,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body,
  });

async function answer(
  name: RouteName,
  shape: RouteShape,
  { handlersFor, closing }: RouteOptions,
  request: KibanaRequest,
  response: ResponseFactory,
): Promise<KibanaResponse> {
  const input = {
    ...(shape.params ? { params: readPart(shape.params, request.params, 'params') } : {}),
    ...(shape.query ? { query: readPart(shape.query, request.query, 'query') } : {}),
    ...(shape.body ? { body: readPart(shape.body, request.body, '') } : {}),
    ...(shape.upload ? { file: request.body } : {}),
  };
  const gone = new AbortController();
  request.events.aborted$.subscribe(() => gone.abort());
  const signal = AbortSignal.any([gone.signal, closing]);
  // The cast is safe: the route table defines the input and output of each handler by name.
  const handle = (await handlersFor(request))[name] as (
    given: object,
    context: HandlerContext,
  ) => Promise<unknown>;
  const given = await handle(input, { signal });
  if (shape.answer === 'events') {
    const body = await eventStream(checked(given as AsyncIterable<unknown>, shape), signal);
    return response.custom({ statusCode: 200, headers: { ...EVENT_HEADERS }, body });
  }
  if (shape.answer === 'text' || shape.answer === 'file')
    return sendFile(response, given as FileAnswer | StreamAnswer);
  return sendJson(response, shape.status ?? 200, JSON.stringify(shape.response.parse(given)));
}

async function* checked(values: AsyncIterable<unknown>, { response }: RouteShape): AsyncGenerator<unknown> {
  for await (const value of values) yield response.parse(value);
}

function sendFile(response: ResponseFactory, answer: FileAnswer | StreamAnswer): KibanaResponse {
  const { headers, body } = sentFile(answer);
  return response.custom({ statusCode: 200, headers: { ...headers, 'cache-control': 'no-store' }, body });
}

type Work = (request: KibanaRequest, response: ResponseFactory) => Promise<KibanaResponse>;

/**
 * Returns a route handler that calls `work` and turns errors into responses in the format of common/api. An internal error is logged with
 * an id, which the response contains.
 */
function failing(
  { log, resultsFor }: Pick<RouteOptions, 'log' | 'resultsFor'>,
  { method, path, privilege }: RouteShape,
  work: Work,
): RouteHandler {
  return async (_, request, response) => {
    try {
      return await work(request, response);
    } catch (failure) {
      const error = await withMissingPrivileges(failure, privilege, () => resultsFor(request));
      const current = error instanceof Conflict ? error.current : undefined;
      const body = errorBody(error, current);
      if (error instanceof DynoError) return refuse(response, statusOf(error), body.message, body.attributes);
      const id = randomUUID();
      log.error(`${method} ${path} failed (request ${id}): ${stackOf(error)}`);
      const message = `${body.message} under the request ${id}`;
      const problems = body.attributes.problems.map((problem) => ({ ...problem, message }));
      return refuse(response, statusOf(error), message, { problems });
    }
  };
}

const refuse = (
  response: ResponseFactory,
  statusCode: number,
  message: string,
  attributes: Record<string, unknown>,
): KibanaResponse => response.customError({ statusCode, body: { message, attributes } });

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
