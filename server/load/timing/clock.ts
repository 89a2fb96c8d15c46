/**
 * The load's own time: ms since its start, by the monotonic clock that all threads of a machine share. The wall clock is read only once,
 * for the start. If somebody changes the wall clock later, the phases keep their times.
 */

/** Assumed time until the start, in ms, while the start is unknown. It is so long that nothing is due and no phase begins. */
const NOT_YET_MS = 2 ** 30;

/** The start of a load, by two clocks. Plain data, so that it can be sent to a thread. */
export interface LoadStart {
  /** Start by the wall clock, in ms since the epoch. */
  at: number;
  /** Start by the monotonic clock, in ms of `process.hrtime`. */
  tick: number;
}

/** `process.hrtime` minus `performance.now()`, in ms. `performance.now()` is cheaper to read, but its zero differs between threads. */
const OFFSET = readOffset();

/** Returns the time of `process.hrtime` in ms, which is the same in all threads and processes of a machine. */
export const tick = (): number => performance.now() + OFFSET;

/** Returns the start by both clocks. `at`: the start in ms since the epoch. */
export const loadStart = (at: number): LoadStart => ({ at, tick: tick() + at - Date.now() });

/**
 * Returns `process.hrtime` minus `performance.now()`, in ms. Reads both clocks several times and uses the closest pair, because the thread
 * may be interrupted between two readings.
 */
function readOffset(): number {
  let offset = 0;
  let closest = Infinity;
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const before = performance.now();
    const monotonic = Number(process.hrtime.bigint()) / 1e6;
    const after = performance.now();
    if (after - before >= closest) continue;
    closest = after - before;
    offset = monotonic - (before + after) / 2;
  }
  return offset;
}

export class LoadClock {
  private startAt = Date.now() + NOT_YET_MS;
  private zero = performance.now() + NOT_YET_MS;

  /** Whether the start is known. */
  begun = false;

  /** `targetOffsetMs`: the target's clock minus the run's clock, in ms. */
  constructor(private readonly targetOffsetMs = 0) {}

  /** Sets the start of the load. */
  begin({ at, tick: startTick }: LoadStart): void {
    this.begun = true;
    this.startAt = at;
    this.zero = startTick - OFFSET;
  }

  /**
   * Returns the time since the start in ms, with fractions. It is negative before the start, and a large negative number while the start is
   * unknown.
   */
  now(): number {
    return performance.now() - this.zero;
  }

  /** Converts a time of this clock to whole ms since the epoch. */
  wall(time = this.now()): number {
    return Math.floor(this.startAt + time);
  }

  /**
   * Returns the current time by the target's clock, in ms since the epoch. Used for dates in documents and queries, because the target
   * compares these dates with its own time.
   */
  targetTime(): number {
    return Math.floor(this.startAt + this.targetOffsetMs + this.now());
  }
}
