/**
 * Queue of exchanges for the writing thread. It never waits. Its memory is a limited number of buffers. If most of them wait, because the
 * writing thread is slower than the traffic, further ones go through a spill file. If that fails too, requests are dropped and counted.
 */
import { trafficKind, type TrafficKind } from '../../../common/traffic/kind';
import type { ExchangeEnd, ExchangeSink, RequestHead } from './connection-reader';
import {
  BUFFER_BYTES,
  BUFFERS,
  MOST_BUFFERS,
  FRAME,
  FRAME_HEAD_BYTES,
  framesOf,
  type BatchNews,
  type BeginFrame,
  type FrameKind,
  type ToWriting,
} from './frames';
import { placeOf } from './place';
import type { SpillFile } from './spill-file';

/** Longest time that a frame waits for others, in ms. */
const COLLECT_MS = 20;
/** Share of the buffers that must be free to send a buffer without the spill file. */
const FREE_TO_SEND = 0.85;
/** Share that must be free to keep answers. Requests matter more than the comparison of their answers. */
const FREE_FOR_ANSWERS = 0.25;
const MOST_ID = 0xffff_ffff;
/** Number of dropped requests whose ids are kept. */
const MOST_LOST = 10_000;

export interface WritingPort {
  postMessage(message: ToWriting, transfer?: ArrayBuffer[]): void;
}

export interface OutboxOptions {
  /** Path of the target's URL, without a slash at its end. */
  basePath: string;
  /** Null if no file could be created. */
  spill: SpillFile | null;
  /** Number of buffers, and number while the disk is slow. */
  buffers?: number;
  mostBuffers?: number;
}

/** A buffer on its way to the writing thread. They are sent in their order. */
interface Sealed {
  news: BatchNews;
  length: number;
  /** Undefined while the buffer is being written to the spill file. */
  message: ToWriting | undefined;
  transfer: ArrayBuffer[];
}

/**
 * Whether the bodies of a request and of its answer are recorded. A replay leaves out requests that administer the cluster, and their
 * bodies may contain passwords: of users, of snapshot repositories, of clusters to reindex from.
 */
const areBodiesRecorded = ({ effect, name }: TrafficKind): boolean =>
  effect !== 'other' || name === 'asynchronous';

export class Outbox {
  /** Requests that were dropped, and requests that could not be read or are outside the base path. */
  dropped = 0;
  unread = 0;
  private readonly buffers: number;
  private readonly mostBuffers: number;
  private readonly free: ArrayBuffer[] = [];
  /** Number of buffers that exist. They are created when they are first needed. */
  private created = 0;
  private buffer: Buffer | undefined;
  private length = 0;
  private forgotten: number[] = [];
  private droppedBefore = 0;
  private lastId = 0;
  /** The last dropped requests. */
  private readonly lost = new Set<number>();
  private readonly sealed: Sealed[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  private onSent: (() => void) | undefined;

  constructor(
    private readonly port: WritingPort,
    private readonly options: OutboxOptions,
  ) {
    this.buffers = options.buffers ?? BUFFERS;
    this.mostBuffers = options.mostBuffers ?? MOST_BUFFERS;
  }

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
    this.keep(buffer);
    this.sendNews();
  }

  /** The writing thread has read this many bytes of the spill file. */
  spillRead(bytes: number): void {
    this.options.spill?.release(bytes);
    this.sendNews();
  }

  /** Sends everything and then the end. */
  async close(): Promise<void> {
    this.seal();
    this.abandon();
    if (this.sealed.length > 0) await new Promise<void>((resolve) => (this.onSent = resolve));
    this.port.postMessage({ as: 'end', news: this.takeNews() });
  }

  /** Drops everything from now on. */
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

  private begin({ target, ...request }: RequestHead, client: string): { id: number; keepsBodies: boolean } {
    const place = placeOf(target, this.options.basePath);
    if (place === null) {
      this.unread += 1;
      return { id: 0, keepsBodies: false };
    }
    this.lastId = this.lastId === MOST_ID ? 1 : this.lastId + 1;
    const id = this.lastId;
    const kind = trafficKind(request.method, place.path);
    const frame: BeginFrame = { ...request, ...place, client, kind };
    if (this.put(FRAME.begin, id, Buffer.from(JSON.stringify(frame))))
      return { id, keepsBodies: areBodiesRecorded(kind) };
    this.dropped += 1;
    return { id: 0, keepsBodies: false };
  }

  private end(id: number, end: ExchangeEnd): void {
    if (!this.put(FRAME.end, id, Buffer.from(JSON.stringify(end)))) this.drop(id);
  }

  private forget(id: number): void {
    this.forgotten.push(id);
    this.sealLater();
  }

  private drop(id: number): false {
    this.countDropped(id);
    this.forget(id);
    return false;
  }

  /** Counts a request once, although several of its buffers may be lost. */
  private countDropped(id: number): void {
    if (this.lost.has(id)) return;
    this.dropped += 1;
    this.lost.add(id);
    // Ids are in the order in which they were added.
    if (this.lost.size > MOST_LOST) this.lost.delete(this.lost.values().next().value!);
  }

  /** Puts a body into as many frames as needed. */
  private putBody(kind: FrameKind, id: number, bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length) {
      const here = this.buffer === undefined ? 0 : BUFFER_BYTES - this.length - FRAME_HEAD_BYTES;
      const end = Math.min(bytes.length, at + (here > 0 ? here : BUFFER_BYTES - FRAME_HEAD_BYTES));
      if (!this.put(kind, id, bytes.subarray(at, end))) return false;
      at = end;
    }
    return true;
  }

  /** Returns false if no buffer is free, or if the content does not fit into a buffer. */
  private put(kind: FrameKind, id: number, content: Buffer): boolean {
    if (this.isClosed) return false;
    const needed = FRAME_HEAD_BYTES + content.length;
    if (this.buffer !== undefined && this.length + needed > BUFFER_BYTES) this.seal();
    this.buffer ??= this.nextBuffer();
    if (this.buffer === undefined || needed > BUFFER_BYTES) return false;
    const { buffer, length } = this;
    buffer[length] = kind;
    buffer.writeUInt32LE(id, length + 1);
    buffer.writeUInt32LE(content.length, length + 5);
    content.copy(buffer, length + FRAME_HEAD_BYTES);
    this.length += needed;
    this.sealLater();
    return true;
  }

  private nextBuffer(): Buffer | undefined {
    const free = this.free.pop();
    if (free !== undefined) return Buffer.from(free);
    if (this.created >= this.mostBuffers) return undefined;
    this.created += 1;
    return Buffer.from(new ArrayBuffer(BUFFER_BYTES));
  }

  /** Keeps a buffer for later, unless there are more than usual. */
  private keep(buffer: ArrayBuffer): void {
    if (this.created > this.buffers) this.created -= 1;
    else this.free.push(buffer);
  }

  private takeNews(): BatchNews {
    const news = { forgotten: this.forgotten, dropped: this.unreported };
    this.forgotten = [];
    this.droppedBefore = this.dropped;
    return news;
  }

  private sealLater(): void {
    if (!this.isClosed) this.timer ??= setTimeout(() => this.seal(), COLLECT_MS);
  }

  /** Without a buffer, the numbers of dropped requests had to wait. */
  private sendNews(): void {
    if (this.buffer === undefined && (this.forgotten.length > 0 || this.unreported > 0)) this.sealLater();
  }

  /** Ends the current buffer, and sends it directly or through the spill file. */
  private seal(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.isClosed || (this.length === 0 && this.forgotten.length === 0 && this.unreported === 0)) return;
    this.buffer ??= this.nextBuffer();
    if (this.buffer === undefined) return;
    const { buffer, length } = this;
    this.buffer = undefined;
    this.length = 0;
    const memory = buffer.buffer as ArrayBuffer;
    const news = this.takeNews();
    const item: Sealed = {
      news,
      length,
      message: { as: 'batch', buffer: memory, length, news },
      transfer: [memory],
    };
    this.sealed.push(item);
    const offset =
      this.freeBuffers >= FREE_TO_SEND * this.buffers ? undefined : this.options.spill?.reserve(length);
    if (offset !== undefined) this.spill(item, buffer.subarray(0, length), offset);
    this.sendSealed();
  }

  private spill(item: Sealed, bytes: Buffer, offset: number): void {
    const memory = bytes.buffer as ArrayBuffer;
    item.message = undefined;
    item.transfer = [];
    void this.options.spill!.write(bytes, offset).then((isWritten) => {
      if (!isWritten) this.dropAll(bytes, item.news);
      item.message = {
        as: 'spilled',
        offset,
        length: isWritten ? bytes.length : 0,
        reserved: bytes.length,
        news: item.news,
      };
      this.keep(memory);
      this.sendSealed();
    });
  }

  /** Drops the requests of a buffer that could not be written to the spill file. */
  private dropAll(bytes: Buffer, news: BatchNews): void {
    const ids = new Set<number>();
    for (const { id } of framesOf(bytes)) ids.add(id);
    for (const id of ids) this.countDropped(id);
    news.forgotten.push(...ids);
  }

  private sendSealed(): void {
    for (;;) {
      const message = this.sealed[0]?.message;
      if (message === undefined) break;
      this.port.postMessage(message, this.sealed.shift()!.transfer);
    }
    if (this.sealed.length === 0) this.onSent?.();
  }
}
