/**
 * Where the threads of a load wait for each other: once all of them are ready, messages go to and fro a few times, which
 * tells how long before a start it must be known for all of them to keep it.
 */

/** Rounds of messages: one alone may have met a quiet moment. */
const ROUNDS = 3;
/** So many times the slowest way there and back: the machine is as busy right after as it was right before, about. */
const TIMES = 4;
/** Never less, ms: timers are a millisecond coarse, and a thread first looks for the next tick of its clock. */
const LEAST_MS = 20;

/** What it needs of the threads. */
export interface Starters {
  threads: number;
  /** Asks all threads for an answer at once. */
  ping: () => void;
  /** ms, of a monotonic clock. */
  now: () => number;
}

export class StartLine {
  /** Resolves to how long before the start the threads must be told of it, ms. */
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
    // Whoever holds the load may only want to know how it ends.
    this.ready.catch(() => undefined);
    this.missing = starters.threads;
  }

  /** A thread is ready, or has answered. */
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

  /** Nobody need wait any longer: the load is to end. */
  giveUp(): void {
    this.resolve(0);
  }

  fail(error: unknown): void {
    this.reject(error);
  }
}
