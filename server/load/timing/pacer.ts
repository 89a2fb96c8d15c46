/**
 * Wakes open executors at precise moments.
 *
 * Node's timers have a resolution of a millisecond, and spinning would take a core from a target on the same machine. So the pacer spends
 * the last part of a wait in naps of a tenth of a millisecond (a futex with a timeout). Between two naps it lets the event loop turn, so
 * that answers get their timestamps when they arrive.
 *
 * The system ends each nap late: by 0.05 ms on Linux (its timer slack), and by more on a slow machine. The pacer measures this delay and
 * requests shorter naps. It is precise to about 0.02 ms and uses a few percent of a core.
 */
import type { LoadClock } from './clock';
import type { LoopDelay } from '../instrument/loop-delay';

/** Maximum error of a Node.js timer, in ms. */
const COARSE_MS = 2;
/** Length of a nap, in ms. Answers that arrive during a nap wait until it ends. */
const NAP_MS = 0.1;
/** Shortest nap that the pacer requests, in ms. */
const SHORTEST_NAP_MS = 0.01;
/** Assumed delay, in ms, with which the system ends a nap. Used until the first delay is measured. */
const FIRST_OVERSLEEP_MS = 0.06;
/**
 * Upper limit of a measured delay, in ms. Longer delays count as this value. A longer delay means that another process had the core, which
 * does not predict the next nap.
 */
const LONGEST_OVERSLEEP_MS = 0.2;
/** Maximum share of time that the pacer may spin. At high rates, a request is sent a little late instead. */
const MOST_SPINNING = 0.2;
/**
 * Shortest wait, in ms, in which the pacer takes a nap. Even a short nap may cost the thread its core for milliseconds: at 10,000 requests
 * per second, naps in shorter waits raised the p99 of the lag from 1.5 to 8 ms, and the CPU time by 10%.
 */
const SHORTEST_WAIT_MS = 0.06;
/** Gap between two requests, in ms, below which a rate counts as high. */
const SHORT_GAP_MS = 0.25;
/**
 * Time by which a nap ends before the next request is due, in ms, if the rate is high. With this value naps end a little late, and the
 * pacer needs fewer of them. Naps that all ended on time took 10% more CPU time at 10,000 requests per second, and doubled the p99 of the
 * lag.
 */
const SHORT_GAP_EARLY_MS = 0.03;
/** Weight of the newest nap in the moving mean of delays. */
const NEWEST_WEIGHT = 0.1;

interface Entry {
  /** Time at which the executor is woken next, in ms since the start; Infinity for never. */
  at: number;
  wake: () => void;
}

export class Pacer {
  /** Total time in naps, in ms. The thread was idle in this time, but its event loop does not count it as idle. */
  nappedMs = 0;
  /** Moving mean of the delay with which the system ends naps, in ms. */
  private oversleepMs = FIRST_OVERSLEEP_MS;
  /** Time at which an executor was last woken, in ms since the start. */
  private wokenAt = -Infinity;
  private readonly entries: Entry[] = [];
  private readonly futex = new Int32Array(new SharedArrayBuffer(4));
  private timer: NodeJS.Timeout | null = null;
  private turn: NodeJS.Immediate | null = null;
  private timerAt = Infinity;

  constructor(
    private readonly clock: LoadClock,
    private readonly delay: LoopDelay,
  ) {}

  /** Adds an executor. Returns a function that sets the time at which `wake` is called next; Infinity for never. */
  add(wake: () => void): (at: number) => void {
    const entry: Entry = { at: Infinity, wake };
    this.entries.push(entry);
    return (at) => {
      entry.at = at;
      this.arrange();
    };
  }

  close(): void {
    this.entries.length = 0;
    this.clear();
  }

  private clear(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.turn !== null) clearImmediate(this.turn);
    this.timer = null;
    this.turn = null;
    this.timerAt = Infinity;
  }

  private nearest(): number {
    let nearest = Infinity;
    for (const { at } of this.entries) if (at < nearest) nearest = at;
    return nearest;
  }

  private arrange(): void {
    if (this.turn !== null) return;
    const at = this.nearest();
    if (at === Infinity || (this.timer !== null && this.timerAt <= at)) return;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const wait = at - this.clock.now();
    if (wait > COARSE_MS) {
      this.timerAt = at;
      // Node's timers cannot wait longer than this, so a longer wait is split.
      this.timer = setTimeout(this.approach, Math.min(wait - COARSE_MS, 2 ** 30));
    } else this.turn = setImmediate(this.approach);
  }

  private readonly approach = (): void => {
    this.timer = null;
    this.turn = null;
    this.timerAt = Infinity;
    const turned = this.clock.now();
    this.delay.turned(turned);
    const next = this.nearest();
    const wait = next - turned;
    const gap = next - this.wokenAt;
    const spins = Math.min(this.oversleepMs, MOST_SPINNING * gap);
    const shortest = Math.max(SHORTEST_WAIT_MS, spins + SHORTEST_NAP_MS);
    const early = gap < SHORT_GAP_MS ? SHORT_GAP_EARLY_MS : this.oversleepMs;
    if (wait <= COARSE_MS && wait >= shortest) this.nap(Math.min(NAP_MS, wait) - early);
    const now = this.clock.now();
    for (const entry of this.entries) {
      if (entry.at > now) continue;
      entry.at = Infinity;
      this.wokenAt = now;
      entry.wake();
    }
    this.arrange();
  };

  /** Sleeps for `ms` milliseconds, as precisely as the system allows. */
  private nap(ms: number): void {
    const asked = Math.max(SHORTEST_NAP_MS, ms);
    const before = performance.now();
    Atomics.wait(this.futex, 0, 0, asked);
    const slept = performance.now() - before;
    this.nappedMs += slept;
    const oversleep = Math.min(LONGEST_OVERSLEEP_MS, Math.max(0, slept - asked));
    this.oversleepMs += NEWEST_WEIGHT * (oversleep - this.oversleepMs);
  }
}
