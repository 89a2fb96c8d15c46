/** The times at which the requests of an open loop are due in one share, by a schedule that all shares have in common. */
import type { Schedule } from '../../../common/executors/executor';
import type { Share } from '../threads/shares';

/** The due time is not known yet. Its source calls back when it is. */
export const NOT_YET = Number.MAX_VALUE;

/** Due times of a share's own requests, which have the numbers 0, 1, 2, ... */
export interface DueTimes {
  /** Returns when request `own` is due, in ms since the start; Infinity if never, or {@link NOT_YET}. Called in the order of requests. */
  due(own: number): number;
  /** Returns how many requests are due before `time`, in ms. */
  dueBefore(time: number): number;
  /**
   * Called when nothing is sent any more. Makes `dueBefore` exact up to `until`, which may take a while, and then calls `onCounted`. Calls
   * `onDue` with the due time of each request before `until` that was not sent.
   */
  countOn?(until: number, onCounted: () => void, onDue: (due: number) => void): void;
}

/** Every n-th request of a schedule, for n shares that send. The first request of a share has the number of its index. */
export class ShareOfSchedule implements DueTimes {
  /** If the `index` is `of` or more, no request is ever due; see {@link sendingShare}. */
  constructor(
    private readonly schedule: Schedule,
    private readonly share: Share,
  ) {}

  /** Returns when the share's request `own` is due, in ms. */
  due(own: number): number {
    const { index, of } = this.share;
    return index < of ? this.schedule.due(index + own * of) : Infinity;
  }

  /** Returns how many of the share's requests are due before `time`. */
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
