/** Timers by the load's own clock. They can be cleared together. */
import type { LoadClock } from './clock';
import type { LoopDelay } from '../instrument/loop-delay';

export class LoadTimers {
  private readonly timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly clock: LoadClock,
    /** Measures the delay of the event loop, and must be notified before each timer's function is called. Null if nothing is measured. */
    private readonly delay: LoopDelay | null = null,
  ) {}

  /** Calls `act` at `time`, in ms since the start of the load. */
  at(time: number, act: () => void): void {
    this.after(time - this.clock.now(), () => {
      // Timers may fire a fraction of a millisecond early, but phases end exactly by the clock.
      if (this.clock.now() < time) this.at(time, act);
      else act();
    });
  }

  after(ms: number, act: () => void): void {
    const timer = setTimeout(
      () => {
        this.timers.delete(timer);
        this.delay?.turned(this.clock.now());
        act();
      },
      Math.max(0, ms),
    );
    this.timers.add(timer);
  }

  clear(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }
}
