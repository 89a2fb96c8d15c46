/**
 * The job that a load receives, and the outcome that it reports. Both are plain data, so that they can be sent to threads and to other
 * machines.
 */
import type { Destination } from '../../common/elasticsearch/destination';
import type { Engine } from '../../common/elasticsearch/engine';
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
import type { AnswerAccount } from '../../common/measurement/same-answers';
import type { WriteAccount } from '../../common/measurement/writes';
import type { IndexRoute } from '../../common/experiment/definition';
import type { OperationJob } from '../../common/tasks/registry';

/** Addresses and connection settings of the target; plain data, so that it can be sent to a thread. */
export interface LoadTarget {
  /** Default: Elasticsearch. */
  engine?: Engine;
  /** Base URLs of the nodes. Requests go to them in turn. */
  nodes: string[];
  /** Headers of each request, such as `authorization`. */
  headers: Record<string, string>;
  /** Certificate authority as PEM. Default: the certificate authorities of the system. */
  ca?: string;
  /** If `false`, any certificate is accepted. */
  verifyCertificates: boolean;
  requestTimeoutMs: number;
  /** Maximum size of a request that every node accepts (`http.max_content_length`), in bytes. Absent if unknown. */
  maxContentBytes?: number;
  /**
   * Difference between the target's clock and the run's clock, in ms (target minus run). Dates in requests use the target's clock. Default:
   * 0.
   */
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
  /** Place where documents should arrive. If it is absent, the load can only detect documents that went to a failure store. */
  destination?: Destination;
  route: IndexRoute;
  target: LoadTarget;
  tasks: TaskJob[];
  seed: number;
  warmupMs: number;
  /** Length of the measured phase in ms. Null if the phase ends when all documents have been answered. */
  measureMs: number | null;
  /** Number of documents of the measured phase, over all ingest tasks and shares. Null if `measureMs` is given. */
  documents: number | null;
  drainMs: number;
}

/** The part of a job that one thread carries out: its own clients, rate, slice of the documents and random stream. */
export interface ShareJob extends LoadJob {
  share: { index: number; of: number };
}

/** Exact results of a task over the whole trial. Samples contain the same results for each second. */
export interface TaskOutcome {
  task: string;
  /** Kind of the task, one of `common/tasks`. */
  kind: string;
  /** Counts of the requests that ended within the measured phase. */
  measured: Counts;
  /**
   * Counts of the requests that were first sent within the measured phase, no matter when they ended. Includes their retries after the
   * phase.
   */
  cohort: Counts;
  /** Counts over all phases. */
  total: Counts;
  /** Counts of bulk actions over all phases. Only for an ingest task with actions or ids. */
  writes?: WriteAccount;
  /** Estimated number of distinct requests over all phases. Only for requests with random values. */
  drawn?: DrawnSketch;
  /** Length of the measured phase in ms. With `documents`, the phase ends with the last answer. */
  elapsedMs: number;
  /** Time at which the task's file ended, in ms after the start of the load. Null or absent if the file did not end. */
  sourceEndedMs?: number | null;
  /** Service times and latencies of the requests that were due within the measured phase, no matter when they were sent and answered. */
  service: EncodedHistogram;
  latency: EncodedHistogram;
  /** Those values of `latency` that are only lower bounds: of requests without an answer, and of requests that were due but never sent. */
  unanswered: EncodedHistogram;
  neverSent: EncodedHistogram;
  /** Results by request name for search tasks, and by part name for transactions. */
  requests: Record<string, RequestRecord>;
  failures: Failures;
  /** Reasons why documents were rejected before they were sent again. Absent if no document was retried. */
  retries?: Failures;
  /**
   * For open executors: the numbers of requests that were due in the measured phase, that were first sent in it, and that were due but not
   * sent at its end.
   */
  offered: number | null;
  sent: number | null;
  unsent: number;
  /** For open executors: how late the load generator sent each request, in ms. Absent for closed executors. */
  lag?: EncodedHistogram;
  /** For replay tasks: the outcome of each line of the log, over all phases. */
  replay: ReplayAccount | null;
  /** For replays of recorded traffic: how the answers compare with the recorded ones, over all phases. */
  answers?: AnswerAccount;
  /** Result of a search for the highest rate. All results above, except `total`, then refer to the step with the highest rate. */
  highestRate?: HighestRate | null;
  /**
   * For tasks whose lines are parsed in threads: the times of this share's senders, and, after all shares are merged, the results of the
   * parsers.
   */
  senders: SenderTimes | null;
  parsers: ParserFigures | null;
}

export interface LoadOutcome {
  tasks: TaskOutcome[];
  /** Start of the load, start and end of the measured phase, and end of the drain, each in ms since the epoch. */
  startedAt: number;
  measureAt: number;
  measureEndedAt: number;
  drainedAt: number;
  workers: number;
  /** Delay of the last thread after the common start, in ms. Until then, the load lacks the part of that thread. */
  lateMs: number;
  /** Longest time in which all nodes were tried and none accepted a connection, in ms. */
  awayMs: number;
  /** Nodes that refused connections, by base URL, and the number of requests that went to another node instead. */
  refusedConnections: { node: string; refused: number; moved: number }[];
  /** Reason why the load ended early; '' if it did not. */
  stopped: string;
  /** Delays that the load threads may have added to the times of the measured phase. */
  delays?: InstrumentDelays;
  /** Results of each seat, in the order of their numbers. */
  seats: SeatOutcomeFigures[];
}

/** Results of one seat. */
export interface SeatOutcomeFigures {
  workers: number;
  /** Number of documents or requests that were sent, over all tasks and phases. */
  attempted: number;
  /** Mean CPU time per second, in ms. */
  cpuMs: number;
  /** Highest utilisation of the event loop in any second, in [0, 1]. */
  utilisation: number;
  lateMs: number;
}

/** The run's handle for the load of a trial. The threads prepare first. Then {@link begin} gives all of them the same start. */
export interface Load {
  /**
   * Resolves when every thread is ready to send. The value is how long before a start the threads must be notified, in ms. It is measured
   * once they are ready. Also resolves if the load is stopped before that. Rejects as `done` does.
   */
  ready: Promise<number>;
  /** Starts the warm-up at `startAt`, in ms since the epoch. Does nothing if it was called before, or if the load was stopped. */
  begin(startAt: number): void;
  /** Resolves after the drain. Rejects with a DynoError if a source, a thread or the whole target fails. */
  done: Promise<LoadOutcome>;
  /** Ends the load early: sends no new requests, but waits for the answers to requests in flight. */
  stop(reason: string): void;
  /** Ends the load at once. Cuts the requests in flight, so their outcome is unknown. */
  abort(): void;
  /**
   * Resolves once no seat of an ended or failed load can send requests any more. Only then is it safe to remove indices, because a late
   * bulk request would create them again. Never rejects.
   */
  readonly stilled: Promise<void>;
}
