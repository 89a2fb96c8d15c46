/** A recorded log as the schedule of an open executor: each search is due when it was recorded, scaled. */
import { NOT_YET, type DueTimes } from '../executors/due-times';
import type { ReplayLog, LoggedSearch } from '../sources/replay-log';

export class LogTimes implements DueTimes {
  /** How many were taken before the beginning of each second; dues do not fall, so one number a second is enough. */
  private readonly before: number[] = [];
  private takenCount = 0;
  private latest = 0;

  /** `onReady`: called when a due that was not known yet may be. */
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

  /** Exact for whole seconds and for times behind the last one that was taken, which is all that is asked for. */
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
