/**
 * A queue of pauses: a client waits for a fixed time between two requests of a transaction. All pauses in the queue have the same length,
 * so they end in the order in which they began.
 */
import type { LoadClock } from '../timing/clock';
import type { Pacer } from '../timing/pacer';

interface Waiting {
  /** End of the pause, in ms since the start of the load. */
  due: number;
  /** Called at the end of the pause; null if the pause was cancelled. */
  go: (() => void) | null;
}

export class Gaps {
  private readonly waiting: Waiting[] = [];
  private readonly wakeAt: (time: number) => void;

  constructor(
    private readonly clock: LoadClock,
    pacer: Pacer,
    private readonly lengthMs: number,
  ) {
    this.wakeAt = pacer.add(() => {
      this.end();
    });
  }

  /**
   * Begins a pause at the time `from`, in ms since the start of the load, and calls `go` at its end. Returns a function that cancels the
   * call.
   */
  after(from: number, go: () => void): () => void {
    const own: Waiting = { due: from + this.lengthMs, go };
    this.waiting.push(own);
    if (this.waiting.length === 1) this.wakeAt(own.due);
    return () => {
      own.go = null;
    };
  }

  private end(): void {
    const now = this.clock.now();
    while (this.waiting.length > 0 && this.waiting[0]!.due <= now) this.waiting.shift()!.go?.();
    if (this.waiting.length > 0) this.wakeAt(this.waiting[0]!.due);
  }
}
