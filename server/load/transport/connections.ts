/** Connections to one node: taken for a request, given back after it, opened when none is idle. */
import { buildConnector, Client } from 'undici';
import type { LoadTarget } from '../contract';
import { unused, type WireTimes, type Wires } from './wire';

/** A node that does not take a connection within this is not reachable, ms. */
const LONGEST_CONNECT_MS = 10_000;
/** An idle connection is closed after this, ms: sooner than the 60 s after which load balancers cut theirs. */
const KEEP_IDLE_MS = 30_000;

/** One at a time is used by an exchange. */
export interface Connection {
  client: Client;
  times: WireTimes;
}

export class Connections {
  readonly origin: string;
  /** Path before each request's own, '' where the base URL has none. */
  readonly prefix: string;
  /** Last in, first out: few warm connections rather than many cold ones. */
  private readonly idle: Connection[] = [];
  private readonly all = new Set<Connection>();
  private readonly options: Client.Options;
  private readonly connector: buildConnector.connector;

  constructor(
    url: string,
    target: LoadTarget,
    private readonly wires: Wires,
  ) {
    const { origin, pathname } = new URL(url);
    this.origin = origin;
    this.prefix = pathname.replace(/\/+$/, '');
    this.options = {
      // Our own deadline covers the whole request; undici's timers are coarse.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_IDLE_MS,
      // One request at a time; 2 lets the next be queued from within the end of the last without losing a turn.
      pipelining: 2,
    };
    this.connector = buildConnector({
      timeout: Math.min(target.requestTimeoutMs, LONGEST_CONNECT_MS),
      rejectUnauthorized: target.verifyCertificates,
      ...(target.ca === undefined ? {} : { ca: target.ca }),
    });
  }

  take(): Connection {
    const idle = this.idle.pop();
    if (idle !== undefined) return idle;
    const times = unused();
    const connect: buildConnector.connector = (options, opened) => {
      this.connector(options, (...[error, socket]) => {
        if (error !== null) {
          opened(error, null);
          return;
        }
        this.wires.listen(socket, times);
        opened(null, socket);
      });
    };
    const connection = { client: new Client(this.origin, { ...this.options, connect }), times };
    this.all.add(connection);
    return connection;
  }

  giveBack(connection: Connection): void {
    this.idle.push(connection);
  }

  /** Closes this one instead: undici is still busy opening it and would queue the next request behind. */
  discard(connection: Connection): void {
    this.all.delete(connection);
    connection.client.destroy().catch(() => undefined);
  }

  /** Closes every connection; requests on them fail. */
  async close(): Promise<void> {
    await Promise.all([...this.all].map(({ client }) => client.destroy()));
  }
}
