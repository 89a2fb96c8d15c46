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
import type { TrafficAccount } from '../../common/measurement/traffic';
import type { WriteAccount } from '../../common/measurement/writes';
import type { IndexRoute } from '../../common/experiment/definition';
import type { OperationJob } from '../../common/tasks/registry';

/** Addresses and connection settings of the target; plain data, so that it can be sent to a thread. */
export interface LoadTarget {
  /** Engine of the target, such as OpenSearch. Default: Elasticsearch. */
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
   * Difference between the target's clock and the run's clock, in ms (target minus run). The load adds it to the dates in requests, because
   * the target compares these dates with its own time. Default: 0.
   */
  clockOffsetMs?: number;
}

export interface TaskJob {
  name: string;
  operation: OperationJob;
  executor: ExecutorJob;
}

/** The whole load of one trial. `divide` splits it into the parts of the load threads. */
export interface LoadJob {
  /** Indices of the trial. Searches go to all of them. */
  indices: string[];
  /**
   * Indices in which the documents should arrive. If absent, the load generator does not notice if an ingest pipeline sends documents to
   * another index. It still notices documents in a failure store.
   */
  destination?: Destination;
  route: IndexRoute;
  target: LoadTarget;
  tasks: TaskJob[];
  seed: number;
  warmupMs: number;
  /** Length of the measured phase in ms. Null if the phase ends once the target has answered all `documents`. */
  measureMs: number | null;
  /** Number of documents of the measured phase, over all ingest tasks and all load threads. Null if the phase ends after `measureMs`. */
  documents: number | null;
  drainMs: number;
}

/** The part of a job that one load thread executes, with its own clients, rate, part of the documents and random numbers. */
export interface ShareJob extends LoadJob {
  share: { index: number; of: number };
}

/** Exact results of a task over the whole trial. A sample contains the results of only one second. */
export interface TaskOutcome {
  task: string;
  /** Kind of the task, such as `ingest`; see `common/tasks`. */
  kind: string;
  /** Counts of the requests that ended within the measured phase. */
  measured: Counts;
  /**
   * Counts of the requests that were first sent within the measured phase, no matter when they ended. The counts include retries of these
   * requests after the phase.
   */
  cohort: Counts;
  /** Counts of the requests in all phases. */
  total: Counts;
  /** Counts of bulk actions over all phases. Only for ingest tasks with the key `actions` or `ids`, or with an ingest pipeline. */
  writes?: WriteAccount;
  /** Estimated number of distinct requests over all phases. Only for requests with parameters that are drawn at random. */
  drawn?: DrawnSketch;
  /**
   * Length of the measured phase in ms. If the job has a fixed number of documents, the phase ends with the response to the last documents.
   */
  elapsedMs: number;
  /**
   * Time at which the task reached the end of the file that it reads, in ms after the start of the load. Null or absent if it did not reach
   * the end.
   */
  sourceEndedMs?: number | null;
  /**
   * Service times of the requests that were due within the measured phase, whenever they were sent and answered. An encoded histogram, in
   * ms.
   */
  service: EncodedHistogram;
  /**
   * Latencies of the requests that were due within the measured phase. An encoded histogram, in ms. A request that was not answered counts
   * with the time until it was given up.
   */
  latency: EncodedHistogram;
  /**
   * The part of `latency` for requests that were sent but not answered. Each value is a lower bound: the time until the request was given
   * up.
   */
  unanswered: EncodedHistogram;
  /**
   * The part of `latency` for requests that were due but never sent. Each value is a lower bound: the time until the request was given up.
   */
  neverSent: EncodedHistogram;
  /** Results by name of the request. In a transaction, by name of each request of the transaction. */
  requests: Record<string, RequestRecord>;
  failures: Failures;
  /** Reasons for which documents were rejected and then sent again. Absent if no document was sent again. */
  retries?: Failures;
  /** Number of requests that were due in the measured phase of an open executor. Null for a closed executor. */
  offered: number | null;
  /**
   * Number of requests that were first sent in the measured phase of an open executor, no matter when they were due. Null for a closed
   * executor.
   */
  sent: number | null;
  /** Number of requests that were due in the measured phase, but not sent by its end. 0 for a closed executor. */
  unsent: number;
  /** For open executors: how late the load generator sent each request, in ms. Absent for closed executors. */
  lag?: EncodedHistogram;
  /** For replays of logs: number of lines of the log by outcome, over all phases. Null for other tasks. */
  replay: ReplayAccount | null;
  /** For replays of traffic: number of recorded requests by outcome, over all phases. */
  traffic?: TrafficAccount;
  /** For replays of recorded traffic: how the responses compare with the recorded responses, over all phases. */
  answers?: AnswerAccount;
  /**
   * Result of a search for the highest rate. In this case, all results of the task except `total` describe only the step with the highest
   * rate. Null or absent for other tasks.
   */
  highestRate?: HighestRate | null;
  /**
   * How long the task's clients were busy, and how long they waited for parsed documents. Null unless separate threads parse the task's raw
   * lines.
   */
  senders: SenderTimes | null;
  /** Times of the threads that parse raw lines. Null if no separate threads parse lines, and in the report of a single load thread. */
  parsers: ParserFigures | null;
}

export interface LoadOutcome {
  tasks: TaskOutcome[];
  /** Start of the load, in ms since the epoch. */
  startedAt: number;
  /** Start of the measured phase, in ms since the epoch. */
  measureAt: number;
  /** End of the measured phase, in ms since the epoch. */
  measureEndedAt: number;
  /** End of the drain, in ms since the epoch. */
  drainedAt: number;
  workers: number;
  /** Delay of the last load thread: its start minus the start of the load, in ms. During this time, its part of the load was missing. */
  lateMs: number;
  /** Longest time during which no node was reachable, in ms: every node was tried, and none accepted a connection. */
  awayMs: number;
  /** For each node that refused connections: how many requests it refused, and how many of these were moved to another node. */
  refusedConnections: { node: string; refused: number; moved: number }[];
  /** Reason why the load ended early; '' if it did not. */
  stopped: string;
  /** Delays that the load threads may have added to the measured times. */
  delays?: InstrumentDelays;
  /** Results of each process that generated load, on this machine or on others, in the order of the numbers of the processes. */
  seats: SeatOutcomeFigures[];
}

/** Results of one process that generated load. */
export interface SeatOutcomeFigures {
  workers: number;
  /** Number of documents that were sent, over all tasks and phases. Each search and each transaction counts as one document. */
  attempted: number;
  /** Mean CPU time per second, in ms. */
  cpuMs: number;
  /** Highest utilisation of the event loop in any second, in [0, 1]. */
  utilisation: number;
  lateMs: number;
}

/**
 * The handle with which a run controls the load of a trial. First, the threads prepare. Then {@link begin} starts all of them at the same
 * moment.
 */
export interface Load {
  /**
   * Resolves when every thread is ready to send, or when the load is stopped before that. The resolved value is the lead time in ms: the
   * threads must receive the time of the start at least this long before the start. Rejects with the same errors as `done`.
   */
  ready: Promise<number>;
  /** Starts the warm-up at `startAt`, in ms since the epoch. Does nothing if it was called before, or if the load was stopped. */
  begin(startAt: number): void;
  /** Resolves after the drain. Rejects with a DynoError if a source, a thread or the whole target fails. */
  done: Promise<LoadOutcome>;
  /** Ends the load early: sends no new requests, but waits for the responses to requests in flight. */
  stop(reason: string): void;
  /** Ends the load at once. Cuts the requests in flight, so their outcome is unknown. */
  abort(): void;
  /**
   * Resolves once no thread or machine of an ended or failed load can send requests any more. Remove indices only after that, because a
   * late bulk request would create them again. Never rejects.
   */
  readonly stilled: Promise<void>;
}
