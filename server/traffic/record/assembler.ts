/**
 * Assembles records of exchanges (requests with their responses) in the writing thread. The data of the exchanges arrives in frames from
 * the thread that relays connections, see frames.ts.
 */
import type { TrafficKind } from '../../../common/traffic/kind';
import type { AnswerFacts, TrafficRecord } from '../../../common/traffic/record';
import { decodeWhole, isKnown, isPlain, PieceDecoder } from '../../traffic-file/decode';
import { MOST_ANSWER_BYTES } from './connection-reader';
import { FRAME, framesOf, type BeginFrame, type EndFrame, type WritingSettings } from './frames';

/** The methods of the writer of traffic files that the recorder uses. */
export interface RecordWriter {
  append(record: TrafficRecord): boolean;
  /** Adds a part of a long body. The record of this body follows later. */
  appendPart(connection: number, order: number, bytes: Uint8Array): boolean;
  forget(connection: number, order: number): void;
  /** Resolves when the lines that wait for the disk have at most the size `bytes`. */
  untilQueued(bytes: number): Promise<void>;
}

export type FactsOf = (
  kind: TrafficKind,
  status: number,
  body: Uint8Array,
  request: Uint8Array | null,
) => AnswerFacts | null;

/**
 * Maximum size, in bytes, of the lines that wait for the disk. More lines are added only when fewer bytes wait. Without this limit, one
 * buffer of 64 KB with compressed bodies could become many megabytes of lines.
 */
export const MOST_QUEUED_BYTES = 1024 ** 2;
/** Approximate size, in bytes, of the parts in which the long body of a request is passed to the writer. */
const PART_BYTES = 256 * 1024;
/** Maximum memory for all unfinished exchanges, in bytes. */
const MOST_HELD_BYTES = 16 * 1024 ** 2;
/** Maximum length of a body that is decoded at once, in bytes. Longer bodies are decoded in pieces. */
const MOST_WHOLE_BYTES = 2 * 1024 ** 2;

interface Exchange extends BeginFrame {
  /** Pieces of the request's body, decoded if `decoder` is set. */
  body: Buffer[];
  bodyBytes: number;
  /** Whether the request has a body that is not empty. */
  hasBody: boolean;
  /** Whether parts of the request's body were already passed to the writer. */
  hasParts: boolean;
  decoder: PieceDecoder | undefined;
  answer: Buffer[];
  answerBytes: number;
  isAnswerLost: boolean;
  /**
   * Whether the body of the request cannot be decoded. When the request ends, the request is then counted in `unread`, unless the relaying
   * thread has already counted it.
   */
  isUnread: boolean;
  isOpen: boolean;
}

/** Joins pieces. A single piece is not copied. */
const joined = (pieces: readonly Buffer[]): Buffer =>
  pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);

export class Assembler {
  /** Number of requests with bodies that cannot be decoded. */
  unread = 0;
  withoutFacts = 0;
  private readonly exchanges = new Map<number, Exchange>();
  private heldBytes = 0;
  /** Memory of the buffer whose frames are being processed. It is used to recognise pieces that refer to this buffer. */
  private batch: ArrayBufferLike | undefined;
  /**
   * Exchanges that have frames in the current buffer. Their pieces refer to the memory of the buffer. Before the buffer is returned, the
   * pieces of unfinished exchanges are copied.
   */
  private readonly touched = new Set<Exchange>();
  private readonly part = Buffer.allocUnsafeSlow(1.5 * PART_BYTES);

  constructor(
    private readonly writer: RecordWriter,
    private readonly factsOf: FactsOf,
    private readonly settings: Pick<WritingSettings, 'startedNow'>,
  ) {}

  /** Processes the frames of one buffer. Afterwards, nothing refers to the buffer any more. */
  async take(bytes: Buffer): Promise<void> {
    this.batch = bytes.buffer;
    for (const { kind, id, content } of framesOf(bytes)) {
      if (kind === FRAME.begin) {
        this.begin(id, JSON.parse(content.toString('utf8')) as BeginFrame);
        continue;
      }
      const exchange = this.exchanges.get(id);
      if (exchange === undefined) continue;
      this.touched.add(exchange);
      if (exchange.isUnread && kind !== FRAME.end) continue;
      if (kind === FRAME.requestBody) await this.addToBody(exchange, content);
      else if (kind === FRAME.answerBody) this.addToAnswer(exchange, content);
      else await this.end(id, exchange, JSON.parse(content.toString('utf8')) as EndFrame);
    }
    this.ownPieces();
  }

  /** Removes an exchange whose end will not arrive, for example because the relaying thread dropped the request. */
  forget(id: number): void {
    const exchange = this.exchanges.get(id);
    if (exchange === undefined) return;
    this.remove(id, exchange);
    this.writer.forget(exchange.connection, exchange.order);
  }

  private remove(id: number, exchange: Exchange): void {
    exchange.isOpen = false;
    this.exchanges.delete(id);
    this.release(exchange);
  }

  /** Frees the memory of an exchange. */
  private release(exchange: Exchange): void {
    exchange.decoder?.close();
    this.heldBytes -= exchange.bodyBytes + exchange.answerBytes;
    Object.assign(exchange, { body: [], bodyBytes: 0, answer: [], answerBytes: 0, decoder: undefined });
  }

  private giveUp(exchange: Exchange): void {
    exchange.isUnread = true;
    this.release(exchange);
    this.writer.forget(exchange.connection, exchange.order);
  }

  private begin(id: number, begin: BeginFrame): void {
    this.exchanges.set(id, {
      ...begin,
      body: [],
      bodyBytes: 0,
      hasBody: false,
      hasParts: false,
      decoder: undefined,
      answer: [],
      answerBytes: 0,
      isAnswerLost: false,
      isUnread: false,
      isOpen: true,
    });
  }

  /** Copies the pieces of unfinished exchanges, because the memory of the buffer will be used again. */
  private ownPieces(): void {
    for (const exchange of this.touched) {
      if (!exchange.isOpen) continue;
      for (const pieces of [exchange.body, exchange.answer])
        for (let at = pieces.length - 1; at >= 0 && pieces[at]!.buffer === this.batch; at -= 1)
          pieces[at] = Buffer.from(pieces[at]!);
    }
    this.touched.clear();
  }

  private async addToBody(exchange: Exchange, content: Buffer): Promise<void> {
    if (!isKnown(exchange.contentEncoding)) {
      this.giveUp(exchange);
      return;
    }
    exchange.hasBody = true;
    if (exchange.decoder === undefined) {
      await this.hold(exchange, content);
      if (isPlain(exchange.contentEncoding) || !this.isLong(exchange)) return;
      this.startDecoder(exchange);
      const pieces = this.takeBody(exchange);
      await this.decode(exchange, pieces);
    } else await this.decode(exchange, content);
  }

  private startDecoder(exchange: Exchange): void {
    exchange.decoder = new PieceDecoder(exchange.contentEncoding, (piece) => this.hold(exchange, piece));
  }

  private async decode(exchange: Exchange, bytes: Buffer): Promise<void> {
    try {
      await exchange.decoder!.add(bytes);
    } catch {
      this.giveUp(exchange);
    }
  }

  /**
   * Adds a piece to the request's body of an exchange. If the collected pieces are long enough, waits until the writer has space, and
   * passes the pieces to the writer as one part.
   */
  private async hold(exchange: Exchange, piece: Buffer): Promise<void> {
    exchange.body.push(piece);
    exchange.bodyBytes += piece.length;
    this.heldBytes += piece.length;
    if (!isPlain(exchange.contentEncoding) && exchange.decoder === undefined) return;
    if (!this.isLong(exchange)) return;
    await this.writer.untilQueued(MOST_QUEUED_BYTES);
    exchange.hasParts = true;
    this.writer.appendPart(exchange.connection, exchange.order, this.takePart(exchange));
  }

  private isLong({ bodyBytes }: Exchange): boolean {
    return bodyBytes >= PART_BYTES || this.heldBytes > MOST_HELD_BYTES;
  }

  /**
   * Returns the collected pieces of a body as one buffer, and removes them from the exchange. The caller must use the buffer at once,
   * because the next part is written to the same buffer.
   */
  private takePart(exchange: Exchange): Buffer {
    const { body, bodyBytes } = exchange;
    if (bodyBytes > this.part.length) return this.takeBody(exchange);
    let at = 0;
    for (const piece of body) at += piece.copy(this.part, at);
    this.heldBytes -= bodyBytes;
    exchange.body = [];
    exchange.bodyBytes = 0;
    return this.part.subarray(0, at);
  }

  private takeBody(exchange: Exchange): Buffer {
    const body = joined(exchange.body);
    this.heldBytes -= exchange.bodyBytes;
    exchange.body = [];
    exchange.bodyBytes = 0;
    return body;
  }

  private addToAnswer(exchange: Exchange, content: Buffer): void {
    if (exchange.isAnswerLost) return;
    if (exchange.answerBytes + content.length <= MOST_ANSWER_BYTES && this.heldBytes <= MOST_HELD_BYTES) {
      exchange.answer.push(content);
      exchange.answerBytes += content.length;
      this.heldBytes += content.length;
      return;
    }
    this.heldBytes -= exchange.answerBytes;
    exchange.answer = [];
    exchange.answerBytes = 0;
    exchange.isAnswerLost = true;
  }

  private async end(id: number, exchange: Exchange, end: EndFrame): Promise<void> {
    let body: Uint8Array | null = null;
    try {
      if (!exchange.isUnread) body = await this.bodyOf(exchange);
    } catch {
      this.giveUp(exchange);
    }
    if (exchange.isUnread) {
      this.remove(id, exchange);
      this.unread += 1;
      return;
    }
    const facts = this.factsFor(exchange, end, exchange.hasParts ? null : body);
    if (facts === null && exchange.kind.effect !== 'other') this.withoutFacts += 1;
    const { connection, order, at, method, path, query, contentType, contentEncoding, client } = exchange;
    this.remove(id, exchange);
    await this.writer.untilQueued(MOST_QUEUED_BYTES);
    this.writer.append({
      connection,
      order,
      at: Math.max(0, Math.round((at - this.settings.startedNow) * 1000)),
      method,
      path,
      query,
      contentType,
      ...(isPlain(contentEncoding) ? {} : { encoding: contentEncoding.trim().toLowerCase() }),
      body,
      client,
      answer: {
        status: end.status,
        durationUs: Math.round(end.durationMs * 1000),
        bytes: end.bytes,
        facts,
      },
    });
  }

  /**
   * Returns the decoded body of a request; null if the request has none. If parts of the body were already written, returns only the rest.
   * Rejects if the body cannot be decoded.
   */
  private async bodyOf(exchange: Exchange): Promise<Uint8Array | null> {
    if (!exchange.hasBody) return null;
    if (exchange.decoder === undefined && !isPlain(exchange.contentEncoding)) {
      try {
        return decodeWhole(joined(exchange.body), exchange.contentEncoding, MOST_WHOLE_BYTES);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
      }
      this.startDecoder(exchange);
      await exchange.decoder!.add(this.takeBody(exchange));
    }
    await exchange.decoder?.end();
    return this.takeBody(exchange);
  }

  private factsFor(
    exchange: Exchange,
    { status, hasBody, encoding }: EndFrame,
    request: Uint8Array | null,
  ): AnswerFacts | null {
    if (!hasBody || exchange.isAnswerLost) return null;
    try {
      const sent = joined(exchange.answer);
      // The headers of an answer to HEAD describe a body, but there is no body.
      const body = sent.length === 0 ? sent : decodeWhole(sent, encoding, MOST_ANSWER_BYTES);
      return this.factsOf(exchange.kind, status, body, request);
    } catch {
      // The body of the answer is too large or malformed.
      return null;
    }
  }
}
