/** One HTTP request and its answer. The body of the answer is kept only if its head requires that. */
import type { Dispatcher } from 'undici';
import { KEPT_LOAD_ANSWER, WHOLE_LOAD_ANSWER } from '../../../common/elasticsearch/ceiling';
import type { HeadVerdict } from '../../../common/requests/kind';
import { formatBytes } from '../../../common/units/format';
import type { Connection } from './connections';

/** The end of an exchange. */
export interface Ending {
  /** HTTP status; 0 without a complete answer. */
  status: number;
  /** Whether the head showed success; `body` is null then. */
  well: boolean;
  body: Buffer | null;
  /** Size of the answer's body in bytes, whether it was kept or not. */
  received: number;
  /**
   * `connection`: no connection was made. `connection-lost`, `timeout` or the reason of a cut: no complete answer came. '' for a
   * complete answer.
   */
  failure: string;
  /** Whether the request was written to a connection, so that the target may have carried it out. */
  sent: boolean;
  message: string;
  /**
   * When the request was written, or handed over if its connection had to be opened first, in ms since the start of the load; NaN if
   * unknown.
   */
  sentAt: number;
  /** When the last bytes of a complete answer were noticed, or the request was given up, in ms since the start of the load. */
  time: number;
}

/** The head is the first part of an answer, of at most this many bytes. */
export const LONGEST_HEAD = 4096;
/** At most this much of an error answer is kept, in bytes. */
const LONGEST_REFUSAL = 256 * 1024;

/** The reason of a cut of an answer that is larger than any answer of Elasticsearch. */
export const TOO_LARGE = 'answer-too-large';
const REASONS: Readonly<Record<string, string>> = {
  [TOO_LARGE]: `the answer was larger than ${formatBytes(WHOLE_LOAD_ANSWER)}, or its errors were larger than ${formatBytes(KEPT_LOAD_ANSWER)}`,
};

/** HTTP status of the answer to a request that is larger than the target's limit. */
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
    /** In ms since the start of the load. */
    readonly deadline: number,
    private readonly now: () => number,
    private readonly readHead: (head: string) => HeadVerdict,
    private readonly onEnd: (exchange: Exchange, ending: Ending) => void,
  ) {}

  /** Continues on a connection to another node, after the first node accepted no connection. */
  moveTo(connection: Connection, node: number): void {
    this.connection = connection;
    this.node = node;
    this.ended = false;
  }

  /** Gives up: the exchange fails at once with `reason`. */
  cut(reason: string): void {
    if (this.ended) return;
    this.reason = reason;
    const { controller } = this;
    // Without a connection, undici cannot abort the request, so its later events are ignored.
    if (controller === null) this.end(0, reason, 'no connection was made in time');
    else controller.abort(new Error(`cut: ${reason}`));
  }

  /** Whether the request got an open connection. undici then releases it at the end. */
  get started(): boolean {
    return this.controller !== null;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // It was cut while it waited for a connection, so it must not be sent now.
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
