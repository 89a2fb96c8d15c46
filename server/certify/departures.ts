/**
 * Calls back at precise moments without ever keeping the thread from reading what arrives. Timers are a millisecond coarse,
 * and waiting in this thread would stamp arrivals late: so a second thread, which sleeps on a futex, says when it is time.
 */
import { Worker } from 'node:worker_threads';
import { tick } from '../load/timing/clock';

/** Both threads see these, by their places. */
const ASKED = 0;
const ENDS = 1;
/** The clock is read again this long before the moment, for the system wakes a thread so much too late; ms. */
const WAKE_LATE_MS = 0.06;
/** How often this thread looks by itself, ms. */
const COARSE_MS = 20;

/** What the second thread shares with the first. */
export interface SharedMoment {
  state: Int32Array;
  /** ms of {@link tick}. */
  at: Float64Array;
}

export const sharedMoment = (): SharedMoment => ({
  state: new Int32Array(new SharedArrayBuffer(8)),
  at: new Float64Array(new SharedArrayBuffer(8)),
});

/** Beginning of the second thread; returns when it is to end. */
export function keepTime({ state, at }: SharedMoment, say: () => void): void {
  for (;;) {
    Atomics.wait(state, ASKED, 0);
    if (Atomics.load(state, ENDS) === 1) return;
    Atomics.store(state, ASKED, 0);
    const wait = at[0]! - tick() - WAKE_LATE_MS;
    // Whoever asks for an earlier moment meanwhile wakes it.
    if (wait <= 0 || Atomics.wait(state, ASKED, 0, wait) === 'timed-out') say();
  }
}

/** Moments in the order in which they come; what is due is asked for by {@link take}. */
export class Departures {
  private readonly shared = sharedMoment();
  private readonly thread: Worker;
  /** A binary heap of moments with what is due then. */
  private readonly moments: Float64Array;
  private readonly owners: Int32Array;
  private size = 0;
  private asked = Infinity;
  private readonly coarse: NodeJS.Timeout;

  /** `entry`: the file that calls {@link keepTime} in a worker thread. `most`: moments that can wait at a time. */
  constructor(entry: string, most: number, onDue: () => void) {
    this.moments = new Float64Array(most);
    this.owners = new Int32Array(most);
    this.thread = new Worker(entry, { workerData: this.shared, name: 'dyno-departures' });
    const due = (): void => {
      this.asked = Infinity;
      onDue();
      this.ask();
    };
    this.thread.on('message', due);
    // A busy machine may keep that thread from its core: then answers leave late, but they leave, and the log says when.
    this.coarse = setInterval(due, COARSE_MS);
  }

  add(moment: number, owner: number): void {
    let place = this.size;
    this.size += 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (this.moments[above]! <= moment) break;
      this.moments[place] = this.moments[above]!;
      this.owners[place] = this.owners[above]!;
      place = above;
    }
    this.moments[place] = moment;
    this.owners[place] = owner;
    if (moment < this.asked) this.ask();
  }

  /** What is due by `now`, the earliest; -1 for nothing. */
  take(now: number): number {
    if (this.size === 0 || this.moments[0]! > now) return -1;
    const owner = this.owners[0]!;
    this.size -= 1;
    const moment = this.moments[this.size]!;
    const last = this.owners[this.size]!;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= this.size) break;
      if (below + 1 < this.size && this.moments[below + 1]! < this.moments[below]!) below += 1;
      if (this.moments[below]! >= moment) break;
      this.moments[place] = this.moments[below]!;
      this.owners[place] = this.owners[below]!;
      place = below;
    }
    this.moments[place] = moment;
    this.owners[place] = last;
    return owner;
  }

  /** Nothing is due any more. */
  clear(): void {
    this.size = 0;
  }

  close(): void {
    clearInterval(this.coarse);
    Atomics.store(this.shared.state, ENDS, 1);
    this.wake();
  }

  private ask(): void {
    if (this.size === 0) return;
    this.asked = this.moments[0]!;
    this.shared.at[0] = this.asked;
    this.wake();
  }

  private wake(): void {
    Atomics.store(this.shared.state, ASKED, 1);
    Atomics.notify(this.shared.state, ASKED);
  }
}
