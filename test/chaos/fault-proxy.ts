/** An HTTP proxy on loopback that injects faults: it cuts, drops, delays, refuses or garbles responses. */
import {
  createServer,
  request as send,
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createRandom, type Random } from '../../common/random';

/**
 * Faults of the proxy:
 * - `cut`: closes the connection before it forwards the request.
 * - `cut-after`: closes the connection after the target has executed the request. The client then does not know the outcome.
 * - `blackhole`: never responds.
 * - `slow`: sends the response `delayMs` later.
 * - `refuse`: accepts no connections.
 * - `status`: responds with an HTTP status and an error in Elasticsearch's format.
 * - `truncated`: sends half of the response, with the content length of the whole response.
 * - `html`: sends an HTML error page, as gateways do.
 * - `garbled`: sends bytes that claim to be gzip.
 * - `endless`: sends a body without an end.
 */
export const HTTP_FAULTS = [
  'cut',
  'cut-after',
  'blackhole',
  'slow',
  'refuse',
  'status',
  'truncated',
  'html',
  'garbled',
  'endless',
] as const;

export interface HttpFault {
  kind: (typeof HTTP_FAULTS)[number];
  /** Limits the fault to requests whose `METHOD /path` matches. */
  path?: RegExp;
  /** Share of the matching requests that the fault affects, in (0, 1]. Default 1. */
  share?: number;
  /** HTTP status of the responses. Only for the fault `status`. */
  status?: number;
  /** Delay of the responses, in ms. Only for the fault `slow`. */
  delayMs?: number;
}

/** A piece of the endless body. The proxy sends it again and again. */
const PIECE = Buffer.alloc(64 * 1024, '[');
/** Number of bytes after which the endless body ends nevertheless. A client that reads this much has failed the test. */
const ENDLESS_MOST = 2e9;

/** Called with each request when it arrives. `line`: `METHOD /path`. */
type Watcher = (line: string, headers: IncomingHttpHeaders) => void;

export class FaultProxy {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  /**
   * Uses each connection to the target for one request only. Otherwise, the target could close an idle connection when it is used again,
   * which would be an additional fault.
   */
  private readonly agent = new Agent({ keepAlive: false });
  private readonly watchers = new Set<Watcher>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private fault: HttpFault | undefined;
  /** Number of requests that the current fault has hit. */
  hits = 0;
  /** Called with `METHOD /path` before a request is forwarded. A test can then examine the state that the request will change. */
  before: (line: string) => Promise<void> = () => Promise.resolve();

  private constructor(
    private readonly upstream: URL,
    private readonly random: Random,
  ) {
    this.server = createServer((request, response) => this.pass(request, response));
    // The server itself closes no idle connections: only faults close connections.
    this.server.keepAliveTimeout = 0;
    this.server.on('connection', (socket) => {
      if (this.fault?.kind === 'refuse') {
        this.hits += 1;
        socket.resetAndDestroy();
        return;
      }
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** Starts a proxy in front of the URL `upstream`. `seed` determines which requests a fault affects if its share is below 1. */
  static async start(upstream: string, seed: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(new URL(upstream), createRandom(seed));
    await new Promise<void>((listening) => proxy.server.listen(0, '127.0.0.1', listening));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Sets the fault for all later requests; undefined ends the fault. The fault `refuse` also closes open connections. */
  set(fault: HttpFault | undefined): void {
    this.fault = fault;
    if (fault !== undefined) this.hits = 0;
    if (fault?.kind === 'refuse') this.sockets.forEach((socket) => socket.resetAndDestroy());
  }

  /** Passes each request to `watcher` when it arrives. Returns a function that removes the watcher. */
  watch(watcher: Watcher): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  async stop(): Promise<void> {
    this.timers.forEach((timer) => clearTimeout(timer));
    this.agent.destroy();
    this.sockets.forEach((socket) => socket.destroy());
    await new Promise((closed) => this.server.close(closed));
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const line = `${request.method} ${request.url}`;
    this.watchers.forEach((watch) => watch(line, request.headers));
    const { fault } = this;
    const isHit =
      fault !== undefined &&
      (fault.path === undefined || fault.path.test(line)) &&
      (fault.share === undefined || this.random.unit() < fault.share);
    if (isHit) this.hits += 1;
    const own = isHit ? fault : undefined;
    response.on('error', () => undefined);
    request.on('error', () => undefined);
    switch (own?.kind) {
      case 'cut':
        request.socket.destroy();
        return;
      case 'blackhole':
        request.resume();
        return;
      case 'status':
        request.resume();
        request.once('end', () => refuse(response, own.status ?? 503));
        return;
      case 'html':
        request.resume();
        request.once('end', () => {
          response.writeHead(200, { 'content-type': 'text/html' });
          response.end('<html><body><h1>Welcome to the gateway</h1></body></html>');
        });
        return;
      case 'endless':
        request.resume();
        request.once('end', () => pourInto(response));
        return;
      default:
        void this.before(line).finally(() => this.forward(request, response, own));
    }
  }

  private forward(request: IncomingMessage, response: ServerResponse, fault: HttpFault | undefined): void {
    const { hostname, port } = this.upstream;
    const asked = send(
      {
        agent: this.agent,
        hostname,
        port,
        method: request.method,
        path: request.url,
        headers: request.headers,
      },
      (answer) => {
        if (fault?.kind === 'cut-after') {
          answer.resume();
          answer.once('end', () => request.socket.destroy());
          return;
        }
        if (fault?.kind === 'garbled') {
          answer.resume();
          response.writeHead(answer.statusCode ?? 200, {
            'content-type': 'application/json',
            'content-encoding': 'gzip',
          });
          response.end(Buffer.from('this was never compressed'));
          return;
        }
        if (fault?.kind === 'truncated') {
          this.truncate(answer, response);
          return;
        }
        const wait = fault?.kind === 'slow' ? (fault.delayMs ?? 1000) : 0;
        const go = (): void => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        };
        if (wait === 0) go();
        else this.later(go, wait);
      },
    );
    // If the target closes the connection early, the proxy also closes its connection to the client.
    asked.on('error', () => request.socket.destroy());
    response.on('close', () => {
      if (!response.writableEnded) asked.destroy();
    });
    request.pipe(asked);
  }

  /** Sends half of the body with the content length of the whole body, then closes the connection. */
  private truncate(answer: IncomingMessage, response: ServerResponse): void {
    const pieces: Buffer[] = [];
    answer.on('data', (piece: Buffer) => pieces.push(piece));
    answer.once('end', () => {
      const body = Buffer.concat(pieces);
      response.writeHead(answer.statusCode ?? 200, {
        'content-type': 'application/json',
        'content-length': String(body.length),
      });
      response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.socket?.destroy());
    });
  }

  private later(action: () => void, ms: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      action();
    }, ms);
    this.timers.add(timer);
  }
}

/** Responds with an error in Elasticsearch's format. */
function refuse(response: ServerResponse, status: number): void {
  const type =
    status === 429 ? 'circuit_breaking_exception' : status === 401 ? 'security_exception' : 'unavailable';
  response.writeHead(status, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' });
  response.end(JSON.stringify({ error: { type, reason: 'injected by the chaos bench' }, status }));
}

function pourInto(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  let poured = 0;
  const pour = (): void => {
    while (!response.destroyed && poured < ENDLESS_MOST) {
      poured += PIECE.length;
      if (!response.write(PIECE)) {
        response.once('drain', pour);
        return;
      }
    }
    response.destroy();
  };
  pour();
}
