/** Progress of a run, which the terminal and the page show while it is running. */
import type { Counts } from './counts';
import type { RateProgress } from './highest-rate';
import type { MachineLoad } from './instrument';
import type { Phase } from './sample';

export interface TaskProgress {
  task: string;
  /** Accepted documents (or searches, or transactions) in the last whole second. */
  throughput: number;
  /** p99 of the latency over the last ten seconds, in ms; null while there are too few responses. */
  p99: number | null;
  /** Counts of the trial so far. */
  counts: Counts;
  /** Number of requests that are due and not yet sent. */
  backlog: number;
  /** Progress of the task's search for the highest sustainable rate; absent for tasks without such a search. */
  search?: RateProgress;
}

/**
 * Load that one machine sent in one second, if several machines generate the load together. The second is the newest one that all these
 * machines have reported.
 */
export interface SeatSecond {
  /** Number of requests that ended in this second, over all tasks. */
  requests: number;
  /** Number of documents with an outcome that became known in this second; null if no task sends documents. */
  documents: number | null;
  /** Bytes of the request bodies that this machine sent in this second. */
  bytes: number;
  /**
   * p99 of the delay with which this machine sent its requests after they were due, in ms. The value is that of the load thread with the
   * longest delay. 0 if the requests have no schedule.
   */
  lagMs: number;
  /** Whether the machine sent requests late in so many seconds of the last minute that measured times may be wrong. */
  late: boolean;
  /** Utilisation of the machine's busiest load thread, in [0, 1]. */
  utilisation: number;
  /** Whether the machine's busiest load thread had no idle time in so many seconds of the last minute that it probably limited the load. */
  busy: boolean;
  /** Load of the machine by all processes; null if the system does not report it. */
  machine: MachineLoad | null;
  /**
   * Number of documents (or searches, or transactions) that the machine has sent since the load began, divided by the mean of all machines:
   * 1 means exactly an equal share. Null in the first seconds of the load.
   */
  part: number | null;
}

/** One of several machines that generate the load of a run together. The code calls its part of the load a *seat*. */
export interface SeatProgress {
  /** Number of this machine, from 0. */
  seat: number;
  /**
   * State of this part of the load. `free`: no process generates it yet. `taken`: a process is ready for it. `loading`: its load is
   * running. `lost`: its process is gone, and no other process has taken over.
   */
  state: 'free' | 'taken' | 'loading' | 'lost';
  /** The process that generates this part of the load, or the last one that did; null if no process has done so yet. */
  holder: {
    host: string;
    pid: number;
    cores: number;
    /** Labels of the process's machine, such as `zone=a`. */
    labels: string[];
    /** Clock of the process minus the time on which all load processes agree, in ms; null before the first load. */
    clockOffsetMs: number | null;
    /** Maximum error of `clockOffsetMs`, in ms; null before the first load. */
    clockErrorMs: number | null;
  } | null;
  /** Values of the newest second; null while the process generates no load. */
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
   * Advice that is shown while the run waits for machines that generate load. Besides `dyno worker`, other processes may be able to do so,
   * such as nodes of Kibana. The advice names them and says what they need. Absent if only `dyno worker` can.
   */
  advice?: string;
  /** Time since the phase began, in ms. */
  phaseMs: number;
  /** Length of the phase in ms; null if unknown. */
  phaseLengthMs: number | null;
  /** Share of the measured phase that is done, by time or by documents, in [0, 1]; 0 in other phases. */
  measured: number;
  /**
   * Estimated time in ms until the run ends. If the definition has several environments, it is the time until the user must set up the next
   * environment. The estimate is based on the trials that have ended. Before the first trial ends, it is based on the plan.
   */
  remainingMs: number;
  tasks: TaskProgress[];
  /** The machines that generate the load, sorted by number; absent if one machine generates all of it. */
  seats?: SeatProgress[];
}
