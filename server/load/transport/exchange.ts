/** One HTTP request and its answer; the answer's body is kept only when its head asks for it. */
import type { Dispatcher } from 'undici';
import { KEPT_LOAD_ANSWER, WHOLE_LOAD_ANSWER } from '../../../common/elasticsearch/ceiling';
import type { HeadVerdict } from '../../../common/requests/kind';
import { formatBytes } from '../../../common/units/format';
import type { Connection } from './connections';

/** How an exchange ended. */
export interface Ending {
  /** HTTP status; 0 when there was no complete answer. */
  status: number;
  /** The head said that all is well; `body` is null then. */
  well: boolean;
  body: Buffer | null;
  /** Bytes of the answer's body, kept or not. */
  received: number;
  /**
   * `connection`: none was made. `connection-lost`, `timeout` or the reason of a cut: no complete answer came. '' for a
   * complete answer.
   */
  failure: string;
  /** It had a connection and was written to it: the target may have carried it out. */
  sent: boolean;
  message: string;
  /**
   * When it was written, or handed over where its connection had still to be made; NaN where that is not known. ms since
   * the start of the load.
   */
  sentAt: number;
  /** ms since the start of the load: when the last bytes of a complete answer were heard, or it was given up. */
  time: number;
}

/** Heads are looked for in the first bytes of an answer only. */
export const LONGEST_HEAD = 4096;
/** Of answers that are refusals, more than this is not kept, bytes. */
const LONGEST_REFUSAL = 256 * 1024;

/** The reason of an exchange whose answer was cut, for it went beyond what any answer of Elasticsearch holds. */
export const TOO_LARGE = 'answer-too-large';
const REASONS: Readonly<Record<string, string>> = {
  [TOO_LARGE]: `the answer went on beyond ${formatBytes(WHOLE_LOAD_ANSWER)}, or ${formatBytes(KEPT_LOAD_ANSWER)} of what went wrong`,
};

/** Of an answer to a request that is larger than what its target takes. */
export const TOO_LARGE_STATUS = 413;
const TOO_LARGE_LINE = /^HTTP\/1\.\d 413 /;

const isTooLarge = (heard: Buffer | null): boolean =>
  heard !== null && TOO_LARGE_LINE.test(heard.toString('latin1', 0, 13));

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
    /** ms since the start of the load. */
    readonly deadline: number,
    private readonly now: () => number,
    private readonly readHead: (head: string) => HeadVerdict,
    private readonly onEnd: (exchange: Exchange, ending: Ending) => void,
  ) {}

  /** It ended without ever having had a connection, and goes on with one to another node. */
  moveTo(connection: Connection, node: number): void {
    this.connection = connection;
    this.node = node;
    this.ended = false;
  }

  /** Gives up; the exchange ends at once as failed for `reason`. */
  cut(reason: string): void {
    if (this.ended) return;
    this.reason = reason;
    const { controller } = this;
    // Not yet on a connection: undici cannot abort it, so its later events are ignored instead.
    if (controller === null) this.end(0, reason, 'no connection was made in time');
    else controller.abort(new Error(`cut: ${reason}`));
  }

  /** Whether it had a connection that was open and was handed to it: undici then lets go of that at the end. */
  get started(): boolean {
    return this.controller !== null;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // Cut while it waited for a connection: it must not reach the wire now.
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
    const { heardAt } = this.connection.times;
    this.end(this.status, '', '', heardAt > -Infinity ? heardAt : this.now());
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { times } = this.connection;
    // Who refuses a large request often closes the connection before it has read it: then sending fails before the answer is read.
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
