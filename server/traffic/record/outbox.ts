/**
 * Queue of recorded requests and responses for the writing thread. Adding to the queue never waits, and its memory is a limited number of
 * buffers. If the writing thread is too slow, buffers are written to a temporary file (the spill file). If this file is full or cannot be
 * written, requests are dropped and counted.
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
import { withoutCredentials } from './credentials';
import { placeOf } from './place';
import type { SpillFile } from './spill-file';

/** Maximum time in ms for which a frame waits in a buffer for more frames. The buffer is then sent. */
const COLLECT_MS = 20;
/** A full buffer is sent directly if at least this share of the buffers is free. Otherwise, it is written to the spill file. */
const FREE_TO_SEND = 0.85;
/**
 * Bodies of responses are recorded if at least this share of the buffers is free. Otherwise, only requests are recorded. A replay needs the
 * requests, but it needs the responses only for comparison.
 */
const FREE_FOR_ANSWERS = 0.25;
const MOST_ID = 0xffff_ffff;

export interface WritingPort {
  postMessage(message: ToWriting, transfer?: ArrayBuffer[]): void;
}

export interface OutboxOptions {
  /** Path of the target's URL, without a slash at its end. */
  basePath: string;
  /** The spill file. Null if it could not be created. */
  spill: Pick<SpillFile, 'reserve' | 'write' | 'release'> | null;
  /** Usual number of buffers. */
  buffers?: number;
  /** Maximum number of buffers, which is reached while the disk is slow. */
  mostBuffers?: number;
}

/** A full buffer that waits to be sent to the writing thread. Buffers are sent in their order. */
interface Sealed {
  news: BatchNews;
  length: number;
  /** The message with the buffer, or with its position in the spill file. Undefined while the buffer is being written to the spill file. */
  message: ToWriting | undefined;
  transfer: ArrayBuffer[];
  /** Ids of requests whose last frame is in this buffer. The outbox forgets these requests once the buffer was sent. */
  over: readonly number[];
}

/**
 * Returns whether the query and the bodies of a request are recorded. They are not recorded for requests that administer the cluster: a
 * replay leaves out such requests, and their bodies may contain passwords of users, of snapshot repositories, or of clusters to reindex
 * from. The query may contain a body too (`source`).
 */
const isContentRecorded = ({ effect, name }: TrafficKind): boolean =>
  effect !== 'other' || name === 'asynchronous';

export class Outbox {
  /** Number of dropped requests. */
  dropped = 0;
  /** Number of requests that could not be read or are outside the base path. */
  unread = 0;
  /** Number of requests from whose query a credential was removed. */
  redacted = 0;
  private readonly buffers: number;
  private readonly mostBuffers: number;
  private readonly free: ArrayBuffer[] = [];
  /** Number of existing buffers. A buffer is created when it is first needed. */
  private created = 0;
  private buffer: Buffer | undefined;
  private length = 0;
  private forgotten: number[] = [];
  private droppedBefore = 0;
  private lastId = 0;
  /** For each request of which not all frames were sent: whether the request was already counted in `dropped` or `unread`. */
  private readonly counted = new Map<number, boolean>();
  private over: number[] = [];
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

  /** Returns the object that receives the requests and responses of one connection. `client`: address of the client. */
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
      forget: (id) => {
        this.countOnce(id, 'unread');
        this.forget(id);
      },
      unread: () => {
        this.unread += 1;
      },
    };
  }

  /** Must be called with a buffer whose frames were read. The buffer is then used again. */
  giveBack(buffer: ArrayBuffer): void {
    this.keep(buffer);
    this.sendNews();
  }

  /** Must be called when the writing thread has read a buffer from the spill file. The space in the file is then used again. */
  spillRead(): void {
    this.options.spill?.release();
    this.sendNews();
  }

  /** Sends all waiting frames, and then a message that the recording has ended. */
  async close(): Promise<void> {
    this.seal();
    this.abandon();
    if (this.sealed.length > 0) await new Promise<void>((resolve) => (this.onSent = resolve));
    this.port.postMessage({ as: 'end', news: this.takeNews() });
  }

  /** Drops all frames that arrive from now on. */
  abandon(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Number of dropped requests of which the writing thread has not been informed yet. */
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
    const keepsBodies = isContentRecorded(kind);
    const query = keepsBodies ? withoutCredentials(place.query) : '';
    const frame: BeginFrame = { ...request, path: place.path, query, client, kind };
    if (!this.put(FRAME.begin, id, Buffer.from(JSON.stringify(frame)))) {
      this.dropped += 1;
      return { id: 0, keepsBodies: false };
    }
    this.counted.set(id, false);
    if (keepsBodies && query !== place.query) this.redacted += 1;
    return { id, keepsBodies };
  }

  private end(id: number, end: ExchangeEnd): void {
    if (this.put(FRAME.end, id, Buffer.from(JSON.stringify(end)))) this.over.push(id);
    else this.drop(id);
  }

  private forget(id: number): void {
    this.forgotten.push(id);
    this.over.push(id);
    this.sealLater();
  }

  private drop(id: number): false {
    this.countOnce(id, 'dropped');
    this.forget(id);
    return false;
  }

  /** Counts a request in `dropped` or `unread`, unless it was already counted. For example, several of its buffers may be lost. */
  private countOnce(id: number, as: 'dropped' | 'unread'): void {
    if (this.counted.get(id) !== false) return;
    this.counted.set(id, true);
    this[as] += 1;
  }

  /** Writes a body to the buffers, in as many frames as necessary. Returns false if a frame could not be written. */
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

  /** Writes a frame to the current buffer. Returns false if no buffer is free, or if the content does not fit into a buffer. */
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

  /** Stores an empty buffer for later use, unless there are more buffers than usual. */
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

  /**
   * Makes sure that the writing thread is soon informed of dropped requests. Without a free buffer, this information could not be sent
   * earlier.
   */
  private sendNews(): void {
    if (this.buffer === undefined && (this.forgotten.length > 0 || this.unreported > 0)) this.sealLater();
  }

  /** Closes the current buffer, and sends it directly or through the spill file. */
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
      over: this.over,
    };
    this.over = [];
    this.sealed.push(item);
    const isSentDirectly = length === 0 || this.freeBuffers >= FREE_TO_SEND * this.buffers;
    const offset = isSentDirectly ? undefined : this.options.spill?.reserve(length);
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
        news: item.news,
      };
      this.keep(memory);
      this.sendSealed();
    });
  }

  /** Drops the requests that have frames in a buffer which could not be written to the spill file. */
  private dropAll(bytes: Buffer, news: BatchNews): void {
    const ids = new Set<number>();
    for (const { id } of framesOf(bytes)) ids.add(id);
    for (const id of ids) this.countOnce(id, 'dropped');
    news.forgotten.push(...ids);
  }

  private sendSealed(): void {
    for (;;) {
      const { message, transfer, over } = this.sealed[0] ?? {};
      if (message === undefined) break;
      this.sealed.shift();
      this.port.postMessage(message, transfer);
      for (const id of over ?? []) this.counted.delete(id);
    }
    if (this.sealed.length === 0) this.onSent?.();
  }
}
