/**
 * How long what arrives may have waited for the event loop of a load thread before it was heard: an upper limit for each
 * answer, in ms. The system says that bytes are there when the loop asks, so what arrives while the thread works on
 * something else, or collects garbage, waits until then; what arrives while the loop sleeps does not.
 */
import { performance } from 'node:perf_hooks';

/** The loop slept where it was idle for longer than it takes to ask for what has arrived; ms. */
const SLEPT_MS = 0.02;

export class LoopDelay {
  private readonly timing = performance.nodeTiming;
  private turnedAt = 0;
  private idleMs = 0;
  /** What is heard in this turn of the loop arrived after this; -1 where that is not known yet. */
  private since = -1;

  /** To be called first by whatever of a load thread the loop calls: it has just asked for what had arrived. */
  turned(now: number): void {
    this.turnedAt = now;
    this.idleMs = this.timing.idleTime;
    this.since = -1;
  }

  /** Bytes are heard at `now`: how long they may have waited, ms. */
  heard(now: number): number {
    if (this.since < 0) this.since = this.timing.idleTime - this.idleMs > SLEPT_MS ? now : this.turnedAt;
    return now - this.since;
  }
}
