/**
 * Queue of exchanges for the writing thread, with a fixed number of buffers. It never waits: without a free buffer it drops requests and
 * counts them.
 */
import type { MessagePort, Worker } from 'node:worker_threads';
import type { ExchangeEnd, ExchangeSink, RequestHead } from './connection-reader';
import {
  BUFFER_BYTES,
  BUFFERS,
  FRAME,
  FRAME_HEAD_BYTES,
  type FrameKind,
  type ToWriting,
  type TrafficBatch,
} from './frames';

/** Longest time that a frame waits for others, in ms. */
const COLLECT_MS = 20;
/** Answers are kept while at least this share of the buffers is free. Requests matter more than the comparison of their answers. */
const FREE_FOR_ANSWERS = 0.5;
const MOST_ID = 0xffff_ffff;

export type WritingPort = Pick<Worker | MessagePort, 'postMessage'>;

export class Outbox {
  /** Requests that were dropped, and requests that could not be read. */
  dropped = 0;
  unread = 0;
  private readonly free: ArrayBuffer[] = [];
  /** Number of buffers that exist. They are created when they are first needed. */
  private created = 0;
  private buffer: Buffer | undefined;
  private length = 0;
  private forgotten: number[] = [];
  private droppedBefore = 0;
  private lastId = 0;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly port: WritingPort,
    private readonly buffers = BUFFERS,
  ) {}

  /** Returns the sink of a connection. */
  sinkOf(client: string): ExchangeSink {
    const takesAnswers = (): boolean => this.freeBuffers >= FREE_FOR_ANSWERS * this.buffers;
    return {
      begin: (request) => this.begin(request, client),
      requestBody: (id, bytes) => this.putBody(FRAME.requestBody, id, bytes) || this.drop(id),
      get takesAnswers() {
        return takesAnswers();
      },
      answerBody: (id, bytes) => this.putBody(FRAME.answerBody, id, bytes),
      end: (id, end) => this.end(id, end),
      forget: (id) => this.forget(id),
      unread: (requests) => {
        this.unread += requests;
      },
    };
  }

  /** Takes a buffer back whose frames were read. */
  giveBack(buffer: ArrayBuffer): void {
    this.free.push(buffer);
    // Without free buffers, the ids of dropped requests had to wait.
    if (this.buffer === undefined && (this.forgotten.length > 0 || this.unreported > 0)) this.sendLater();
  }

  /** Sends everything and then the end. */
  close(): void {
    this.send();
    this.abandon();
    this.port.postMessage({ end: true, dropped: this.unreported } satisfies ToWriting);
    this.droppedBefore = this.dropped;
  }

  /** The writing thread has ended: nothing can be written any more. */
  abandon(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Dropped requests that the writing thread does not know of. */
  get unreported(): number {
    return this.dropped - this.droppedBefore;
  }

  private get freeBuffers(): number {
    return this.free.length + this.buffers - this.created;
  }

  private begin(request: RequestHead, client: string): number {
    this.lastId = this.lastId === MOST_ID ? 1 : this.lastId + 1;
    const id = this.lastId;
    if (this.put(FRAME.begin, id, Buffer.from(JSON.stringify({ ...request, client })))) return id;
    this.dropped += 1;
    return 0;
  }

  private end(id: number, end: ExchangeEnd): void {
    if (!this.put(FRAME.end, id, Buffer.from(JSON.stringify(end)))) this.drop(id);
  }

  private forget(id: number): void {
    this.forgotten.push(id);
    this.sendLater();
  }

  private drop(id: number): false {
    this.dropped += 1;
    this.forget(id);
    return false;
  }

  /** Puts a body into as many frames as needed. */
  private putBody(kind: FrameKind, id: number, bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length) {
      const room = this.room();
      if (room === 0) return false;
      const end = Math.min(bytes.length, at + room);
      if (!this.put(kind, id, bytes.subarray(at, end))) return false;
      at = end;
    }
    return true;
  }

  /** Returns the number of content bytes that fit into the next frame. 0 if no buffer is free. */
  private room(): number {
    const here = BUFFER_BYTES - this.length - FRAME_HEAD_BYTES;
    // A full buffer is sent and replaced.
    if (this.buffer !== undefined && here > 0) return here;
    return this.freeBuffers > 0 ? BUFFER_BYTES - FRAME_HEAD_BYTES : 0;
  }

  private put(kind: FrameKind, id: number, content: Buffer): boolean {
    if (this.isClosed) return false;
    const needed = FRAME_HEAD_BYTES + content.length;
    if (this.buffer !== undefined && this.length + needed > BUFFER_BYTES) this.send();
    this.buffer ??= this.nextBuffer();
    if (this.buffer === undefined || needed > BUFFER_BYTES) return false;
    const { buffer, length } = this;
    buffer[length] = kind;
    buffer.writeUInt32LE(id, length + 1);
    buffer.writeUInt32LE(content.length, length + 5);
    content.copy(buffer, length + FRAME_HEAD_BYTES);
    this.length += needed;
    this.sendLater();
    return true;
  }

  private nextBuffer(): Buffer | undefined {
    const free = this.free.pop();
    if (free !== undefined) return Buffer.from(free);
    if (this.created === this.buffers) return undefined;
    this.created += 1;
    return Buffer.from(new ArrayBuffer(BUFFER_BYTES));
  }

  private sendLater(): void {
    if (this.isClosed) return;
    this.timer ??= setTimeout(() => this.send(), COLLECT_MS);
  }

  private send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isClosed) return;
    const isNews = this.length > 0 || this.forgotten.length > 0 || this.unreported > 0;
    if (!isNews) return;
    this.buffer ??= this.nextBuffer();
    // The news wait until a buffer comes back.
    if (this.buffer === undefined) return;
    const batch: TrafficBatch = {
      buffer: this.buffer.buffer as ArrayBuffer,
      length: this.length,
      forgotten: this.forgotten,
      dropped: this.unreported,
    };
    this.buffer = undefined;
    this.length = 0;
    this.forgotten = [];
    this.droppedBefore = this.dropped;
    this.port.postMessage(batch, [batch.buffer]);
  }
}
