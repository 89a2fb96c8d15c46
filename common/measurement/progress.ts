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
  /** Progress of the task's search for the highest rate; absent for other executors. */
  search?: RateProgress;
}

/** Load that one seat generated in the newest second that all seats have reported. */
export interface SeatSecond {
  /** Number of requests that ended in this second, over all tasks. */
  requests: number;
  /** Number of documents with an outcome that became known in this second; null if no task sends documents. */
  documents: number | null;
  /** Bytes of the request bodies that the seat sent in this second. */
  bytes: number;
  /**
   * p99 of the delay in ms with which the seat sent its requests, compared with their schedule. If threads differ, the value of the worst
   * one. 0 without a schedule.
   */
  lagMs: number;
  /** Whether the seat sent requests late so often in the last minute that this affects the measured times. */
  late: boolean;
  /** Utilisation of the seat's busiest load thread, in [0, 1]. */
  utilisation: number;
  /** Whether the seat's busiest thread had no idle time so often in the last minute that it limited the load. */
  busy: boolean;
  /** Load of the seat's machine by all processes; null if the system does not report it. */
  machine: MachineLoad | null;
  /**
   * Amount that the seat has sent since the load began, relative to an equal share of all seats: 1 means exactly its share. Null while
   * there is too little to judge.
   */
  part: number | null;
}

/** A seat: one of several machines that generate the load together. */
export interface SeatProgress {
  /** Number of the seat, from 0. */
  seat: number;
  /**
   * State of the seat. `free`: not taken yet. `taken`: a process has taken it. `loading`: its load is running. `lost`: its process is gone,
   * and no other process has taken the seat.
   */
  state: 'free' | 'taken' | 'loading' | 'lost';
  /** The process that holds the seat, or that held it last; null if no process ever took it. */
  holder: {
    host: string;
    pid: number;
    cores: number;
    /** Labels of the process's machine, such as `zone=a`. */
    labels: string[];
    /** Wall clock of the process minus the common clock, and the error of this difference, in ms; null before the first load. */
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
  /** Description of the step in progress, if it takes long and no load is running: `starts 3 nodes`. */
  doing?: string;
  /**
   * Sentence that is shown while the run waits for machines: which processes besides `dyno worker` can take seats, and what they need.
   * Absent if no others can.
   */
  advice?: string;
  /** Time since the phase began, and the length of the phase if known, in ms. */
  phaseMs: number;
  phaseLengthMs: number | null;
  /** Share of the measured phase that is done, by time or by documents, in [0, 1]; 0 in other phases. */
  measured: number;
  /**
   * Estimated time until the run ends or waits for its next environment, in ms. The estimate is based on the trials that have ended, or
   * else on the plan.
   */
  remainingMs: number;
  tasks: TaskProgress[];
  /** Seats by their numbers; absent if one machine generates the load. */
  seats?: SeatProgress[];
}
