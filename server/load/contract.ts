/** What a share of a trial's load gets, and what it tells: everything that crosses the border of a thread or a host. */
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

/** How the nodes are reached; plain data, so that it can be sent to a thread. */
export interface LoadTarget {
  /** Base URLs, requests go to them in turn. */
  nodes: string[];
  /** Sent with each request: authorization. */
  headers: Record<string, string>;
  /** PEM of the certificate authority; undefined for the system's. */
  ca?: string;
  /** False accepts any certificate. */
  verifyCertificates: boolean;
  requestTimeoutMs: number;
  /** The largest request that every node takes (`http.max_content_length`), bytes; absent where that is not known. */
  maxContentBytes?: number;
  /** Its clock minus that of the run, ms: dates in what is sent are by its clock. 0 unless it is given. */
  clockOffsetMs?: number;
}

export interface TaskJob {
  name: string;
  operation: OperationJob;
  executor: ExecutorJob;
}

/** The load of one trial, whole; `divide` gives each share its part. */
export interface LoadJob {
  /** The indices of the trial; searches go to all of them. */
  indices: string[];
  /** Absent where nobody has looked: only a failure store is then noticed. */
  destination?: Destination;
  route: IndexRoute;
  target: LoadTarget;
  tasks: TaskJob[];
  seed: number;
  warmupMs: number;
  /** Length of the measured phase; null when it ends with the documents. */
  measureMs: number | null;
  /** Documents of the measured phase over all ingest tasks and shares; null when its length is given. */
  documents: number | null;
  drainMs: number;
}

/** The part of a job that one thread does: its own clients, rate, slice of the documents and random stream. */
export interface ShareJob extends LoadJob {
  share: { index: number; of: number };
}

/** A task over the whole trial, exact; the samples are its picture by the second. */
export interface TaskOutcome {
  task: string;
  /** One of `common/tasks`. */
  kind: string;
  /** Of requests that ended within the measured phase. */
  measured: Counts;
  /** Of requests first sent within the measured phase, whenever they ended: refusals that are settled later are in it. */
  cohort: Counts;
  /** Over all phases. */
  total: Counts;
  /** Over all phases too; only of an ingestion with actions or ids. */
  writes?: WriteAccount;
  /** Over all phases; only of requests that are drawn. */
  drawn?: DrawnSketch;
  /** Measured phase, ms; with `documents` until the last answer. */
  elapsedMs: number;
  /** When its file had nothing more to send, ms after the start of the load; null or absent if that did not happen. */
  sourceEndedMs?: number | null;
  /** Of requests due within the measured phase, whenever they were sent and answered. */
  service: EncodedHistogram;
  latency: EncodedHistogram;
  /** Of `latency`, what is a lower bound: requests whose answer never came, and those that were due and never sent. */
  unanswered: EncodedHistogram;
  neverSent: EncodedHistogram;
  /** Search tasks: by name of the request; transactions: of the part. */
  requests: Record<string, RequestRecord>;
  failures: Failures;
  /** Why documents were refused for load that were then sent again; absent where none were. */
  retries?: Failures;
  /** Open executors: requests due in the measured phase, requests first sent in it, and those due and not sent at its end. */
  offered: number | null;
  sent: number | null;
  unsent: number;
  /** Open executors: how late each request left through the generator's own fault, ms; absent for closed ones. */
  lag?: EncodedHistogram;
  /** Replay tasks: what became of the log's lines, over all phases. */
  replay: ReplayAccount | null;
  /** Of a search for the highest rate; the figures above are then of the step that its answer names, but `total`. */
  highestRate?: HighestRate | null;
  /** Of tasks whose lines are parsed by threads: of this share only the senders' times, until all is brought together. */
  senders: SenderTimes | null;
  parsers: ParserFigures | null;
}

export interface LoadOutcome {
  tasks: TaskOutcome[];
  /** ms since the epoch. */
  startedAt: number;
  measureAt: number;
  measureEndedAt: number;
  drainedAt: number;
  workers: number;
  /** How long after the common start the last of the threads began, ms: until then its part of the load is missing. */
  lateMs: number;
  /** Longest time in which no node took a connection though all were tried, ms: the target was away. */
  awayMs: number;
  /** Nodes that took no connection for requests, by their base URL, and how many requests went to another node instead. */
  refusals: { node: string; refused: number; moved: number }[];
  /** Why the load ended before its time; '' when it did not. */
  stopped: string;
  /** What the threads themselves may have added to the times of the measured phase. */
  delays?: InstrumentDelays;
  /** By their numbers. */
  seats: SeatOutcomeFigures[];
}

/** What is told of each seat by itself. */
export interface SeatOutcomeFigures {
  workers: number;
  /** Over all tasks and phases. */
  attempted: number;
  /** Mean over its seconds, ms. */
  cpuMs: number;
  /** The highest of any second. */
  utilisation: number;
  lateMs: number;
}

/**
 * The handle of a trial's load, held by the run. Its threads are made ready first; whoever holds all handles, wherever
 * their threads run, then gives them one start.
 */
export interface Load {
  /**
   * Resolves when every thread could send at once, to how long before a start they must be told of it, ms: measured
   * when they became ready. Also when it was stopped before; rejects as `done` does.
   */
  ready: Promise<number>;
  /** Warm-up begins at `startAt`, ms since the epoch. Does nothing the second time, nor after a stop. */
  begin(startAt: number): void;
  /** Resolves after the drain; rejects with a DynoError when a source, a thread or all of the target failed. */
  done: Promise<LoadOutcome>;
  /** Ends the load early: no new requests, then drain. */
  stop(reason: string): void;
  /** Ends at once: requests in flight are cut, and what they would have done is unknown. */
  abort(): void;
  /**
   * Of a load that has ended, or failed: resolves once none of its seats sends anything any more, so that an index which is removed is
   * not made again by a late bulk. Never rejects.
   */
  readonly stilled: Promise<void>;
}
