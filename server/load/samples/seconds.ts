/** Waits until every share, or every seat, has told of a second; then gives its parts, in order of time. */
import type { MachineLoad } from '../../../common/measurement/instrument';
import type { Sample } from '../../../common/measurement/sample';
import { mergeMachines, mergeSecond } from './merge';
import type { TaskSecond, ThreadHealth } from '../messages';

/** What was told of one second. */
interface Pending<Health> {
  /** By task, in the order in which tasks were first told of. */
  tasks: Map<string, TaskSecond[]>;
  /** By who told it. */
  healths: Map<number, Health>;
}

/** `Health`: what is told of a second beside its tasks. */
export class SecondsInOrder<Health = ThreadHealth> {
  private readonly pending = new Map<number, Pending<Health>>();
  /** The last second that each has told of; Infinity once it has ended. */
  private readonly told: number[];
  private next = 0;

  constructor(
    tellers: number,
    /** `tasks`: of each task, its parts. */
    private readonly onSecond: (tasks: TaskSecond[][], healths: Health[], second: number) => void,
  ) {
    this.told = Array.from({ length: tellers }, () => -1);
  }

  /** `health` is of all of `seconds`, which are one unless the teller was held up. */
  add(teller: number, seconds: readonly TaskSecond[], health: Health): void {
    for (const second of seconds) {
      const pending = this.pendingOf(second.second);
      const parts = pending.tasks.get(second.task);
      if (parts === undefined) pending.tasks.set(second.task, [second]);
      else parts.push(second);
      pending.healths.set(teller, health);
      this.told[teller] = Math.max(this.told[teller]!, second.second);
    }
    this.emit();
  }

  /** It tells nothing more. */
  finish(teller: number): void {
    this.told[teller] = Infinity;
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
    const until = Math.min(...this.told);
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

/** What a seat tells of a second beside its tasks. */
export interface SeatHealth {
  threads: ThreadHealth;
  machine: MachineLoad | null;
}

/** The samples of a load from the seconds of its seats. */
export class SampleMerger extends SecondsInOrder<SeatHealth> {
  constructor(
    seats: number,
    /** Of the load, ms since the epoch; asked when a seat has told of something. */
    startAt: () => number,
    onSample: (sample: Sample) => void,
  ) {
    super(seats, (tasks, healths, second) => {
      const at = startAt() + second * 1000;
      const machine = mergeMachines(healths.map((health) => health.machine));
      const threads = healths.map((health) => health.threads);
      for (const parts of tasks) onSample(mergeSecond(parts, threads, at, machine));
    });
  }
}
