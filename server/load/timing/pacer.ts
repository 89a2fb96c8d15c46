/**
 * Wakes open executors at precise moments. Node's timers are a millisecond coarse; spinning until the moment would take a
 * core from a target on the same machine. So the last stretch is spent in naps of a tenth of a millisecond (a futex with
 * a timeout), with a turn of the event loop between any two so that answers are timed when they arrive. The system ends
 * each nap late: by 0.05 ms on Linux (its timer slack), by more on a slow machine. The pacer measures how late, and asks
 * for shorter naps by that. Precise to about 0.02 ms at some percent of a core.
 */
import type { LoadClock } from './clock';
import type { LoopDelay } from '../instrument/loop-delay';

/** A timer is trusted to fire within this of its time, ms. */
const COARSE_MS = 2;
/** A nap takes so long, ms: answers that arrive in the meantime wait until it ends. */
const NAP_MS = 0.1;
/** The least that is asked of the system, ms. */
const SHORTEST_NAP_MS = 0.01;
/** By how much the system ends naps late before any was measured, ms. */
const FIRST_OVERSLEEP_MS = 0.06;
/** No nap counts as ended later than this, ms: others had the core, which says little about the next nap. */
const LONGEST_OVERSLEEP_MS = 0.2;
/** Time that may be spent on waiting without a nap, as a share: at high rates a request rather leaves a little late. */
const MOST_SPINNING = 0.2;
/**
 * A shorter wait is spent without a nap, ms. Even a short nap may cost the thread its core for milliseconds: at 10,000 requests per
 * second, naps in such waits raised the p99 of the lag from 1.5 to 8 ms, and the CPU time by 10%.
 */
const SHORTEST_WAIT_MS = 0.06;
/** Weight of the newest nap in the mean. */
const NEWEST_WEIGHT = 0.1;

interface Entry {
  /** ms since the start; Infinity while it waits for nothing. */
  at: number;
  wake: () => void;
}

export class Pacer {
  /** Time spent in naps, ms: the thread was idle then, though its event loop could not know. */
  nappedMs = 0;
  /** How late the system ends naps, ms: a moving mean. */
  private oversleepMs = FIRST_OVERSLEEP_MS;
  /** When an executor was woken last, ms since the start. */
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

  /** A place of its own for one executor: calling it sets when `wake` is called next; Infinity for never. */
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
      // Longer waits than a timer can hold are taken in stretches.
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
    const spins = Math.min(this.oversleepMs, MOST_SPINNING * (next - this.wokenAt));
    const shortest = Math.max(SHORTEST_WAIT_MS, spins + SHORTEST_NAP_MS);
    if (wait <= COARSE_MS && wait >= shortest) this.nap(Math.min(NAP_MS, wait));
    const now = this.clock.now();
    for (const entry of this.entries) {
      if (entry.at > now) continue;
      entry.at = Infinity;
      this.wokenAt = now;
      entry.wake();
    }
    this.arrange();
  };

  /** Sleeps for `ms`, as near as the system allows. */
  private nap(ms: number): void {
    const asked = Math.max(SHORTEST_NAP_MS, ms - this.oversleepMs);
    const before = performance.now();
    Atomics.wait(this.futex, 0, 0, asked);
    const slept = performance.now() - before;
    this.nappedMs += slept;
    const oversleep = Math.min(LONGEST_OVERSLEEP_MS, Math.max(0, slept - asked));
    this.oversleepMs += NEWEST_WEIGHT * (oversleep - this.oversleepMs);
  }
}
