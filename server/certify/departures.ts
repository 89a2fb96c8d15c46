/**
 * Notifies the main thread when a response of the simulated server must be sent. The time at which a response is sent is its *departure*.
 *
 * Timers are only precise to a millisecond. If the main thread waited for the exact time, it would record the arrival of requests too late.
 * A second thread therefore sleeps on a futex until shortly before the next departure. It then notifies the main thread.
 */
import { Worker } from 'node:worker_threads';
import { tick } from '../load/timing/clock';

/** Index of a flag in {@link SharedMoment.state}. The flag is 1 if the main thread has set a new next departure. */
const ASKED = 0;
/** Index of a flag in {@link SharedMoment.state}. The flag is 1 if the second thread must end. */
const ENDS = 1;
/**
 * The second thread wakes up this many ms before a departure, because the operating system may wake a thread late. Then both threads check
 * the clock until the exact time.
 */
const WAKE_LATE_MS = 0.06;
/**
 * Interval in ms at which the main thread checks for due departures without a message from the second thread. On a busy machine, that
 * message may be late.
 */
const COARSE_MS = 20;

/** Memory that both threads share. */
export interface SharedMoment {
  state: Int32Array;
  /** One number: time of the next departure, in ms on the clock of {@link tick}. */
  at: Float64Array;
}

export const sharedMoment = (): SharedMoment => ({
  state: new Int32Array(new SharedArrayBuffer(8)),
  at: new Float64Array(new SharedArrayBuffer(8)),
});

/** Runs in the second thread, and calls `notify` at each departure time. Returns when the thread must end. */
export function keepTime({ state, at }: SharedMoment, notify: () => void): void {
  for (;;) {
    Atomics.wait(state, ASKED, 0);
    if (Atomics.load(state, ENDS) === 1) return;
    Atomics.store(state, ASKED, 0);
    const wait = at[0]! - tick() - WAKE_LATE_MS;
    // A request for an earlier moment wakes this thread.
    if (wait <= 0 || Atomics.wait(state, ASKED, 0, wait) === 'timed-out') notify();
  }
}

/** A queue of future departures. {@link take} removes and returns those that are due. */
export class Departures {
  private readonly shared = sharedMoment();
  private readonly thread: Worker;
  /** Departure times in ms on the clock of {@link tick}, as a binary heap. */
  private readonly moments: Float64Array;
  /** For each time in `moments`: the number of the request whose response is sent at that time. */
  private readonly owners: Int32Array;
  private size = 0;
  private asked = Infinity;
  private readonly coarse: NodeJS.Timeout;

  /**
   * `entry`: path of the file that calls {@link keepTime} in a worker thread. `most`: maximum number of waiting responses. `onDue`: called
   * when a response is due.
   */
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
    // On a busy machine, the second thread may have to wait for a core. Answers are then sent late, but the log contains the times at which
    // they were really sent.
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

  /** Removes the earliest departure that is not after `now`, and returns the number of its request. Returns -1 if no departure is due. */
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

  /** Removes all departures. */
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
