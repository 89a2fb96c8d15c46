/** When the requests of an open executor are due: absolute, the same for all shares, which take turns. */

/** Requests number 0, 1, 2, ... of all shares. */
export interface Schedule {
  /** When request `number` is due, ms since the start; Infinity if never. Does not fall with `number`. */
  due(number: number): number;
  /** How many requests are due before `time`, roughly: the exact count differs by one at most. */
  about(time: number): number;
}

/** Due at a time that is not known yet: whoever gives the turns tells when it is. */
export const NOT_YET = Number.MAX_VALUE;

/** A share's own requests number 0, 1, 2, ... */
export interface Turns {
  /** When request `own` is due, ms since the start; asked in their order. Infinity if never, or {@link NOT_YET}. */
  due(own: number): number;
  /** How many are due before `time`, ms. */
  dueBefore(time: number): number;
  /** Nothing is sent any more: makes `dueBefore` exact up to `until`, which may take a while, and calls back. */
  countOn?(until: number, onCounted: () => void): void;
}

/** The share's own view: its requests number 0, 1, 2, ... are every `lanes`-th of all, beginning with `lane`. */
export class Lane implements Turns {
  /** `lanes` may be 0: then nothing is ever due. */
  constructor(
    private readonly schedule: Schedule,
    private readonly lane: number,
    private readonly lanes: number,
  ) {}

  /** When the share's request `own` is due, ms. */
  due(own: number): number {
    return this.lane < this.lanes ? this.schedule.due(this.lane + own * this.lanes) : Infinity;
  }

  /** How many of the share's requests are due before `time`. */
  dueBefore(time: number): number {
    if (this.lane >= this.lanes || time <= 0) return 0;
    const { schedule } = this;
    let all = Math.max(0, Math.floor(schedule.about(time)));
    while (all > 0 && schedule.due(all - 1) >= time) all -= 1;
    while (schedule.due(all) < time) all += 1;
    return Math.max(0, Math.floor((all - this.lane + this.lanes - 1) / this.lanes));
  }
}
