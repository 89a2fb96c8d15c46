/**
 * The load's own time: ms since its start, by the monotonic clock that all threads of a machine share. The wall clock is read only for the
 * moment of the start. If it is changed later, phases keep their times.
 */

/** The start counts as this far in the future until it is known, in ms. So nothing is due, and no phase has begun. */
const NOT_YET_MS = 2 ** 30;

/** The start by both clocks; plain data, so that it can be sent to a thread. */
export interface LoadStart {
  /** In ms since the epoch. */
  at: number;
  /** In ms of `process.hrtime`. */
  tick: number;
}

/** `process.hrtime` minus `performance.now()`, in ms. The latter is cheaper to read, but its zero differs between threads. */
const OFFSET = readOffset();

/** Returns the time of `process.hrtime`, in ms: the same in all threads and processes of a machine. */
export const tick = (): number => performance.now() + OFFSET;

/** Returns the start at `at`, in ms since the epoch, by both clocks. */
export const loadStart = (at: number): LoadStart => ({ at, tick: tick() + at - Date.now() });

/** The thread may lose its core between two readings, so this reads both clocks several times and takes the closest pair. */
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

  /** `targetOffsetMs`: clock of the target minus clock of the run. */
  constructor(private readonly targetOffsetMs = 0) {}

  /** Sets the start. */
  begin({ at, tick: startTick }: LoadStart): void {
    this.begun = true;
    this.startAt = at;
    this.zero = startTick - OFFSET;
  }

  /** Returns the time since the start, in ms with fractions: negative before the start, and a large negative number until it is known. */
  now(): number {
    return performance.now() - this.zero;
  }

  /** Returns `time` in whole ms since the epoch. */
  wall(time = this.now()): number {
    return Math.floor(this.startAt + time);
  }

  /** Returns the same by the target's clock, for dates in documents and queries, which the target compares with its own time. */
  targetTime(): number {
    return Math.floor(this.startAt + this.targetOffsetMs + this.now());
  }
}
