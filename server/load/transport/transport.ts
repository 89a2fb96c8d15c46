/** Sends requests to the nodes of the target in turn, ends requests that exceed their timeout, and records whether the target answers. */
import type { Dispatcher } from 'undici';
import { LARGE_REQUEST } from '../../../common/elasticsearch/content-length';
import type { HeadVerdict } from '../../../common/requests/kind';
import type { LoadClock } from '../timing/clock';
import type { LoadTarget } from '../contract';
import type { Fence } from '../timing/fence';
import type { LoopDelay } from '../instrument/loop-delay';
import type { Reach } from '../messages';
import { Connections } from './connections';
import { Nodes, type RefusedConnections } from './nodes';
import { Exchange, type Ending } from './exchange';
import { Wires } from './wire';

/** Interval at which deadlines are checked, in ms. It is also the maximum delay of a timeout. */
const WATCH_MS = 100;

export interface OutgoingRequest {
  method: string;
  /** Path with its query string; begins with a slash. */
  path: string;
  body: Buffer | null;
  /** Names and values of the headers, alternating. */
  headers: string[];
  readHead: (head: string) => HeadVerdict;
  /** Called once, but never before {@link Transport.send} returns. */
  onEnd: (ending: Ending) => void;
}

/** A request in flight. */
export interface InFlight {
  /** Ends the request as failed, with `reason`. */
  cut(reason: string): void;
}

/** The interface through which operations send their requests. */
export interface Sender {
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sends a request. `body` must not change before the request ends. */
  send(request: OutgoingRequest): InFlight;
}

export interface TransportSetting {
  target: LoadTarget;
  clock: LoadClock;
  /** Index of the node that gets the first request. It differs between load threads, so that they do not all begin with the same node. */
  turn: number;
  delay: LoopDelay;
  /**
   * Called for each complete response, to record delays that the load generator added.
   * - `time`: when the response was noticed, in ms since the start of the load.
   * - `heldMs`: upper limit of the delay in ms. It is the time for which the response may have waited for this thread, plus the time for
   *   which the request waited for a connection.
   */
  onAnswer: (time: number, heldMs: number) => void;
  /** Time limit after which this process may not send requests any more; null for no limit. */
  fence: Fence | null;
  /** Called once after the time limit has blocked a request, in a separate turn of the event loop. */
  onFenced: () => void;
}

export class Transport implements Sender {
  private readonly nodes: Connections[];
  private readonly inFlight = new Set<Exchange>();
  private readonly watch: NodeJS.Timeout;
  private readonly now: () => number;
  private readonly turns: Nodes;
  private answeredAt = -Infinity;
  private silentSince = Infinity;
  private readonly silentNodes = new Set<number>();
  private lastError = '';

  private fenced = false;

  constructor(private readonly setting: TransportSetting) {
    const { target, clock, turn, delay } = setting;
    this.turns = new Nodes(target.nodes.length, turn);
    this.now = () => clock.now();
    const wires = new Wires(this.now, delay);
    this.nodes = target.nodes.map((url) => new Connections(url, target, wires));
    this.watch = setInterval(() => {
      this.cutLate();
    }, WATCH_MS);
  }

  /** Headers of every request. */
  get headers(): Readonly<Record<string, string>> {
    return this.setting.target.headers;
  }

  /** Sends the request to the next node. `body` must not change before the request ends. */
  send({ method, path, body, headers, readHead, onEnd }: OutgoingRequest): Exchange {
    const asked = this.now();
    const node = this.turns.next(asked);
    let connections = this.nodes[node]!;
    const dispatch = (): void => {
      if (this.setting.fence?.isPassed()) {
        this.holdBack();
        return;
      }
      const { client, times } = exchange.connection;
      times.last = null;
      // The service time includes the time to open a connection and attempts to connect to other nodes. Unless the connection was open, it
      // therefore begins when the request is passed to the transport.
      const isOpen = times.open && exchange.node === node;
      times.sentAt = isOpen ? NaN : asked;
      times.openingMs = isOpen ? 0 : NaN;
      client.dispatch(
        {
          origin: connections.origin,
          path: connections.prefix + path,
          method: method as Dispatcher.HttpMethod,
          headers,
          body,
        },
        exchange,
      );
    };
    const exchange = new Exchange(
      connections.take(),
      node,
      asked + this.setting.target.requestTimeoutMs,
      this.now,
      readHead,
      (ended, ending) => {
        if (ending.sent || ending.failure === 'connection') connections.giveBack(ended.connection);
        else connections.discard(ended.connection);
        this.noteReach(ended.node, ending, body?.length ?? 0);
        if (ending.failure === '') {
          const { heldMs, openingMs } = ended.connection.times;
          this.setting.onAnswer(ending.time, heldMs + openingMs);
        }
        const other = this.otherNode(ended, ending);
        if (other !== null) {
          connections = this.nodes[other]!;
          ended.moveTo(connections.take(), other);
          dispatch();
          return;
        }
        this.inFlight.delete(ended);
        onEnd(ending);
      },
    );
    this.inFlight.add(exchange);
    dispatch();
    return exchange;
  }

  reach(): Reach {
    const silent = this.silentNodes.size === this.nodes.length;
    return {
      sinceAnswerMs: this.now() - this.answeredAt,
      silentMs: silent ? this.now() - this.silentSince : 0,
      example: this.lastError,
    };
  }

  async close(): Promise<void> {
    clearInterval(this.watch);
    await Promise.all(this.nodes.map((connections) => connections.close()));
  }

  /**
   * For each node that refused connections: number of requests that it refused, and number of these requests that were moved to other
   * nodes.
   */
  get refusedConnections(): RefusedConnections[] {
    return this.turns.refusedConnections;
  }

  /** Blocks a request, because the time until which this process may send has passed. The load then ends. */
  private holdBack(): void {
    if (this.fenced) return;
    this.fenced = true;
    setImmediate(this.setting.onFenced);
  }

  /**
   * Returns the index of another node for a request whose node accepted no connection. Nothing of the request was sent, so it is safe to
   * send it again. Returns null for any other request, or if no other node is usable.
   */
  private otherNode({ node }: Exchange, { failure, status }: Ending): number | null {
    if (status > 0) this.turns.answered(node);
    return failure === 'connection' ? this.turns.refused(node, this.now()) : null;
  }

  private cutLate(): void {
    const now = this.now();
    for (const exchange of this.inFlight) if (now >= exchange.deadline) exchange.cut('timeout');
  }

  private noteReach(node: number, { status, failure, message }: Ending, bytes: number): void {
    if (status > 0) {
      this.answeredAt = this.now();
      this.silentSince = Infinity;
      this.silentNodes.clear();
    } else if (failure === 'connection-lost' && bytes > LARGE_REQUEST) {
      // The node accepted a connection, so it counts as reachable. The node or a proxy in front of it may only have refused a request that
      // is too large.
    } else if (failure === 'connection' || failure === 'connection-lost') {
      this.silentSince = Math.min(this.silentSince, this.now());
      this.silentNodes.add(node);
      this.lastError = message;
    }
  }
}
