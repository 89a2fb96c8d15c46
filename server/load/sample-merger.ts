/** Waits until every share has told of a second, then gives its samples, in order of time. */
import type { MachineLoad } from '../../common/measurement/instrument';
import type { Sample } from '../../common/measurement/sample';
import { mergeSecond } from './merge';
import type { TaskSecond, ThreadHealth } from './messages';

/** What the shares told of one second. */
interface Pending {
  /** By task, in the order in which tasks were first told of. */
  tasks: Map<string, TaskSecond[]>;
  /** By share. */
  healths: Map<number, ThreadHealth>;
}

export class SampleMerger {
  private readonly pending = new Map<number, Pending>();
  /** The last second that each share has told of; Infinity once it has ended. */
  private readonly told: number[];
  private next = 0;

  constructor(
    shares: number,
    /** Of the load, ms since the epoch; asked when a share has told of something. */
    private readonly startAt: () => number,
    private readonly onSample: (sample: Sample) => void,
    /** Of the machine, since it was last asked. */
    private readonly machine: () => MachineLoad | null = () => null,
  ) {
    this.told = Array.from({ length: shares }, () => -1);
  }

  /** `health` is of all of `seconds`, which are one unless the thread was held up. */
  add(share: number, seconds: readonly TaskSecond[], health: ThreadHealth): void {
    for (const second of seconds) {
      const pending = this.pendingOf(second.second);
      const parts = pending.tasks.get(second.task);
      if (parts === undefined) pending.tasks.set(second.task, [second]);
      else parts.push(second);
      pending.healths.set(share, health);
      this.told[share] = Math.max(this.told[share]!, second.second);
    }
    this.emit();
  }

  /** The share tells nothing more. */
  finish(share: number): void {
    this.told[share] = Infinity;
    this.emit();
  }

  private pendingOf(second: number): Pending {
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
        const healths = [...pending.healths.values()];
        const machine = this.machine();
        for (const parts of pending.tasks.values()) {
          this.onSample(mergeSecond(parts, healths, this.startAt() + this.next * 1000, machine));
        }
      }
      this.next += 1;
    }
  }
}
