/** Uses the times in a log as the schedule of an open executor: each search is due at its recorded time, scaled by the speed. */
import { NOT_YET, type DueTimes } from '../executors/due-times';
import type { ReplayLog, LoggedSearch } from '../sources/replay-log';

export class LogTimes implements DueTimes {
  /**
   * For each second of the load, the number of searches that were due before the second began. Due times never decrease, so one number per
   * second is enough.
   */
  private readonly before: number[] = [];
  private takenCount = 0;
  private latest = 0;

  /** `onReady`: called when an unknown due time may have become known. */
  constructor(
    private readonly log: ReplayLog,
    private readonly speed: number,
    private readonly onReady: () => void,
  ) {}

  due(): number {
    const search = this.log.peek();
    if (search !== null) return Math.max(this.latest, search.offset / this.speed);
    if (this.log.exhausted) return Infinity;
    this.log.whenReady(this.onReady);
    return NOT_YET;
  }

  taken({ offset }: LoggedSearch): void {
    this.latest = Math.max(this.latest, offset / this.speed);
    while (this.before.length * 1000 <= this.latest) this.before.push(this.takenCount);
    this.takenCount += 1;
  }

  /**
   * Returns the number of searches that were due before `time`. The result is exact only if `time` is a whole second, or later than the
   * last search that was taken; callers need no other times.
   */
  dueBefore(time: number): number {
    const waiting = this.log.waitingBefore(time * this.speed);
    if (time > this.latest) return this.takenCount + waiting;
    return this.before[Math.max(0, Math.ceil(time / 1000))] ?? this.takenCount;
  }

  countOn(until: number, onCounted: () => void, onDue: (due: number) => void): void {
    this.log.countOn(until * this.speed, onCounted, (offset) => {
      onDue(offset / this.speed);
    });
  }
}
