/**
 * Collects the results of all shares, or of all seats, for each second. When all of them have arrived, passes them on, in the order of
 * time.
 */
import type { TaskSecond, ThreadHealth } from '../messages';

/** The reports about one second so far. */
interface Pending<Health> {
  /** Results by task. The order is that in which the tasks were first reported. */
  tasks: Map<string, TaskSecond[]>;
  /** How busy the load generator was, by number of the reporter. A reporter is a share or a seat. */
  healths: Map<number, Health>;
}

/** Collects the reports about each second. `Health`: type of the part of a report that does not belong to a task. */
export class SecondsInOrder<Health = ThreadHealth> {
  private readonly pending = new Map<number, Pending<Health>>();
  /** Last second that each reporter has reported; Infinity for a reporter that has ended. */
  private readonly reported: number[];
  private next = 0;

  constructor(
    reporters: number,
    /** `tasks`: for each task, the results of all reporters. */
    private readonly onSecond: (tasks: TaskSecond[][], healths: Health[], second: number) => void,
  ) {
    this.reported = Array.from({ length: reporters }, () => -1);
  }

  /**
   * Adds a report. `seconds` contains one second, or several if the reporter was delayed. `health` describes all of these seconds together.
   */
  add(reporter: number, seconds: readonly TaskSecond[], health: Health): void {
    for (const second of seconds) {
      const pending = this.pendingOf(second.second);
      const parts = pending.tasks.get(second.task);
      if (parts === undefined) pending.tasks.set(second.task, [second]);
      else parts.push(second);
      pending.healths.set(reporter, health);
      this.reported[reporter] = Math.max(this.reported[reporter]!, second.second);
    }
    this.emit();
  }

  /** Notes that this reporter has ended. */
  finish(reporter: number): void {
    this.reported[reporter] = Infinity;
    this.emit();
  }

  private pendingOf(second: number): Pending<Health> {
    let pending = this.pending.get(second);
    if (pending === undefined) {
      pending = { tasks: new Map(), healths: new Map() };
      this.pending.set(second, pending);
    }
    return pending;
  }

  private emit(): void {
    const until = Math.min(...this.reported);
    while (this.next <= until) {
      const pending = this.pending.get(this.next);
      if (pending === undefined) {
        if (this.pending.size === 0) return;
      } else {
        this.pending.delete(this.next);
        this.onSecond([...pending.tasks.values()], [...pending.healths.values()], this.next);
      }
      this.next += 1;
    }
  }
}
