/** The job that a load gets and the outcome that it reports: plain data that crosses threads and machines. */
import type { Destination } from '../../common/elasticsearch/destination';
import type { ExecutorJob } from '../../common/executors/registry';
import type { Counts } from '../../common/measurement/counts';
import type { DrawnSketch } from '../../common/measurement/distinct';
import type { EncodedHistogram } from '../../common/measurement/histogram';
import type { HighestRate } from '../../common/measurement/highest-rate';
import type { InstrumentDelays } from '../../common/measurement/instrument';
import type { Failures } from '../../common/measurement/failures';
import type { RequestRecord } from '../../common/measurement/sample';
import type { ParserFigures, SenderTimes } from '../../common/measurement/parse';
import type { ReplayAccount } from '../../common/measurement/replay';
import type { WriteAccount } from '../../common/measurement/writes';
import type { IndexRoute } from '../../common/experiment/definition';
import type { OperationJob } from '../../common/tasks/registry';

/** Addresses and connection settings of the target; plain data, so that it can be sent to a thread. */
export interface LoadTarget {
  /** Base URLs of the nodes. Requests go to them in turn. */
  nodes: string[];
  /** Headers of each request, such as `authorization`. */
  headers: Record<string, string>;
  /** Certificate authority, as PEM. Default: those of the system. */
  ca?: string;
  /** `false` accepts any certificate. */
  verifyCertificates: boolean;
  requestTimeoutMs: number;
  /** Largest request that every node accepts (`http.max_content_length`), in bytes; absent if unknown. */
  maxContentBytes?: number;
  /** Clock of the target minus clock of the run, in ms. Dates in requests use the target's clock. Default: 0. */
  clockOffsetMs?: number;
}

export interface TaskJob {
  name: string;
  operation: OperationJob;
  executor: ExecutorJob;
}

/** The whole load of one trial. `divide` gives each share its part. */
export interface LoadJob {
  /** Indices of the trial. Searches go to all of them. */
  indices: string[];
  /** Where documents should arrive; if absent, only a failure store is detected. */
  destination?: Destination;
  route: IndexRoute;
  target: LoadTarget;
  tasks: TaskJob[];
  seed: number;
  warmupMs: number;
  /** Length of the measured phase, in ms; null if the phase ends with the documents. */
  measureMs: number | null;
  /** Documents of the measured phase, over all ingest tasks and shares; null if `measureMs` is given. */
  documents: number | null;
  drainMs: number;
}

/** The part of a job that one thread carries out: its own clients, rate, slice of the documents and random stream. */
export interface ShareJob extends LoadJob {
  share: { index: number; of: number };
}

/** Exact results of a task over the whole trial. Samples show the same by the second. */
export interface TaskOutcome {
  task: string;
  /** Kind of the task, one of `common/tasks`. */
  kind: string;
  /** Counts of the requests that ended within the measured phase. */
  measured: Counts;
  /** Counts of the requests first sent within the measured phase, whenever they ended. Includes retries after the phase. */
  cohort: Counts;
  /** Counts over all phases. */
  total: Counts;
  /** Actions over all phases; only for an ingest task with actions or ids. */
  writes?: WriteAccount;
  /** Distinct requests over all phases; only for requests that are drawn. */
  drawn?: DrawnSketch;
  /** Length of the measured phase, in ms. With `documents`, it ends with the last answer. */
  elapsedMs: number;
  /** When its file ended, in ms after the start of the load; null or absent if it did not end. */
  sourceEndedMs?: number | null;
  /** Service times and latencies of the requests due within the measured phase, whenever they were sent and answered. */
  service: EncodedHistogram;
  latency: EncodedHistogram;
  /** The parts of `latency` that are lower bounds: requests without an answer, and requests that were due but never sent. */
  unanswered: EncodedHistogram;
  neverSent: EncodedHistogram;
  /** For search tasks, by name of the request; for transactions, by name of the part. */
  requests: Record<string, RequestRecord>;
  failures: Failures;
  /** Why documents were rejected that were then sent again; absent if no document was retried. */
  retries?: Failures;
  /** Open executors: requests due in the measured phase, requests first sent in it, and requests due but not sent at its end. */
  offered: number | null;
  sent: number | null;
  unsent: number;
  /** Open executors: how late the load generator sent each request, in ms; absent for closed executors. */
  lag?: EncodedHistogram;
  /** Replay tasks: what happened to each line of the log, over all phases. */
  replay: ReplayAccount | null;
  /** Result of a search for the highest rate. All results above, except `total`, are then those of the step that it found. */
  highestRate?: HighestRate | null;
  /** Tasks whose lines are parsed in threads: times of this share's senders, and, once all shares are merged, results of the parsers. */
  senders: SenderTimes | null;
  parsers: ParserFigures | null;
}

export interface LoadOutcome {
  tasks: TaskOutcome[];
  /** The four moments, in ms since the epoch. */
  startedAt: number;
  measureAt: number;
  measureEndedAt: number;
  drainedAt: number;
  workers: number;
  /** How long after the common start the last thread began, in ms. Its part of the load is missing until then. */
  lateMs: number;
  /** Longest time in which no node accepted a connection although all were tried, in ms. */
  awayMs: number;
  /** Nodes that refused connections, by base URL, and the number of requests that went to another node instead. */
  refusals: { node: string; refused: number; moved: number }[];
  /** Why the load ended early; '' if it did not. */
  stopped: string;
  /** Delays that the load threads may have added to the times of the measured phase. */
  delays?: InstrumentDelays;
  /** Results of each seat, in the order of their numbers. */
  seats: SeatOutcomeFigures[];
}

/** Results of one seat. */
export interface SeatOutcomeFigures {
  workers: number;
  /** Documents or requests that were sent, over all tasks and phases. */
  attempted: number;
  /** CPU time per second, in ms; a mean over its seconds. */
  cpuMs: number;
  /** Highest utilisation of the event loop in any second, 0 to 1. */
  utilisation: number;
  lateMs: number;
}

/**
 * The handle of a trial's load, held by the run. Threads prepare first; then {@link begin} gives all of them the same start.
 */
export interface Load {
  /**
   * Resolves when every thread is ready to send, to how long before a start they must be notified, in ms (measured when they became ready).
   * Resolves too if the load is stopped before; rejects as `done` does.
   */
  ready: Promise<number>;
  /** Starts the warm-up at `startAt`, in ms since the epoch. Does nothing on a second call, or after a stop. */
  begin(startAt: number): void;
  /** Resolves after the drain; rejects with a DynoError if a source, a thread or the whole target fails. */
  done: Promise<LoadOutcome>;
  /** Ends the load early: sends no new requests, then drains. */
  stop(reason: string): void;
  /** Ends at once. Requests in flight are cut, and their outcome is unknown. */
  abort(): void;
  /**
   * For a load that has ended or failed: resolves once no seat sends requests any more. After that, no late bulk can create a removed index
   * again. Never rejects.
   */
  readonly stilled: Promise<void>;
}
