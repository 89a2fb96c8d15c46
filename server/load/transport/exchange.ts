/** One HTTP request and its response. The body of the response is kept only if the beginning of the response shows that it is needed. */
import type { Dispatcher } from 'undici';
import { KEPT_LOAD_ANSWER, WHOLE_LOAD_ANSWER } from '../../../common/elasticsearch/ceiling';
import type { HeadVerdict } from '../../../common/requests/kind';
import { formatBytes } from '../../../common/units/format';
import type { Connection } from './connections';

/** The result of an exchange. */
export interface Ending {
  /** HTTP status; 0 if no complete response arrived. */
  status: number;
  /**
   * True if the beginning of the response showed that the request succeeded; `body` is then null. False if the request failed, or if `body`
   * must be examined.
   */
  well: boolean;
  body: Buffer | null;
  /** Size of the response's body in bytes, even if the body was not kept. */
  received: number;
  /**
   * Why no complete response arrived; '' if one did. `connection` if no connection could be opened. Otherwise `connection-lost`, `timeout`,
   * or the reason with which the exchange was cut.
   */
  failure: string;
  /** Whether the request was written to a connection. The target may then have carried it out. */
  sent: boolean;
  message: string;
  /**
   * Time at which the request was written to the socket, in ms since the start of the load. If a connection had to be opened, the time at
   * which the request was passed to the transport. NaN if unknown.
   */
  sentAt: number;
  /**
   * Time at which the last bytes of a complete response were noticed, in ms since the start of the load. Without a complete response: time
   * at which the request was given up.
   */
  time: number;
}

/** Maximum size of the head, in bytes. The head is the beginning of a response's body. */
export const LONGEST_HEAD = 4096;
/** Maximum number of bytes that are kept of an error response. */
const LONGEST_REFUSAL = 256 * 1024;

/** Reason with which an exchange is cut if its response is larger than any response of Elasticsearch. */
export const TOO_LARGE = 'answer-too-large';
const REASONS: Readonly<Record<string, string>> = {
  [TOO_LARGE]: `the answer was larger than ${formatBytes(WHOLE_LOAD_ANSWER)}, or its errors were larger than ${formatBytes(KEPT_LOAD_ANSWER)}`,
};

/** HTTP status of the response to a request that exceeds the target's maximum size. */
export const TOO_LARGE_STATUS = 413;
const TOO_LARGE_LINE = /^HTTP\/1\.\d 413 /;

const isTooLarge = (bytes: Buffer | null): boolean =>
  bytes !== null && TOO_LARGE_LINE.test(bytes.toString('latin1', 0, 13));

export class Exchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private status = 0;
  private well = false;
  private deciding = true;
  private chunks: Buffer[] = [];
  private kept = 0;
  private received = 0;
  private ended = false;
  private reason = '';

  constructor(
    public connection: Connection,
    public node: number,
    /** Deadline of the request, in ms since the start of the load. */
    readonly deadline: number,
    private readonly now: () => number,
    private readonly readHead: (head: string) => HeadVerdict,
    private readonly onEnd: (exchange: Exchange, ending: Ending) => void,
  ) {}

  /** Sends the request to another node, because its node accepted no connection. */
  moveTo(connection: Connection, node: number): void {
    this.connection = connection;
    this.node = node;
    this.ended = false;
  }

  /** Ends the exchange as failed, with `reason`. */
  cut(reason: string): void {
    if (this.ended) return;
    this.reason = reason;
    const { controller } = this;
    // Without a connection, undici cannot abort the request. Its later events are therefore ignored.
    if (controller === null) this.end(0, reason, 'no connection was made in time');
    else controller.abort(new Error(`cut: ${reason}`));
  }

  /** Whether the request was assigned an open connection. If not, it has not been sent. */
  get started(): boolean {
    return this.controller !== null;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // The exchange was cut while it waited for a connection, so the request must not be sent now.
    if (this.ended) controller.abort(new Error(`cut: ${this.reason}`));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.status = status;
    if (status >= 300) this.deciding = false;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.received += chunk.length;
    if (this.received > WHOLE_LOAD_ANSWER || this.kept > KEPT_LOAD_ANSWER) {
      this.chunks = [];
      this.cut(TOO_LARGE);
      return;
    }
    if (this.well) return;
    if (this.deciding) {
      const verdict = this.judge(chunk);
      if (verdict === 'well') {
        this.well = true;
        this.deciding = false;
        this.chunks = [];
        return;
      }
      if (verdict === 'keep') this.deciding = false;
    }
    if (this.status >= 300 && this.kept > LONGEST_REFUSAL) return;
    this.chunks.push(chunk);
    this.kept += chunk.length;
  }

  onResponseEnd(): void {
    const { noticedAt } = this.connection.times;
    this.end(this.status, '', '', noticedAt > -Infinity ? noticedAt : this.now());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { times } = this.connection;
    // A server that refuses a large request often closes the connection before it has read all of it. Then sending fails before the answer
    // is read.
    if (this.reason === '' && this.started && isTooLarge(times.last)) {
      this.end(TOO_LARGE_STATUS, '', '');
      return;
    }
    const failure = this.reason || (this.started ? 'connection-lost' : 'connection');
    this.end(0, failure, REASONS[this.reason] ?? error.message);
  }

  private judge(chunk: Buffer): HeadVerdict {
    if (this.chunks.length === 0) {
      return this.readHead(chunk.toString('latin1', 0, Math.min(chunk.length, LONGEST_HEAD)));
    }
    const head = Buffer.concat([...this.chunks, chunk]).toString('latin1', 0, LONGEST_HEAD);
    return this.kept + chunk.length >= LONGEST_HEAD && this.readHead(head) === 'more'
      ? 'keep'
      : this.readHead(head);
  }

  private end(status: number, failure: string, message: string, time = this.now()): void {
    if (this.ended) return;
    this.ended = true;
    const body = this.well || failure !== '' ? null : Buffer.concat(this.chunks);
    this.chunks = [];
    const { started: sent } = this;
    const well = this.well && failure === '';
    const { sentAt } = this.connection.times;
    const { received } = this;
    this.onEnd(this, { status, well, body, received, failure, sent, message, sentAt, time });
  }
}
