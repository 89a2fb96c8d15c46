/**
 * Hears bytes as soon as the event loop reads them. All sockets that have something are read in one turn of the loop, and
 * whatever follows from an answer, to parse it, to count it and to send the next request, would keep the others waiting
 * unheard: so all of them are heard first, and read after it, in the same turn. Likewise, a request is sent when it is
 * written, not when this thread begins to think of it.
 */
import type { Socket } from 'node:net';
import type { LoopDelay } from '../instrument/loop-delay';

/** When a connection was last used; ms since the start of the load. */
export interface WireTimes {
  /** It stands: what is handed to it waits for no connection to be made. */
  open: boolean;
  /** When its last request was written, which may be a turn of the loop after it was handed over; NaN before that. */
  sentAt: number;
  /** How long its last request waited until the connection was made, ms: 0 if it stood; NaN before the request was written. */
  openingMs: number;
  /** When it was last heard; -Infinity before anything. */
  heardAt: number;
  /** How long the bytes may have waited for this thread before that, ms. */
  heldMs: number;
  /** The bytes that were heard last of the answer to the last request; null before any. */
  last: Buffer | null;
}

export const unused = (): WireTimes => ({
  open: false,
  sentAt: NaN,
  openingMs: 0,
  heardAt: -Infinity,
  heldMs: 0,
  last: null,
});

/** These end a connection: what arrived before them is read before them. */
const ENDS: ReadonlySet<string | symbol> = new Set(['end', 'error', 'close']);

export class Wires {
  private waiting: (() => void)[] = [];
  private reading: (() => void)[] = [];

  constructor(
    /** ms since the start of the load. */
    private readonly now: () => number,
    private readonly delay: LoopDelay,
  ) {}

  /** Notes the times of `socket` in `times`; whoever listens to it reads later in the same turn. */
  listen(socket: Socket, times: WireTimes): void {
    times.open = true;
    socket.once('close', () => (times.open = false));
    this.noteTimes(socket, times);
    const emit = socket.emit.bind(socket) as (event: string | symbol, ...values: unknown[]) => boolean;
    let waits = false;
    const read = (): void => {
      if (!waits) return;
      waits = false;
      emit('readable');
    };
    socket.emit = (event: string | symbol, ...values: unknown[]): boolean => {
      if (event === 'readable') {
        if (!waits) {
          waits = true;
          this.readLater(read);
        }
        return true;
      }
      if (waits && ENDS.has(event)) read();
      return emit(event, ...values);
    };
  }

  /** Its methods are replaced where the bytes pass first: what listeners are told comes later. */
  private noteTimes(socket: Socket, times: WireTimes): void {
    const push = socket.push.bind(socket);
    socket.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      const now = this.now();
      times.heardAt = now;
      times.heldMs = this.delay.heard(now);
      if (Buffer.isBuffer(chunk)) times.last = chunk;
      return push(chunk, encoding);
    };
    const write = socket.write.bind(socket) as (...values: unknown[]) => boolean;
    socket.write = (...values: unknown[]): boolean => {
      if (Number.isNaN(times.sentAt)) times.sentAt = this.now();
      else if (Number.isNaN(times.openingMs)) times.openingMs = this.now() - times.sentAt;
      return write(...values);
    };
  }

  private readLater(read: () => void): void {
    if (this.waiting.push(read) === 1) setImmediate(this.readAll);
  }

  private readonly readAll = (): void => {
    this.delay.turned(this.now());
    [this.waiting, this.reading] = [this.reading, this.waiting];
    for (const read of this.reading) read();
    this.reading.length = 0;
  };
}
