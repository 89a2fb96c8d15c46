/** How far a run is, as it is told while it goes on: the same for the terminal and the page. */
import type { Counts } from './counts';
import type { RateProgress } from './highest-rate';
import type { Phase } from './sample';

export interface TaskProgress {
  task: string;
  /** Accepted in the last whole second. */
  throughput: number;
  /** Latency over the last ten seconds, ms; null while too few answers are in. */
  p99: number | null;
  /** Of the trial so far. */
  counts: Counts;
  /** Requests that are due and not sent. */
  backlog: number;
  /** Where its search for the highest rate is; absent for other executors. */
  search?: RateProgress;
}

export interface Progress {
  runId: string;
  /** Trials that have ended. */
  completed: number;
  trials: number;
  current: { order: number; cell: string; repetition: number } | null;
  phase: Phase | 'preflight' | 'burn-in' | 'done';
  /** What goes on in `preflight`, in words, where it takes long: `starts 3 nodes`. */
  doing?: string;
  /** Time since the phase began, and its length where it is known, ms. */
  phaseMs: number;
  phaseLengthMs: number | null;
  /** How much of the measured phase is done, in [0, 1], by time or by documents; 0 in other phases. */
  measured: number;
  /** Until the run ends, or waits for its next environment, by the trials that have ended or the plan; ms. */
  remainingMs: number;
  tasks: TaskProgress[];
}
