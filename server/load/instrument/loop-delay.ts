/**
 * Measures for how long, in ms, a response may at most have waited until the event loop of a load thread noticed it. Bytes that arrive
 * while the thread works or collects garbage wait until the loop asks the operating system for them. Bytes that arrive while the loop
 * sleeps do not wait.
 */
import { performance } from 'node:perf_hooks';

/**
 * If the event loop was idle for longer than this many ms, the thread slept until bytes arrived, so the bytes did not wait. Shorter idle
 * times come from asking the operating system for bytes.
 */
const SLEPT_MS = 0.02;

export class LoopDelay {
  private readonly timing = performance.nodeTiming;
  private turnedAt = 0;
  private idleMs = 0;
  /**
   * Earliest time at which the bytes that are now being read may have arrived, in ms. -1 if this iteration of the event loop has not
   * determined the time yet.
   */
  private since = -1;

  /**
   * Notes that the event loop has just asked the system for new bytes. Every callback of a load thread must call this function first,
   * because any callback can be the first of an iteration.
   */
  turned(now: number): void {
    this.turnedAt = now;
    this.idleMs = this.timing.idleTime;
    this.since = -1;
  }

  /** Returns the time in ms for which bytes that are noticed at `now` may have waited. */
  noticed(now: number): number {
    if (this.since < 0) this.since = this.timing.idleTime - this.idleMs > SLEPT_MS ? now : this.turnedAt;
    return now - this.since;
  }
}
