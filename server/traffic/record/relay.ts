/**
 * Relays connections to a target, byte for byte. For each connection of a client, opens a connection to the target, and passes on
 * everything in both directions: bytes, the end of a direction, and a broken connection. If one end reads slowly, the relay also reads more
 * slowly from the other end.
 */
import {
  connect,
  createServer,
  isIP,
  type AddressInfo,
  type LookupFunction,
  type Server,
  type Socket,
} from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { connect as connectTls, createServer as createTlsServer, TLSSocket } from 'node:tls';
import { garbageCollector } from './garbage';

export interface RelayTarget {
  host: string;
  port: number;
  /** TLS settings, if the URL of the target is https. */
  tls?: { ca?: string; verifyCertificates: boolean };
  /** Function that resolves the host name of the target. Default: that of Node.js. */
  lookup?: LookupFunction;
}

export interface RelayListen {
  host: string;
  port: number;
  /** Certificate and key as PEM, if clients connect with TLS. */
  tls?: { cert: string; key: string };
}

/** Receives copies of everything that is relayed, after it was passed on to the other end. Times are in ms of `performance.now()`. */
export interface ConnectionObserver {
  /** Whether the responses to all requests on the connection are complete. Null if the observer cannot interpret the bytes. */
  readonly isIdle: boolean | null;
  fromClient(chunk: Buffer, now: number): void;
  fromTarget(chunk: Buffer, now: number): void;
  targetEnded(now: number): void;
  closed(now: number): void;
  /** Called when recording ends while the connection stays open. */
  stop(): void;
}

export interface RelayOptions {
  target: RelayTarget;
  listen: RelayListen;
  /**
   * Maximum number of simultaneous connections of clients. Without a limit, the process could run out of file descriptors. The system would
   * then close new connections without an error, and they could not be counted.
   */
  mostConnections?: number;
  /** Returns the observer of a new connection; null if the connection is not observed. */
  observe(client: string): ConnectionObserver | null;
}

export interface RelayCosts {
  /**
   * Median time from when a chunk could be read until it was written, in µs. It includes the time in which the relay was busy with earlier
   * chunks. Null if nothing was relayed.
   */
  p50Us: number | null;
  /** 99th percentile of the time from when a chunk could be read until it was written, in µs. Null if nothing was relayed. */
  p99Us: number | null;
  chunks: number;
}

/**
 * Time after which TCP keepalive checks an idle connection, in ms. It finds clients that have disappeared without closing their connection.
 */
const KEEP_ALIVE_MS = 60_000;
/** Maximum time in ms for passing on the remaining bytes of a broken connection. */
const FLUSH_MS = 5000;
/**
 * A connection that is not recorded counts as idle if the target sent the last byte, and nothing was sent for this time, in ms. When the
 * relay is closed, it waits until its connections are idle.
 */
const QUIET_MS = 250;
const CHECK_IDLE_MS = 50;
/** Number of bytes that are passed on between two garbage collections. */
const GARBAGE_BYTES = 1.5 * 1024 ** 2;
/** Maximum number of connections that wait to be accepted. */
const BACKLOG = 1024;

/** Opens a connection to the target. `onOpen`: called when the connection can be used; with TLS, after the handshake. */
export function connectTo({ host, port, tls, lookup }: RelayTarget, onOpen?: () => void): Socket {
  const place = { host, port, allowHalfOpen: true, ...(lookup === undefined ? {} : { lookup }) };
  const socket =
    tls === undefined
      ? connect(place, onOpen)
      : connectTls(
          {
            ...place,
            rejectUnauthorized: tls.verifyCertificates,
            ...(tls.ca === undefined ? {} : { ca: tls.ca }),
            ...(isIP(host) === 0 ? { servername: host } : {}),
          },
          onOpen,
        );
  return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
}

const isEncrypted = (socket: Socket): boolean => socket instanceof TLSSocket;

/** Closes a socket in a way that its peer gets an error instead of a normal end. */
export function breakOff(socket: Socket): void {
  // Only sockets without TLS can be reset. With TLS, the missing last message of the session shows the peer that something is wrong.
  if (isEncrypted(socket) || socket.destroyed || socket.connecting || socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

/** A chunk that was relayed to the other end. The observer, which records it, receives it later. */
interface Observation {
  observer: ConnectionObserver;
  chunk: Buffer;
  now: number;
  isFromTarget: boolean;
}

class RelayedConnection {
  private observer: ConnectionObserver | null;
  private readonly target: Socket;
  private openSockets = 2;
  /** Whether the connection to the target is open. */
  private isOpen = false;
  private isClosing = false;
  /** Time at which the last byte arrived, in ms of `performance.now()`. */
  private lastAt = performance.now();
  /** Whether the last byte came from the target. Otherwise, it came from the client. */
  private isLastFromTarget = true;

  constructor(
    private readonly relay: Relay,
    private readonly client: Socket,
    { target, observe }: RelayOptions,
  ) {
    this.observer = observe(addressOf(client));
    client.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    this.target = connectTo(target, () => (this.isOpen = true));
    this.pass(client, this.target, false);
    this.pass(this.target, client, true);
  }

  /** Returns whether the connection can be closed without losing a response. */
  isIdle(now: number): boolean {
    const isQuiet = this.isLastFromTarget && now - this.lastAt > QUIET_MS;
    return this.observer?.isIdle ?? isQuiet;
  }

  stopObserving(): void {
    this.relay.observeAll();
    this.observer?.stop();
    this.observer = null;
  }

  close(): void {
    if (this.isClosing) return;
    this.isClosing = true;
    this.client.destroySoon();
    this.target.destroySoon();
  }

  destroy(): void {
    this.isClosing = true;
    breakOff(this.client);
    breakOff(this.target);
  }

  /** Passes everything that `from` sends on to `to`. */
  private pass(from: Socket, to: Socket, isFromTarget: boolean): void {
    from.on('data', (chunk: Buffer) => {
      const now = this.relay.now();
      if (!this.write(to, chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
      this.relay.countBytes(chunk.length);
      this.lastAt = now;
      this.isLastFromTarget = isFromTarget;
      if (this.observer !== null)
        this.relay.observeLater({ observer: this.observer, chunk, now, isFromTarget });
    });
    from.on('end', () => {
      if (isFromTarget && this.observer !== null) {
        this.relay.observeAll();
        this.observer.targetEnded(performance.now());
      }
      to.end();
    });
    from.on('error', (error) => {
      if (isFromTarget && !this.isOpen) this.relay.countFailure(error);
    });
    from.on('close', (isBroken) => {
      this.openSockets -= 1;
      if (this.openSockets > 0) {
        if (!this.isClosing && (isBroken || !to.readableEnded)) this.breakOffLater(to);
        return;
      }
      this.relay.observeAll();
      this.observer?.closed(performance.now());
      this.relay.closed(this);
    });
  }

  /** Writes a chunk. Returns false if `to` cannot accept more bytes at the moment. */
  private write(to: Socket, chunk: Buffer): boolean {
    const { readyAt } = this.relay;
    let isCost = to.connecting || to.writableLength === 0;
    const isAccepted = to.write(chunk, () => {
      if (isCost) this.relay.count(readyAt);
    });
    // A receiver that reads slowly does not count as a cost of the relay. With TLS, a write is never complete immediately.
    if (to.writableLength > 0 && !to.connecting && !isEncrypted(to)) isCost = false;
    return isAccepted;
  }

  /**
   * Closes `socket` with an error, because the other socket of the connection has broken off. First sends the bytes that were read before.
   */
  private breakOffLater(socket: Socket): void {
    if (socket.destroyed || socket.connecting || socket.writableEnded) {
      breakOff(socket);
      return;
    }
    const timer = setTimeout(() => breakOff(socket), FLUSH_MS);
    socket.write('', () => {
      clearTimeout(timer);
      breakOff(socket);
    });
  }
}

const addressOf = ({ remoteAddress = '' }: Socket): string => remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');

export class Relay {
  /** Number of accepted connections. */
  accepted = 0;
  /** Number of connections that could not be accepted, or for which no connection to the target could be opened. */
  failedConnections = 0;
  /** Last error of a failed connection. */
  failure: Error | undefined;
  /** Number of bytes that were passed on in both directions. */
  bytes = 0;
  private readonly connections = new Set<RelayedConnection>();
  private readonly server: Server;
  private readonly times = createHistogram({ lowest: 1, highest: 60_000_000_000, figures: 3 });
  private readonly collectGarbage = garbageCollector('minor', GARBAGE_BYTES);
  private readonly observations: Observation[] = [];
  /** Sockets of clients. With TLS, a socket counts as a connection only after the handshake. */
  private readonly sockets = new Set<Socket>();
  /**
   * Time of the first chunk in the current turn (iteration) of the event loop, in ms of `performance.now()`. 0 if no chunk has arrived in
   * this turn.
   */
  private turnAt = 0;
  /** Time of the first chunk in the last turn (iteration) of the event loop that had chunks, in ms of `performance.now()`. */
  private lastTurnAt = performance.now();
  /** Total time in ms that the event loop had waited for events, at the time of {@link lastTurnAt}. */
  private idleMs = 0;
  /**
   * Earliest time at which the chunks of the current turn of the event loop could have been read, in ms of `performance.now()`. If the
   * event loop has waited for events since the last turn with chunks, this is the start of the current turn. Otherwise, the chunks may have
   * waited since the start of that last turn, whose start is then used.
   */
  readyAt = 0;
  private turnBytes = 0;

  constructor(private readonly options: RelayOptions) {
    const accept = (socket: Socket): void => {
      this.accepted += 1;
      this.connections.add(new RelayedConnection(this, socket, options));
    };
    const { tls } = options.listen;
    this.server =
      tls === undefined
        ? createServer({ allowHalfOpen: true }, accept)
        : createTlsServer({ ...tls, allowHalfOpen: true } as Parameters<typeof createTlsServer>[0], accept);
    const { mostConnections } = options;
    if (mostConnections !== undefined) this.server.maxConnections = mostConnections;
    this.server.on('drop', () =>
      this.countFailure(
        new Error(`more than ${mostConnections} connections: raise the limit of open files (ulimit -n)`),
      ),
    );
    this.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** Begins to listen. Rejects with the error of the system, such as EADDRINUSE. */
  async listen(): Promise<AddressInfo> {
    const { host, port } = this.options.listen;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ host, port, backlog: BACKLOG }, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    // If a connection cannot be accepted, the other connections must continue.
    this.server.on('error', (error) => this.countFailure(error));
    return this.server.address() as AddressInfo;
  }

  get open(): number {
    return this.connections.size;
  }

  get costs(): RelayCosts {
    const { times } = this;
    const chunks = Number(times.count);
    const us = (percentile: number): number | null =>
      chunks === 0 ? null : times.percentile(percentile) / 1000;
    return { p50Us: us(50), p99Us: us(99), chunks };
  }

  stopObserving(): void {
    for (const connection of this.connections) connection.stopObserving();
  }

  /**
   * Stops accepting connections, and closes each connection when it is idle. After `graceMs`, breaks off the connections that are still
   * open.
   */
  async close(graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const end = performance.now() + graceMs;
    for (;;) {
      const now = performance.now();
      this.observeAll();
      for (const connection of this.connections) {
        if (now >= end) connection.destroy();
        else if (connection.isIdle(now)) connection.close();
      }
      if (this.connections.size === 0) break;
      await new Promise((resolve) => setTimeout(resolve, CHECK_IDLE_MS));
    }
    // These connections are still in their TLS handshake, so they have no request in flight.
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /**
   * Returns the time of the first chunk in the current turn (iteration) of the event loop. This time applies to all chunks of the turn:
   * they could be read at the same time, and only waited for each other.
   */
  now(): number {
    if (this.turnAt === 0) {
      const now = performance.now();
      const { idleTime } = performance.nodeTiming;
      // If the event loop did not wait since the last turn, the chunks may have been ready during the whole work of that turn.
      this.readyAt = idleTime === this.idleMs ? this.lastTurnAt : now;
      this.turnAt = now;
      this.lastTurnAt = now;
      this.idleMs = idleTime;
      setImmediate(() => {
        this.turnAt = 0;
        this.observeAll();
        // From here on, the chunks of this turn are no longer needed.
        this.collectGarbage(this.turnBytes);
        this.turnBytes = 0;
      });
    }
    return this.turnAt;
  }

  /** Passes a chunk to its observer at the end of this turn of the event loop, after all chunks of the turn were relayed. */
  observeLater(observation: Observation): void {
    this.observations.push(observation);
  }

  /** Passes all waiting chunks to their observers. */
  observeAll(): void {
    if (this.observations.length === 0) return;
    for (const { observer, chunk, now, isFromTarget } of this.observations.splice(0)) {
      if (isFromTarget) observer.fromTarget(chunk, now);
      else observer.fromClient(chunk, now);
    }
  }

  countBytes(bytes: number): void {
    this.bytes += bytes;
    this.turnBytes += bytes;
  }

  /** Records the time from `readyAt`, when a chunk could be read, until now, when it was written. */
  count(readyAt: number): void {
    this.times.record(Math.max(1, Math.round((performance.now() - readyAt) * 1e6)));
  }

  countFailure(error: Error): void {
    this.failedConnections += 1;
    this.failure = error;
  }

  closed(connection: RelayedConnection): void {
    this.connections.delete(connection);
  }
}
