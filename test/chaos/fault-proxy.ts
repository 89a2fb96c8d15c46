/** An HTTP proxy on loopback that hurts what passes through it: cuts, swallows, slows, refuses or garbles answers. */
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
 * - `cut`: the connection is destroyed before the request is passed on; `cut-after`: after the target did what was asked, so
 *   that the asker cannot know;
 * - `blackhole`: nothing is answered; `slow`: the answer comes `delayMs` later; `refuse`: no connection is accepted;
 * - `status`: this status with Elasticsearch's own shape of an error, in place of the answer;
 * - `truncated`, `html`, `garbled`: half of the answer with its whole length promised, a page of some gateway, or bytes that
 *   claim to be gzip; `endless`: a body without an end.
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
  /** Of requests that are hit, those whose `METHOD /path` matches; all without. */
  path?: RegExp;
  /** Of those, in (0, 1]; 1 without. */
  share?: number;
  /** For `status`. */
  status?: number;
  /** For `slow`. */
  delayMs?: number;
}

/** Bytes of one piece of an endless body. */
const PIECE = Buffer.alloc(64 * 1024, '[');
/** An asker that takes an endless body for ever is hung up on after this many bytes: it has failed the scenario by then. */
const ENDLESS_MOST = 2e9;

/** Is told of a request as `METHOD /path`. */
type Watcher = (line: string, headers: IncomingHttpHeaders) => void;

export class FaultProxy {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  /** A connection for each request: one that is kept may be closed behind it just when it is used again. */
  private readonly agent = new Agent({ keepAlive: false });
  private readonly watchers = new Set<Watcher>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private fault: HttpFault | undefined;
  /** Requests that the present fault has hit. */
  hits = 0;
  /** Before a request, `METHOD /path`, is passed on: to look at what it will change. By default nothing. */
  before: (line: string) => Promise<void> = () => Promise.resolve();

  private constructor(
    private readonly upstream: URL,
    private readonly random: Random,
  ) {
    this.server = createServer((request, response) => this.pass(request, response));
    // Only faults close connections here.
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

  /** In front of `upstream`, a URL; `seed` decides which requests a share hits. */
  static async start(upstream: string, seed: number): Promise<FaultProxy> {
    const proxy = new FaultProxy(new URL(upstream), createRandom(seed));
    await new Promise<void>((listening) => proxy.server.listen(0, '127.0.0.1', listening));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on; undefined ends it. A refusal also cuts what is open. */
  set(fault: HttpFault | undefined): void {
    this.fault = fault;
    if (fault !== undefined) this.hits = 0;
    if (fault?.kind === 'refuse') this.sockets.forEach((socket) => socket.resetAndDestroy());
  }

  /** Each request is told when it arrives; returns what ends that. */
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
    // What the target itself breaks off is broken off here too.
    asked.on('error', () => request.socket.destroy());
    response.on('close', () => {
      if (!response.writableEnded) asked.destroy();
    });
    request.pipe(asked);
  }

  /** Half of the body, then the end of the connection, where the whole length was promised. */
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

/** As Elasticsearch says it. */
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
