/**
 * Measures an upper limit of the time that an answer waited for the event loop of a load thread before it was noticed, in ms. Bytes that
 * arrive while the thread is working or collecting garbage wait until the loop asks the system for them. Bytes that arrive while the loop
 * sleeps do not wait.
 */
import { performance } from 'node:perf_hooks';

/** Idle time in ms above which the loop must have slept. Asking the system for new bytes takes less. */
const SLEPT_MS = 0.02;

export class LoopDelay {
  private readonly timing = performance.nodeTiming;
  private turnedAt = 0;
  private idleMs = 0;
  /** Bytes that are noticed in this turn of the loop arrived after this time; -1 if it is not known yet. */
  private since = -1;

  /** Notes that the event loop has just asked the system for new bytes. Every callback of a load thread must call this function first. */
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
