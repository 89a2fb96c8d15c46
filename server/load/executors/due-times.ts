/** The times at which one load thread must send its requests of an open executor. All threads divide one schedule among themselves. */
import type { Schedule } from '../../../common/executors/executor';
import type { Share } from '../threads/shares';

/** Returned instead of a due time that is not known yet. When the time becomes known, the schedule notifies the executor. */
export const NOT_YET = Number.MAX_VALUE;

/** Due times of the requests of one load thread. The thread numbers its requests 0, 1, 2, ... */
export interface DueTimes {
  /**
   * Returns the due time of the thread's request number `own`, in ms since the start. Returns Infinity if the request is never due, and
   * {@link NOT_YET} if the time is not known yet. Callers ask for the requests in their order.
   */
  due(own: number): number;
  /** Returns the number of requests that are due before `time` (in ms since the start). */
  dueBefore(time: number): number;
  /**
   * Counts the requests that were due before `until` (in ms since the start) but not sent. Called after the last request was sent. Calls
   * `onDue` with the due time of each such request. Then calls `onCounted`; from then on, `dueBefore` is exact for all times up to `until`.
   * Counting may take a while.
   */
  countOn?(until: number, onCounted: () => void, onDue: (due: number) => void): void;
}

/**
 * Due times of one of n load threads. Each thread sends every n-th request of the schedule: thread 0 begins with request 0, thread 1 with
 * request 1, and so on.
 */
export class ShareOfSchedule implements DueTimes {
  /**
   * `share`: number of this thread (`index`), and number of threads that send (`of`). With fewer clients than threads, the threads whose
   * `index` is at least `of` send nothing.
   */
  constructor(
    private readonly schedule: Schedule,
    private readonly share: Share,
  ) {}

  /** Returns the due time of the thread's request number `own`, in ms since the start. Infinity if the thread sends nothing. */
  due(own: number): number {
    const { index, of } = this.share;
    return index < of ? this.schedule.due(index + own * of) : Infinity;
  }

  /** Returns how many of the thread's requests are due before `time`. */
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
