/** Connections to one node. A request takes an idle connection, or opens a new one, and gives it back at its end. */
import { buildConnector, Client } from 'undici';
import type { LoadTarget } from '../contract';
import { unused, type WireTimes, type Wires } from './wire';

/** A node that does not accept a connection within this time is unreachable, in ms. */
const LONGEST_CONNECT_MS = 10_000;
/** An idle connection is closed after this time, in ms. Load balancers cut theirs after 60 s. */
const KEEP_IDLE_MS = 30_000;

/** A connection that one exchange at a time uses. */
export interface Connection {
  client: Client;
  times: WireTimes;
}

export class Connections {
  readonly origin: string;
  /** Path of the base URL, which precedes the path of each request; '' if it has no path. */
  readonly prefix: string;
  /** Idle connections: last in, first out, to use few warm connections instead of many cold ones. */
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
      // The transport's deadline covers the whole request, because undici's timers are imprecise.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_IDLE_MS,
      // One request at a time. A value of 2 allows the next one to be queued when the last one ends, without losing a turn.
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

  /** Closes a connection instead of giving it back: undici is still opening it and would queue the next request. */
  discard(connection: Connection): void {
    this.all.delete(connection);
    connection.client.destroy().catch(() => undefined);
  }

  /** Closes all connections. Requests on them fail. */
  async close(): Promise<void> {
    await Promise.all([...this.all].map(({ client }) => client.destroy()));
  }
}
