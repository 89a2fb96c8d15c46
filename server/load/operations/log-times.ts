/** Uses the times in a log as the schedule of an open executor: each request is due at its recorded time, scaled by the speed. */
import { NOT_YET, type DueTimes } from '../executors/due-times';

/** A queue of requests with times. */
export interface TimedLog {
  /** Whether no more requests will follow. */
  readonly exhausted: boolean;
  /**
   * Returns the next request. Null if it has not been read yet, or if the log has ended. `offset`: time of the request since the first
   * request of the log, in ms.
   */
  peek(): { offset: number } | null;
  /** Calls `resume` once, as soon as {@link peek} may return a request, or the log has ended. */
  whenReady(resume: () => void): void;
  /** Returns the number of requests before `offset` that were read but not taken. */
  waitingBefore(offset: number): number;
  /**
   * Called after the load. Counts the requests up to `offset` that were due but not sent, and calls `onUnsent` with the time of each. Then
   * calls `onCounted`. Times are in ms since the first request of the log.
   */
  countOn(offset: number, onCounted: () => void, onUnsent: (offset: number) => void): void;
}

export class LogTimes implements DueTimes {
  /**
   * For each second of the load, the number of requests that were due before the second began. Due times never decrease, so one number per
   * second is enough.
   */
  private readonly before: number[] = [];
  private takenCount = 0;
  private latest = 0;

  /** `onReady`: called when an unknown due time may have become known. */
  constructor(
    private readonly log: TimedLog,
    private readonly speed: number,
    private readonly onReady: () => void,
  ) {}

  due(): number {
    const request = this.log.peek();
    if (request !== null) return Math.max(this.latest, request.offset / this.speed);
    if (this.log.exhausted) return Infinity;
    this.log.whenReady(this.onReady);
    return NOT_YET;
  }

  taken({ offset }: { offset: number }): void {
    this.latest = Math.max(this.latest, offset / this.speed);
    while (this.before.length * 1000 <= this.latest) this.before.push(this.takenCount);
    this.takenCount += 1;
  }

  /**
   * Returns the number of requests that were due before `time` (ms since the start). The result is only exact for whole seconds, and for
   * times after the last request that was taken. Callers pass no other times.
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
