/** Connections to one node: taken for a request, given back after it, opened when none is idle. */
import { Client } from 'undici';
import type { LoadTarget } from '../contract';

/** A node that does not take a connection within this is not reachable, ms. */
const LONGEST_CONNECT_MS = 10_000;
/** An idle connection is closed after this, ms: sooner than the 60 s after which load balancers cut theirs. */
const KEEP_IDLE_MS = 30_000;

export class Connections {
  readonly origin: string;
  /** Path before each request's own, '' where the base URL has none. */
  readonly prefix: string;
  /** Last in, first out: few warm connections rather than many cold ones. */
  private readonly idle: Client[] = [];
  private readonly all = new Set<Client>();
  private readonly options: Client.Options;

  constructor(url: string, target: LoadTarget) {
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
      connect: {
        timeout: Math.min(target.requestTimeoutMs, LONGEST_CONNECT_MS),
        rejectUnauthorized: target.verifyCertificates,
        ...(target.ca === undefined ? {} : { ca: target.ca }),
      },
    };
  }

  take(): Client {
    const idle = this.idle.pop();
    if (idle !== undefined) return idle;
    const client = new Client(this.origin, this.options);
    this.all.add(client);
    return client;
  }

  giveBack(client: Client): void {
    this.idle.push(client);
  }

  /** Closes this one instead: undici is still busy opening it and would queue the next request behind. */
  discard(client: Client): void {
    this.all.delete(client);
    client.destroy().catch(() => undefined);
  }

  /** Closes every connection; requests on them fail. */
  async close(): Promise<void> {
    await Promise.all([...this.all].map((client) => client.destroy()));
  }
}
