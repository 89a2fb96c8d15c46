/**
 * Reads the requests and responses on one connection, from copies of both directions. Never affects the connection: if the bytes cannot be
 * interpreted, stops reading, and counts the lost requests.
 */
import { FramingLost, MessageReader, type MessageHead } from './message-reader';

/** Maximum size of the body of a response, in bytes. If a body is larger, no facts about the response are recorded. */
export const MOST_ANSWER_BYTES = 4 * 1024 ** 2;

/** A request whose first line and headers have arrived. */
export interface RequestHead {
  connection: number;
  /** Position among the requests of the connection, from 0. */
  order: number;
  /** Time of the first byte, in ms of `performance.now()`. */
  at: number;
  method: string;
  /** Target in the request line, as it was sent. */
  target: string;
  contentType: string;
  contentEncoding: string;
}

/** Facts about an exchange that are known at its end. */
export interface ExchangeEnd {
  /** HTTP status. 0 if the connection ended before the end of the response. */
  status: number;
  /** Time from the first byte of the request to the last byte of the response, in ms. */
  durationMs: number;
  /** Size of the response's body as the target sent it (possibly compressed), in bytes. */
  bytes: number;
  /** Content encoding of the response. */
  encoding: string;
  /** Whether the whole body of the response was passed to the {@link ExchangeSink}. */
  hasBody: boolean;
}

/** Receives the data of exchanges (requests with their responses). A buffer that is passed to a method is valid only during that call. */
export interface ExchangeSink {
  /**
   * Called at the beginning of a request. Returns `id`, which identifies the exchange in later calls; 0 if the exchange is not recorded.
   * `keepsBodies`: whether the caller must pass the bodies of the request and its response.
   */
  begin(request: RequestHead): { id: number; keepsBodies: boolean };
  /**
   * Called with each piece of the request's body. In a chunked body, the lines with sizes of chunks are left out. Returns false if the
   * request is dropped.
   */
  requestBody(id: number, bytes: Buffer): boolean;
  /** Whether there is enough memory for bodies of responses at the moment. If not, the caller need not pass them. */
  readonly takesAnswers: boolean;
  /** Called with each piece of the response's body. Returns false if there was no space for it. */
  answerBody(id: number, bytes: Buffer): boolean;
  end(id: number, end: ExchangeEnd): void;
  /** Called for a request whose remaining bytes cannot be read. The request is then removed, and counted in `unread`. */
  forget(id: number): void;
  /** Called for a request whose first line or headers cannot be read. The request is then counted in `unread`. */
  unread(): void;
}

interface Exchange {
  /** Id of the exchange in the {@link ExchangeSink}. 0 if the request is not recorded: it was dropped, or already counted in `unread`. */
  id: number;
  method: string;
  at: number;
  waitsForContinue: boolean;
  hasBodyBytes: boolean;
  keepsBody: boolean;
  isSent: boolean;
  status: number;
  answerEncoding: string;
  answerBytes: number;
  keepsAnswer: boolean;
  /** Time of the last byte of the response; 0 if it has not arrived yet. */
  answeredAt: number;
}

export class ConnectionReader {
  private readonly requests: MessageReader;
  private readonly answers: MessageReader;
  /** Requests without a complete response, in their order. */
  private readonly waiting: Exchange[] = [];
  /** The request whose remaining bytes have not arrived yet. Its response may already have arrived. */
  private incoming: Exchange | undefined;
  private order = 0;
  private now = 0;
  private isInterim = false;
  private isOver = false;

  constructor(
    private readonly connection: number,
    private readonly sink: ExchangeSink,
  ) {
    this.requests = new MessageReader('request', {
      onHead: (head) => this.beginRequest(head),
      onBody: (bytes) => this.requestBody(bytes),
      onEnd: (isLeftOut) => this.endRequest(isLeftOut),
    });
    this.answers = new MessageReader('answer', {
      onHead: (head) => this.beginAnswer(head),
      onBody: (bytes) => this.answerBody(bytes),
      onEnd: () => this.endAnswer(),
    });
  }

  /** Whether the responses to all requests are complete. Null if this is unknown, because the bytes cannot be interpreted. */
  get isIdle(): boolean | null {
    return this.isOver ? null : this.waiting.length === 0 && !this.requests.isWithin;
  }

  /** Reads bytes from the client. `now`: time of their arrival, in ms of `performance.now()`. */
  fromClient(chunk: Buffer, now: number): void {
    this.read(this.requests, chunk, now);
  }

  fromTarget(chunk: Buffer, now: number): void {
    this.read(this.answers, chunk, now);
  }

  /** Called when the target has sent its last byte. This is the end of a response without a length. */
  targetEnded(now: number): void {
    if (this.isOver) return;
    this.now = now;
    this.answers.end();
  }

  /** Called when both directions are closed. Records the requests that have no response. */
  closed(now: number): void {
    if (this.isOver) return;
    this.isOver = true;
    const { incoming } = this;
    for (const exchange of this.waiting) if (exchange !== incoming) this.record(exchange, 0, now);
    if (incoming !== undefined) this.forget(incoming);
    else if (this.requests.isWithin) this.sink.unread();
  }

  /**
   * Stops reading, for example at the end of the recording, while the relay keeps the connection open. Requests without a complete response
   * are counted in `unread`.
   */
  stop(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.forgetUnended();
  }

  /** Counts in `unread` all requests that have begun but have no complete response. Returns the number of these requests. */
  private forgetUnended(): number {
    const { incoming } = this;
    const unended = new Set(incoming === undefined ? this.waiting : [...this.waiting, incoming]);
    for (const exchange of unended) this.forget(exchange);
    if (incoming !== undefined || !this.requests.isWithin) return unended.size;
    this.sink.unread();
    return unended.size + 1;
  }

  private read(reader: MessageReader, chunk: Buffer, now: number): void {
    if (this.isOver) return;
    this.now = now;
    try {
      reader.read(chunk, now);
    } catch {
      // An error other than FramingLost is a bug. Even then, the connection continues.
      this.lose();
    }
  }

  /**
   * Stops reading, because the bytes of the connection cannot be interpreted. Counts all unfinished requests in `unread`, but at least one
   * request.
   */
  private lose(): void {
    this.isOver = true;
    if (this.forgetUnended() === 0) this.sink.unread();
  }

  /** Counts a request in `unread`, unless this was already done. The response to the request is then ignored. */
  private forget(exchange: Exchange): void {
    if (exchange.id !== 0) this.sink.forget(exchange.id);
    exchange.id = 0;
  }

  private beginRequest(head: MessageHead): boolean {
    const { contentType, contentEncoding, begunAt: at } = head;
    const [method = '', target = ''] = head.start.split(' ');
    const { connection, order } = this;
    this.order += 1;
    const request = { connection, order, at, method, target, contentType, contentEncoding };
    const { id, keepsBodies } = this.sink.begin(request);
    this.incoming = {
      id,
      method,
      at,
      waitsForContinue: head.expectsContinue,
      hasBodyBytes: false,
      keepsBody: keepsBodies,
      isSent: false,
      status: 0,
      answerEncoding: '',
      answerBytes: 0,
      keepsAnswer: keepsBodies,
      answeredAt: 0,
    };
    this.waiting.push(this.incoming);
    return true;
  }

  private requestBody(bytes: Buffer): void {
    const exchange = this.incoming!;
    exchange.hasBodyBytes = true;
    if (exchange.id !== 0 && exchange.keepsBody && !this.sink.requestBody(exchange.id, bytes))
      exchange.id = 0;
  }

  private endRequest(isLeftOut: boolean): void {
    const exchange = this.incoming!;
    this.incoming = undefined;
    exchange.isSent = true;
    if (isLeftOut) this.forget(exchange);
    else if (exchange.answeredAt > 0) this.record(exchange, exchange.status, exchange.answeredAt);
  }

  private beginAnswer({ start, contentEncoding, contentLength = 0 }: MessageHead): boolean {
    const status = Number(start.slice(9, 12));
    const [exchange] = this.waiting;
    if (exchange === undefined) throw new FramingLost('an answer without a request');
    if (status === 101 || (exchange.method === 'CONNECT' && status >= 200 && status < 300))
      throw new FramingLost('another protocol follows');
    this.isInterim = status < 200;
    if (this.isInterim) return false;
    exchange.status = status;
    exchange.answerEncoding = contentEncoding;
    if (exchange === this.incoming && exchange.waitsForContinue && !exchange.hasBodyBytes)
      this.requests.allowNoBody();
    const hasBody = exchange.method !== 'HEAD' && status !== 204 && status !== 304;
    if (hasBody) exchange.keepsAnswer &&= this.sink.takesAnswers && contentLength <= MOST_ANSWER_BYTES;
    return hasBody;
  }

  private answerBody(bytes: Buffer): void {
    const exchange = this.waiting[0]!;
    exchange.answerBytes += bytes.length;
    if (exchange.id === 0 || !exchange.keepsAnswer) return;
    exchange.keepsAnswer =
      exchange.answerBytes <= MOST_ANSWER_BYTES && this.sink.answerBody(exchange.id, bytes);
  }

  private endAnswer(): void {
    if (this.isInterim) {
      this.isInterim = false;
      return;
    }
    const exchange = this.waiting.shift()!;
    exchange.answeredAt = this.now;
    if (exchange.isSent) this.record(exchange, exchange.status, this.now);
  }

  private record(exchange: Exchange, status: number, now: number): void {
    const { id, at, answerBytes: bytes, answerEncoding: encoding, keepsAnswer } = exchange;
    if (id === 0) return;
    this.sink.end(id, {
      status,
      durationMs: now - at,
      bytes,
      encoding,
      hasBody: keepsAnswer && status !== 0,
    });
  }
}
