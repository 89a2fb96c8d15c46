/**
 * The load's own time: ms since its start, by the monotonic clock that all threads of a machine share. The wall clock only
 * says when the start was: whatever becomes of it later, no thread begins or ends at another time.
 */

/** Until the start is known it lies this far ahead, ms: nothing is due, and no phase has begun. */
const NOT_YET_MS = 2 ** 30;

/** A start by both clocks; plain data, so that it can be sent to a thread. */
export interface LoadStart {
  /** ms since the epoch. */
  at: number;
  /** ms of `process.hrtime`. */
  tick: number;
}

/** `process.hrtime` minus `performance.now()`, ms: the latter costs less to read, and has a zero of its own in each thread. */
const OFFSET = readOffset();

/** ms of `process.hrtime`: the same in all threads and processes of a machine. */
export const tick = (): number => performance.now() + OFFSET;

/** `at`: ms since the epoch, by the wall clock as it is now. */
export const loadStart = (at: number): LoadStart => ({ at, tick: tick() + at - Date.now() });

/** Between two readings the thread may have to wait: of several, those closest together are believed. */
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

  /** Whether its start is known. */
  begun = false;

  /** `targetOffsetMs`: the target's clock minus that of the run. */
  constructor(private readonly targetOffsetMs = 0) {}

  /** From now on times are counted from `start`. */
  begin({ at, tick: startTick }: LoadStart): void {
    this.begun = true;
    this.startAt = at;
    this.zero = startTick - OFFSET;
  }

  /** ms since the start, with fractions; negative before it, and far below zero as long as it is not known. */
  now(): number {
    return performance.now() - this.zero;
  }

  /** ms since the epoch, whole. */
  wall(time = this.now()): number {
    return Math.floor(this.startAt + time);
  }

  /** The same by the target's clock: for dates in what is sent, which the target compares with its own time. */
  targetTime(): number {
    return Math.floor(this.startAt + this.targetOffsetMs + this.now());
  }
}
