/** The load's own time: ms since its start, monotonic, tied to the wall clock once. */

/** Until the start is known it lies this far ahead, ms: nothing is due, and no phase has begun. */
const NOT_YET_MS = 2 ** 30;

/** Wall clock minus `performance.now()`, ms, found at a tick of the wall clock: exact to some µs instead of 1 ms. */
function wallOffset(): number {
  const first = Date.now();
  const giveUp = performance.now() + 3;
  for (;;) {
    const wall = Date.now();
    const now = performance.now();
    if (wall !== first || now > giveUp) return wall - now;
  }
}

export class LoadClock {
  private readonly offset = wallOffset();
  private startAt = Date.now() + NOT_YET_MS;
  private zero = this.startAt - this.offset;

  /** From now on times are counted from `startAt`, ms since the epoch. */
  begin(startAt: number): void {
    this.startAt = startAt;
    this.zero = startAt - this.offset;
  }

  /** ms since the start, with fractions; negative before it, and far below zero as long as it is not known. */
  now(): number {
    return performance.now() - this.zero;
  }

  /** ms since the epoch, whole. */
  wall(time = this.now()): number {
    return Math.floor(this.startAt + time);
  }
}
