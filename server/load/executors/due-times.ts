/** When the requests of an open loop are due in one share: absolute times, by a schedule that all shares have in common. */
import type { Schedule } from '../../../common/executors/executor';
import type { Share } from '../threads/shares';

/** Due at a time that is not known yet: whoever gives the times calls back when it is. */
export const NOT_YET = Number.MAX_VALUE;

/** A share's own requests number 0, 1, 2, ... */
export interface DueTimes {
  /** When request `own` is due, ms since the start; asked in their order. Infinity if never, or {@link NOT_YET}. */
  due(own: number): number;
  /** How many are due before `time`, ms. */
  dueBefore(time: number): number;
  /**
   * Nothing is sent any more: makes `dueBefore` exact up to `until`, which may take a while, and calls back. `onDue` is
   * called for each that is due before `until` and was not sent, with when it was due.
   */
  countOn?(until: number, onCounted: () => void, onDue: (due: number) => void): void;
}

/** Of all requests of a schedule every n-th, for n shares that send: the first of this share is that of its index. */
export class ShareOfSchedule implements DueTimes {
  /** See {@link sendingShare}: nothing is ever due where `index` is `of` or more. */
  constructor(
    private readonly schedule: Schedule,
    private readonly share: Share,
  ) {}

  /** When the share's request `own` is due, ms. */
  due(own: number): number {
    const { index, of } = this.share;
    return index < of ? this.schedule.due(index + own * of) : Infinity;
  }

  /** How many of the share's requests are due before `time`. */
  dueBefore(time: number): number {
    const { index, of } = this.share;
    if (index >= of || time <= 0) return 0;
    const { schedule } = this;
    let all = Math.max(0, Math.floor(schedule.about(time)));
    while (all > 0 && schedule.due(all - 1) >= time) all -= 1;
    while (schedule.due(all) < time) all += 1;
    return Math.max(0, Math.floor((all - index + of - 1) / of));
  }
}
