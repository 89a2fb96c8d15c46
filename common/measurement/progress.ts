/** How far a run is, as it is told while it goes on: the same for the terminal and the page. */
import type { Counts } from './counts';
import type { RateProgress } from './highest-rate';
import type { MachineLoad } from './instrument';
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

/** What a seat of the load did in one second: the newest of which all seats have told. */
export interface SeatSecond {
  /** Requests that ended, of all tasks. */
  requests: number;
  /** Documents whose fate became known; null where no task sends any. */
  documents: number | null;
  /** Of the request bodies that it sent. */
  bytes: number;
  /** How late its requests left against their schedule, p99 of the worst thread, ms; 0 where there is no schedule. */
  lagMs: number;
  /** They left late so often in the last minute that times hold it. */
  late: boolean;
  /** Of its busiest load thread, in [0, 1]. */
  utilisation: number;
  /** That thread had no idle time left so often in the last minute that the load was limited by it. */
  busy: boolean;
  /** Its machine, by all processes; null where the system does not tell. */
  machine: MachineLoad | null;
  /** Of what all seats sent since the load began, as a share of an equal part; null before there is enough to judge by. */
  part: number | null;
}

/** One of several machines that generate the load together. */
export interface SeatProgress {
  /** From 0. */
  seat: number;
  /** `free`: nobody has come yet; `lost`: who had it is gone, and nobody has taken it again; `loading`: its load goes on. */
  state: 'free' | 'taken' | 'loading' | 'lost';
  /** Who has it, or had it; null where nobody did. */
  holder: {
    host: string;
    pid: number;
    cores: number;
    /** `zone=a` */
    labels: string[];
    /** Its wall clock minus the common one, and how well it knows the latter, ms; null before its first load. */
    clockOffsetMs: number | null;
    clockErrorMs: number | null;
  } | null;
  /** Null unless its load goes on. */
  second: SeatSecond | null;
}

export interface Progress {
  runId: string;
  /** Trials that have ended. */
  completed: number;
  trials: number;
  current: { order: number; cell: string; repetition: number } | null;
  phase: Phase | 'preflight' | 'burn-in' | 'done';
  /** What goes on before a load, in words, where it takes long: `starts 3 nodes`. */
  doing?: string;
  /** While machines are waited for: who else takes seats beside `dyno worker`, and what that needs; absent where nobody does. */
  advice?: string;
  /** Time since the phase began, and its length where it is known, ms. */
  phaseMs: number;
  phaseLengthMs: number | null;
  /** How much of the measured phase is done, in [0, 1], by time or by documents; 0 in other phases. */
  measured: number;
  /** Until the run ends, or waits for its next environment, by the trials that have ended or the plan; ms. */
  remainingMs: number;
  tasks: TaskProgress[];
  /** By their numbers; absent where one machine generates the load. */
  seats?: SeatProgress[];
}
