/** The load's own time: ms since its start, monotonic, tied to the wall clock once. */

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
  private readonly startAt: number;
  private readonly zero: number;

  /** `startAt`: ms since the epoch. */
  constructor(startAt: number) {
    this.startAt = startAt;
    this.zero = startAt - wallOffset();
  }

  /** ms since the start, with fractions; negative before it. */
  now(): number {
    return performance.now() - this.zero;
  }

  /** ms since the epoch, whole. */
  wall(time = this.now()): number {
    return Math.floor(this.startAt + time);
  }
}
