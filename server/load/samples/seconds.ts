/**
 * Collects reports about each second of the load from several load threads, or from several processes that generate load. When all reports
 * about a second have arrived, passes them to the caller. Keeps the order of time.
 */
import type { TaskSecond, ThreadHealth } from '../messages';

/** The reports about one second so far. */
interface Pending<Health> {
  /** Results by task. The order is that in which the tasks were first reported. */
  tasks: Map<string, TaskSecond[]>;
  /** How busy each thread or process was, by its number. */
  healths: Map<number, Health>;
}

/**
 * Collects the reports about each second from several threads or processes. `Health`: type of the data in a report that shows how busy its
 * thread or process was.
 */
export class SecondsInOrder<Health = ThreadHealth> {
  private readonly pending = new Map<number, Pending<Health>>();
  /** For each thread or process, the last second that it has reported; Infinity if it has ended. */
  private readonly reported: number[];
  private next = 0;

  constructor(
    reporters: number,
    /** Called for each second, once all reports about it have arrived. `tasks`: for each task, the results of all threads or processes. */
    private readonly onSecond: (tasks: TaskSecond[][], healths: Health[], second: number) => void,
  ) {
    this.reported = Array.from({ length: reporters }, () => -1);
  }

  /**
   * Adds a report of the thread or process number `reporter`. `seconds`: results of one second, or of several after a delay. `health`
   * describes all these seconds together.
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

  /** Notes that this thread or process has ended. */
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
