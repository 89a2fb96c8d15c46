/** Merges the reports of all seats about a second into samples, one for each task. */
import type { MachineLoad } from '../../../common/measurement/instrument';
import type { Sample } from '../../../common/measurement/sample';
import type { ThreadHealth } from '../messages';
import { mergeMachines, mergeSecond } from './merge';
import { SecondsInOrder } from './seconds';

/** Report of a seat about a second, apart from the results of its tasks. */
export interface SeatHealth {
  threads: ThreadHealth;
  machine: MachineLoad | null;
}

/** Builds the samples of a load from the reports of its seats. */
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
