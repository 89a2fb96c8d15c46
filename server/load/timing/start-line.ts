/**
 * Lets the threads of a load wait for each other. When all threads are ready, the start line sends them a few messages and measures the
 * round trips. From these it derives the lead: how long before a start the threads must be notified.
 */

/** Number of round trips that are measured. A single round trip could fall into an unusually quiet moment. */
const ROUNDS = 3;
/** Factor by which the lead exceeds the slowest round trip. The machine may be busier at the start than in the rounds. */
const TIMES = 4;
/** Shortest lead in ms. Timers have a resolution of a millisecond, and a thread first waits for the next tick of its clock. */
const LEAST_MS = 20;

/** Interface between the start line and its owner. */
export interface Starters {
  threads: number;
  /** Sends a message that all threads answer immediately. */
  ping: () => void;
  /** Returns the time of a monotonic clock, in ms. */
  now: () => number;
}

export class StartLine {
  /** Resolves to the lead: how long before the start the threads must be notified, in ms. */
  readonly ready: Promise<number>;
  private resolve!: (leadMs: number) => void;
  private reject!: (error: unknown) => void;
  private missing: number;
  private round = 0;
  private asked = 0;
  private slowestMs = 0;

  constructor(private readonly starters: Starters) {
    this.ready = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // Code that only waits for the end of the load never handles a rejection of `ready`. Node.js must not treat this as an unhandled
    // rejection.
    this.ready.catch(() => undefined);
    this.missing = starters.threads;
  }

  /** Called when a thread is ready, and each time a thread has answered a message of {@link Starters.ping}. */
  arrived(): void {
    const { threads, ping, now } = this.starters;
    if (this.round > 0) this.slowestMs = Math.max(this.slowestMs, now() - this.asked);
    this.missing -= 1;
    if (this.missing > 0) return;
    if (this.round === ROUNDS) {
      this.resolve(Math.max(LEAST_MS, Math.ceil(TIMES * this.slowestMs)));
      return;
    }
    this.round += 1;
    this.missing = threads;
    this.asked = now();
    ping();
  }

  /** Stops waiting, because the load ends. */
  giveUp(): void {
    this.resolve(0);
  }

  fail(error: unknown): void {
    this.reject(error);
  }
}
