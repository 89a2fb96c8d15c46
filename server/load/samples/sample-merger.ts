/**
 * Merges the reports about one second into samples, one for each task. Each process that generates load sends such reports, here or on
 * other machines.
 */
import type { MachineLoad } from '../../../common/measurement/instrument';
import type { Sample } from '../../../common/measurement/sample';
import type { ThreadHealth } from '../messages';
import { mergeMachines, mergeSecond } from './merge';
import { SecondsInOrder } from './seconds';

/** How busy a process that generates load was in one second: its threads, and its machine. */
export interface SeatHealth {
  threads: ThreadHealth;
  machine: MachineLoad | null;
}

/** Builds the samples of a load from the reports of all processes that generate it. */
export class SampleMerger extends SecondsInOrder<SeatHealth> {
  constructor(
    seats: number,
    /** Returns the start of the load, in ms since the epoch. Called after the first report. */
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
