/**
 * Wakes a load thread at the precise time at which it must send a request.
 *
 * Node's timers are only precise to a millisecond, and busy waiting would take a core from a target on the same machine. The pacer
 * therefore spends the end of a wait in *naps*: it puts the thread to sleep for a tenth of a millisecond at a time. Between two naps, the
 * event loop runs, so that responses get their timestamps when they arrive.
 *
 * The system ends each nap late: by 0.05 ms on Linux, and by more on a slow machine. The pacer measures this delay and requests shorter
 * naps. It is precise to about 0.02 ms and uses a few percent of a core.
 */
import type { LoadClock } from './clock';
import type { LoopDelay } from '../instrument/loop-delay';

/** Maximum error of a Node.js timer, in ms. */
const COARSE_MS = 2;
/** Length of a nap (short sleep of the thread), in ms. Responses that arrive during a nap wait until it ends. */
const NAP_MS = 0.1;
/** Shortest nap (sleep of the thread) that the pacer requests, in ms. */
const SHORTEST_NAP_MS = 0.01;
/** Assumed delay, in ms, with which the system ends a nap (short sleep of the thread). Used until the first delay is measured. */
const FIRST_OVERSLEEP_MS = 0.06;
/**
 * Upper limit of a measured delay, in ms. Longer delays count as this value, because they occur if another process had the core and say
 * nothing about the next delay.
 */
const LONGEST_OVERSLEEP_MS = 0.2;
/** Maximum share of time that the pacer may wait busily. At high rates, a request is sent a little late instead. */
const MOST_SPINNING = 0.2;
/**
 * If the next request is due sooner than this, in ms, the pacer does not put the thread to sleep. Even a short sleep may cost the thread
 * its core for milliseconds.
 */
const SHORTEST_WAIT_MS = 0.06;
/** Gap between two requests, in ms, below which a rate counts as high. */
const SHORT_GAP_MS = 0.25;
/**
 * At a high rate, the pacer requests that a nap (short sleep of the thread) ends this many ms before the next request is due. The system
 * ends naps about 0.05 ms late, so the request is sent a little late. In exchange, fewer naps are needed, which saves CPU time.
 */
const SHORT_GAP_EARLY_MS = 0.03;
/** Weight of the newest measurement in the moving mean of delays. */
const NEWEST_WEIGHT = 0.1;

interface Entry {
  /** Time at which the executor is woken next, in ms since the start; Infinity for never. */
  at: number;
  wake: () => void;
}

export class Pacer {
  /** Total time for which the thread has slept in naps, in ms. Its event loop does not count this time as idle. */
  nappedMs = 0;
  /** Moving mean of the delay with which the system ends naps (short sleeps of the thread), in ms. */
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
