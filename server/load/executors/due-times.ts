/** The times at which the requests of an open loop are due in one share. All shares have the same schedule. */
import type { Schedule } from '../../../common/executors/executor';
import type { Share } from '../threads/shares';

/** Value of a due time that is not known yet. The source of the schedule calls back when the time is known. */
export const NOT_YET = Number.MAX_VALUE;

/** Due times of one share's requests. The share numbers its requests 0, 1, 2, ... */
export interface DueTimes {
  /**
   * Returns the due time of request `own`, in ms since the start; Infinity if it is never due, or {@link NOT_YET}. Called in the order of
   * the requests.
   */
  due(own: number): number;
  /** Returns the number of requests that are due before `time` (in ms since the start). */
  dueBefore(time: number): number;
  /**
   * Called when nothing is sent any more. Makes the result of `dueBefore` exact for all times up to `until`, which may take a while, and
   * then calls `onCounted`. Calls `onDue` with the due time of each request before `until` that was not sent.
   */
  countOn?(until: number, onCounted: () => void, onDue: (due: number) => void): void;
}

/**
 * Due times of one of n shares that send: every n-th request of a schedule. The first request of a share is the one whose number equals the
 * index of the share.
 */
export class ShareOfSchedule implements DueTimes {
  /** `share`: if its `index` is `of` or more, no request is ever due; see {@link sendingShare}. */
  constructor(
    private readonly schedule: Schedule,
    private readonly share: Share,
  ) {}

  /** Returns the due time of the share's request `own`, in ms since the start. */
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
