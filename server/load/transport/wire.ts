/**
 * Records when responses arrive and when requests are written.
 *
 * In one iteration, the event loop reads all sockets that have data. Processing one response would delay the recorded times of the others.
 * Therefore, the times of all responses are recorded first. The responses are processed afterwards, in the same iteration.
 */
import type { Socket } from 'node:net';
import type { LoopDelay } from '../instrument/loop-delay';

/** Times of a connection's last request, in ms since the start of the load. */
export interface WireTimes {
  /** Whether the connection is open, so that a request need not wait for it. */
  open: boolean;
  /**
   * Time at which the last request was written, in ms since the start of the load. It may be one turn of the event loop after the request
   * was handed over. NaN before that.
   */
  sentAt: number;
  /**
   * Time in ms for which the last request waited until the connection was open: 0 if it was open already; NaN before the request was
   * written.
   */
  openingMs: number;
  /** Time at which the last bytes were noticed, in ms since the start of the load; -Infinity before the first bytes. */
  noticedAt: number;
  /** How long the newest bytes may have waited until this thread noticed them, in ms. */
  heldMs: number;
  /** Newest bytes of the response to the last request; null before the first bytes. */
  last: Buffer | null;
}

export const unused = (): WireTimes => ({
  open: false,
  sentAt: NaN,
  openingMs: 0,
  noticedAt: -Infinity,
  heldMs: 0,
  last: null,
});

/** Events that end a connection. Bytes that arrived earlier are processed before these events. */
const ENDS: ReadonlySet<string | symbol> = new Set(['end', 'error', 'close']);

export class Wires {
  private waiting: (() => void)[] = [];
  private reading: (() => void)[] = [];

  constructor(
    /** Returns the time in ms since the start of the load. */
    private readonly now: () => number,
    private readonly delay: LoopDelay,
  ) {}

  /** Records the times of `socket` in `times`. Listeners of the socket receive the bytes later in the same iteration of the event loop. */
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

  /**
   * Replaces the methods of the socket that receive and send bytes. The new methods record the times, for received bytes before any
   * listener of the socket is called.
   */
  private noteTimes(socket: Socket, times: WireTimes): void {
    const push = socket.push.bind(socket);
    socket.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      const now = this.now();
      times.noticedAt = now;
      times.heldMs = this.delay.noticed(now);
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
