/**
 * Wakes open executors at precise moments. Node's timers are a millisecond coarse; spinning until the moment would take a
 * core from a target on the same machine. So the last stretch is spent in naps of a tenth of a millisecond (a futex with
 * a timeout), with a turn of the event loop between any two so that answers are timed when they arrive. Precise to about
 * 0.1 ms at some percent of a core.
 */
import type { LoadClock } from './clock';
import type { LoopDelay } from './loop-delay';

/** A timer is trusted to fire within this of its time, ms. */
const COARSE_MS = 2;
const NAP_MS = 0.1;
/** A wait shorter than this is not worth a nap: the thread is woken about 0.05 ms late. */
const SHORTEST_NAP_MS = 0.06;

interface Entry {
  /** ms since the start; Infinity while it waits for nothing. */
  at: number;
  wake: () => void;
}

export class Pacer {
  /** Time spent in naps, ms: the thread was idle then, though its event loop could not know. */
  nappedMs = 0;
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
    const wait = this.nearest() - turned;
    if (wait > SHORTEST_NAP_MS && wait <= COARSE_MS) {
      const before = performance.now();
      Atomics.wait(this.futex, 0, 0, Math.min(NAP_MS, wait - SHORTEST_NAP_MS / 2));
      this.nappedMs += performance.now() - before;
    }
    const now = this.clock.now();
    for (const entry of this.entries) {
      if (entry.at > now) continue;
      entry.at = Infinity;
      entry.wake();
    }
    this.arrange();
  };
}
