/** Progress of a run, which the terminal and the page show while it is running. */
import type { Counts } from './counts';
import type { RateProgress } from './highest-rate';
import type { MachineLoad } from './instrument';
import type { Phase } from './sample';

export interface TaskProgress {
  task: string;
  /** Accepted documents (or searches, or transactions) in the last whole second. */
  throughput: number;
  /** p99 of the latency over the last ten seconds, in ms; null while there are too few answers. */
  p99: number | null;
  /** Counts of the trial so far. */
  counts: Counts;
  /** Number of requests that are due and not yet sent. */
  backlog: number;
  /** Progress of its search for the highest rate; absent for other executors. */
  search?: RateProgress;
}

/** Load of one seat in one second: the newest second that all seats have reported. */
export interface SeatSecond {
  /** Requests of all tasks that ended. */
  requests: number;
  /** Number of documents with an outcome that became known in this second; null if no task sends documents. */
  documents: number | null;
  /** Bytes of the request bodies that it sent. */
  bytes: number;
  /**
   * p99 of the delay with which its requests were sent, compared with their schedule, in ms; the value of the worst thread. 0 without a
   * schedule.
   */
  lagMs: number;
  /** True if requests were sent late so often in the last minute that measured times are affected. */
  late: boolean;
  /** Utilisation of its busiest load thread, in [0, 1]. */
  utilisation: number;
  /** True if that thread had no idle time so often in the last minute that it limited the load. */
  busy: boolean;
  /** Load of its machine by all processes; null if the system does not report it. */
  machine: MachineLoad | null;
  /** Amount that it has sent since the load began, divided by the amount of an equal part. Null while there is too little to judge. */
  part: number | null;
}

/** One of several machines that generate the load together. */
export interface SeatProgress {
  /** Number of the seat, from 0. */
  seat: number;
  /** `free`: not taken yet. `taken`: a process has it. `loading`: its load is running. `lost`: its process is gone and not replaced. */
  state: 'free' | 'taken' | 'loading' | 'lost';
  /** The process that has or had the seat; null if no process ever had it. */
  holder: {
    host: string;
    pid: number;
    cores: number;
    /** Labels of its machine: `zone=a`. */
    labels: string[];
    /** Its wall clock minus the common clock, and the error of that difference, in ms; null before its first load. */
    clockOffsetMs: number | null;
    clockErrorMs: number | null;
  } | null;
  /** Values of the newest second; null unless the load of the seat is running. */
  second: SeatSecond | null;
}

export interface Progress {
  runId: string;
  /** Number of trials that have ended. */
  completed: number;
  trials: number;
  current: { order: number; cell: string; repetition: number } | null;
  phase: Phase | 'preflight' | 'burn-in' | 'done';
  /** Description of a long step before a load: `starts 3 nodes`. */
  doing?: string;
  /**
   * While the run waits for machines: which processes can take seats besides `dyno worker`, and their requirements. Absent if no others
   * can.
   */
  advice?: string;
  /** Time since the phase began, and the length of the phase if known, in ms. */
  phaseMs: number;
  phaseLengthMs: number | null;
  /** Share of the measured phase that is done, by time or by documents, in [0, 1]; 0 in other phases. */
  measured: number;
  /** Estimated time until the run ends or waits for its next environment, from the trials that have ended or the plan, in ms. */
  remainingMs: number;
  tasks: TaskProgress[];
  /** Seats by their numbers; absent if one machine generates the load. */
  seats?: SeatProgress[];
}
