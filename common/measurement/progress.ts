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
  /** Progress of the task's search for the highest sustainable rate; absent for tasks without such a search. */
  search?: RateProgress;
}

/**
 * Load that one of the machines that generate the load together sent in one second. It is the newest second that all these machines have
 * reported.
 */
export interface SeatSecond {
  /** Number of requests that ended in this second, over all tasks. */
  requests: number;
  /** Number of documents with an outcome that became known in this second; null if no task sends documents. */
  documents: number | null;
  /** Bytes of the request bodies that this machine sent in this second. */
  bytes: number;
  /**
   * p99 of the delay in ms with which this machine sent its requests, compared with their schedule. It is the value of the load thread with
   * the longest delay. 0 without a schedule.
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
   * Documents (or searches, or transactions) that the machine has sent since the load began, relative to an equal share for each machine: 1
   * means exactly this share. Null in the first seconds of the load.
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
   * Advice that is shown while the run waits for machines that generate load. `dyno worker` can always provide one. The advice names
   * further processes that can do so, such as nodes of Kibana, and says what they need. Absent if no other process can.
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
   * environment. The estimate is based on the trials that have ended, or else on the plan.
   */
  remainingMs: number;
  tasks: TaskProgress[];
  /** The machines that generate the load, sorted by number; absent if one machine generates all of it. */
  seats?: SeatProgress[];
}
