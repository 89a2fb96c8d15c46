/** Connections to one node. A request takes an idle connection or opens a new one, and returns it when the request ends. */
import { buildConnector, Client } from 'undici';
import type { LoadTarget } from '../contract';
import { unused, type WireTimes, type Wires } from './wire';

/** Time in ms after which a node that has not accepted a connection counts as unreachable. */
const LONGEST_CONNECT_MS = 10_000;
/** Time in ms after which an idle connection is closed. Load balancers cut idle connections after 60 s. */
const KEEP_IDLE_MS = 30_000;

/** A connection. One exchange at a time uses it. */
export interface Connection {
  client: Client;
  times: WireTimes;
}

export class Connections {
  readonly origin: string;
  /** Path of the base URL, which precedes the path of each request; '' if it has no path. */
  readonly prefix: string;
  /** Idle connections. The last one that was returned is used first, so that few connections stay warm instead of many becoming cold. */
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
      // The deadline of the transport covers the whole request. undici's own timers are imprecise.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_IDLE_MS,
      // Only one request at a time is in flight on a connection, even with this value. With a value of 2, undici queues the next request
      // when the previous one ends, without losing a turn of the event loop.
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

  /**
   * Closes a connection instead of keeping it for later requests. Used if a request is given up before its connection is open: undici would
   * queue the next request on this connection.
   */
  discard(connection: Connection): void {
    this.all.delete(connection);
    connection.client.destroy().catch(() => undefined);
  }

  /** Closes all connections. Requests that use them fail. */
  async close(): Promise<void> {
    await Promise.all([...this.all].map(({ client }) => client.destroy()));
  }
}
