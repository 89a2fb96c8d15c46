/**
 * Hears bytes as soon as the event loop reads them. All sockets that have something are read in one turn of the loop, and
 * whatever follows from an answer, to parse it, to count it and to send the next request, would keep the others waiting
 * unheard: so all of them are heard first, and read after it, in the same turn.
 */
import type { Socket } from 'node:net';
import type { LoopDelay } from '../loop-delay';

/** When a connection was last heard. */
export interface Heard {
  /** ms since the start of the load; -Infinity before anything. */
  at: number;
  /** How long the bytes may have waited for this thread before, ms. */
  heldMs: number;
}

export const notHeard = (): Heard => ({ at: -Infinity, heldMs: 0 });

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

  /** Notes in `heard` when `socket` is; whoever listens to it reads later in the same turn. */
  listen(socket: Socket, heard: Heard): void {
    const emit = socket.emit.bind(socket) as (event: string | symbol, ...values: unknown[]) => boolean;
    let waits = false;
    const read = (): void => {
      if (!waits) return;
      waits = false;
      emit('readable');
    };
    socket.emit = (event: string | symbol, ...values: unknown[]): boolean => {
      if (event === 'readable') {
        const now = this.now();
        heard.at = now;
        heard.heldMs = this.delay.heard(now);
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
