/** The HTTP server: the routes of the API, the OpenAPI document, Dyno's pages, and access control. */
import { randomUUID } from 'node:crypto';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { API, type RouteName } from '../../../common/api';
import { errorBody } from '../../../common/api/error';
import { OPENAPI_PATH, openApiDocument } from '../../../common/api/openapi';
import { readPart } from '../../../common/api/problems';
import type { RouteShape } from '../../../common/api/route';
import { DynoError, inputError, runError } from '../../../common/problem';
import { sentFile } from '../../host/http/file-answer';
import type { FileAnswer, HandlerContext, Handlers, StreamAnswer } from '../../routes/handler';
import { sendEvents } from './event-stream';
import { sendFailure } from './failure';
import { checkRequest, type AccessRules } from './access';
import { registerCompression } from './compression';
import { Guesses } from './guesses';
import { STANDALONE } from './openapi';
import { registerPages } from './pages';

export interface ServerOptions {
  handlers: Handlers;
  access: AccessRules;
  /** Folder of the built files of the pages. */
  appFolder: string;
  version: string;
  /** Receives the texts of internal errors. */
  log: (text: string) => void;
}

const BODY_BYTES = 2 * 1024 ** 2;
/** Time in ms within which a client must send a complete request. */
const REQUEST_TIMEOUT_MS = 60_000;
/**
 * Maximum length of a parameter in a path, in characters: the longest id (200 characters), with each character percent-encoded as four
 * bytes.
 */
const PARAMETER_LENGTH = 200 * 12;

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    // Inline styles are allowed, because EUI creates styles by script at run time.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const isApi = (url: string): boolean => /^\/api(\/|\?|$)/.test(url);

/** Creates the server. It does not listen yet. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { handlers, access, appFolder, version, log } = options;
  const fail = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sendFailure(error, request, reply.headers(SECURITY_HEADERS), log);
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: PARAMETER_LENGTH },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void fail(error, request, reply as FastifyReply),
    clientErrorHandler: answerMalformed,
  });
  await registerCompression(app);
  readJsonOnly(app);
  for (const { upload } of ROUTES) if (upload) passOn(app, upload.contentType);
  const guesses = new Guesses(log);
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(SECURITY_HEADERS);
    if (isApi(request.url)) void reply.header('cache-control', 'no-store');
    checkAccess(request, access, guesses);
    if (request.is404) checkMethod(request, reply);
  });
  app.setErrorHandler(fail);

  /** Aborted when the server closes. This ends the streamed responses, which would otherwise keep the server open. */
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  for (const name of Object.keys(API) as RouteName[]) registerRoute(app, name, handlers, closing.signal);
  const document = openApiDocument(version, STANDALONE);
  app.get(OPENAPI_PATH, () => document);

  const sendPage = await registerPages(app, appFolder);
  app.setNotFoundHandler((request, reply) => {
    if (isApi(request.url) || request.url.startsWith('/assets/')) {
      throw inputError('request.not-found', '', 'nothing exists at this path');
    }
    return sendPage(reply);
  });
  return app;
}

/**
 * Checks a request with {@link checkRequest} and counts wrong passwords. A request without a password does not count as a wrong password.
 */
function checkAccess(
  { method, headers, socket }: FastifyRequest,
  access: AccessRules,
  guesses: Guesses,
): void {
  const isGuess = access.password !== undefined && headers.authorization !== undefined;
  if (!isGuess) return checkRequest(method, headers, access);
  const { remoteAddress = '' } = socket;
  guesses.admit(remoteAddress);
  try {
    checkRequest(method, headers, access);
  } catch (error) {
    if (error instanceof DynoError && error.code === 'request.unauthorised') guesses.wrong(remoteAddress);
    throw error;
  }
  guesses.right(remoteAddress);
}

/** Configures the server to accept only JSON in UTF-8. */
function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    } catch {
      done(inputError('request.malformed', '', 'the body is not encoded in UTF-8'));
      return;
    }
    void parse(request, text, done);
  });
}

/** Accepts request bodies of this content type for uploads, and passes them to the handler of the route as a stream. */
function passOn(app: FastifyInstance, contentType: string): void {
  app.addContentTypeParser(contentType, (request, payload, done) => {
    const { upload } = request.routeOptions.config as { upload?: RouteShape['upload'] };
    if (upload?.contentType === contentType) {
      done(null, payload);
      return;
    }
    const allowed = 'application/json';
    done(inputError('request.content-type', '', 'the body has an unsupported content type', { allowed }));
  });
}

const ROUTES = Object.values(API) as RouteShape[];

/** Returns the methods that `path` supports; empty if nothing exists there. */
function methodsOf(path: string): string[] {
  if (path === OPENAPI_PATH) return ['GET'];
  if (!isApi(path)) return ['GET', 'HEAD'];
  const exact = ROUTES.filter((shape) => shape.path === path);
  const own =
    exact.length > 0
      ? exact
      : ROUTES.filter((shape) => new RegExp(`^${shape.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));
  return [...new Set(own.map(({ method }) => method))];
}

/** Throws a DynoError `request.method` if the path exists but does not support this method. */
function checkMethod({ method, url }: FastifyRequest, reply: FastifyReply): void {
  const allowed = methodsOf(url.split('?')[0]!);
  if (allowed.length === 0 || allowed.includes(method)) return;
  void reply.header('allow', allowed.join(', '));
  throw inputError('request.method', '', 'this path does not support this method', {
    found: method,
    allowed: allowed.join(', '),
  });
}

function registerRoute(
  app: FastifyInstance,
  name: RouteName,
  handlers: Handlers,
  closing: AbortSignal,
): void {
  const shape: RouteShape = API[name];
  // Safe: the table of routes defines the types of each handler.
  const handle = handlers[name] as (input: object, context: HandlerContext) => Promise<unknown>;
  app.route({
    method: shape.method,
    url: shape.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(shape.upload ? { bodyLimit: shape.upload.mostBytes, config: { upload: shape.upload } } : {}),
    exposeHeadRoute: shape.method === 'GET' && shape.answer === 'json',
    async handler(request, reply) {
      const input = {
        ...(shape.params ? { params: readPart(shape.params, request.params, 'params') } : {}),
        ...(shape.query ? { query: readPart(shape.query, request.query, 'query') } : {}),
        ...(shape.body ? { body: readPart(shape.body, request.body, '') } : {}),
        ...(shape.upload ? { file: fileOf(request, shape.upload) } : {}),
      };
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const signal = AbortSignal.any([gone.signal, closing]);
      const answer = await handle(input, { signal });
      if (shape.answer === 'events') {
        await sendEvents(reply, checked(answer as AsyncIterable<unknown>, shape), signal);
        return reply;
      }
      if (shape.answer === 'text' || shape.answer === 'file')
        return sendFile(reply, answer as FileAnswer | StreamAnswer);
      return reply
        .code(shape.status ?? 200)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(shape.response.parse(answer)));
    },
  });
}

async function* checked(values: AsyncIterable<unknown>, { response }: RouteShape): AsyncGenerator<unknown> {
  for await (const value of values) yield response.parse(value);
}

/** Returns the uploaded file as a stream. Throws an input error `request.content-type` if the body is not a file. */
function fileOf(
  { body }: FastifyRequest,
  { contentType }: NonNullable<RouteShape['upload']>,
): AsyncIterable<Uint8Array> {
  if (body instanceof Readable) return body;
  throw inputError('request.content-type', '', 'the body has an unsupported content type', {
    allowed: contentType,
  });
}

function sendFile(reply: FastifyReply, answer: FileAnswer | StreamAnswer): FastifyReply {
  const { headers, body } = sentFile(answer);
  return reply.headers(headers).send(body);
}

/** Responds to a request that Node.js could not parse. For such a request, only the socket is available. */
function answerMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const failure =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? inputError('request.headers-too-large', '', 'the headers are too large')
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? inputError('request.timeout', '', 'the request came too slowly')
        : inputError('request.malformed', '', 'this is not an HTTP request');
  const body = errorBody(failure);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${body.statusCode} ${body.error}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  );
}

export interface Address {
  host: string;
  port: number;
}

/** Listens on the address. Resolves to the URL to show to users. Rejects with an input error `serve.port` or `serve.host`. */
export async function listen(app: FastifyInstance, { host, port }: Address): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw describeListenFailure(error as NodeJS.ErrnoException, { host, port });
  }
  const shown = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${(app.server.address() as AddressInfo).port}`;
}

function describeListenFailure(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  const found = `${host}:${port}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return inputError('serve.port', '--port', 'another program already listens there', {
        found,
        allowed: `a free port, such as --port ${port + 1}; 0 means any`,
      });
    case 'EACCES':
      return inputError('serve.port', '--port', 'this user may not listen there', {
        found,
        allowed: 'a port from 1024',
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return inputError('serve.host', '--host', 'is not an address of this machine', { found: host });
    default:
      return runError('serve.listen', found, `cannot be listened on: ${error.message}`, error);
  }
}
