/** Document of a trial in `dyno-trials-*`. In all statistics, a trial is one independent observation. */
import type { AnswerFigureSummary } from './answer-figure';
import type { Censored, KeptTimes } from './censored';
import type { CachesSummary } from './caches';
import type { CollectedTrial } from './collected';
import type { StoredCounts } from './counts';
import type { Disturbance } from './disturbance';
import type { DrawnRequests } from './distinct';
import type { ExistingSummary } from './existing';
import type { ExperimentMark } from './experiment-mark';
import type { EncodedHistogram, LatencySummary } from './histogram';
import type { HighestRate } from './highest-rate';
import type { InstrumentDelays, MachineSummary } from './instrument';
import type { ParseSummary } from './parse';
import type { RecallSummary } from './recall';
import type { ReplayAccount } from './replay';
import type { AnswerAccount } from './same-answers';
import type { TrafficAccount } from './traffic';
import type { Failures } from './failures';
import type { GeneratorHealth } from './sample';
import type { IndexState, ServerDelta } from './server';
import type { TargetClock } from './target-clock';
import type { UnaskedPart } from './unasked';
import type { WriteAccount } from './writes';

export type TrialState = 'running' | 'completed' | 'failed' | 'cancelled' | 'interrupted';

/** State of a trial as it is displayed. A completed trial that could not be verified is `unverified`. */
export type TrialOutcome = TrialState | 'unverified';

/** Returns the displayed state. `unverified`: why the trial is unverified; undefined if it was verified. */
export const trialOutcome = (state: TrialState, unverified: string | undefined): TrialOutcome =>
  state === 'completed' && unverified !== undefined ? 'unverified' : state;

/** One combination of levels. */
export interface Cell {
  /** Position in the plan, from 0. */
  index: number;
  /** Id of the cell: factor paths and levels. It is the same in all runs of the experiment. */
  id: string;
  /** Display name: `refresh_interval=1s, shards=5`; `all` if the experiment has no factors. */
  label: string;
  /** Factor path to level, levels as JSON values. */
  levels: Record<string, unknown>;
}

/**
 * Summary of a named request of a search, or of a part of a transaction, in the measured phase. Latency counts from the intended
 * start. Parts of a transaction have no intended start, so their latency is their service time.
 */
export interface RequestSummary {
  /** Number of requests that ended. */
  count: number;
  failed: number;
  /** Summary of the service times. Requests whose connection was lost do not count. */
  service: LatencySummary;
  latency: LatencySummary;
  /** Histogram of the service times. Documents of older versions of Dyno lack it and `latencyHistogram`. */
  serviceHistogram?: EncodedHistogram;
  /** Histogram of the latency; null if equal to that of the service time. */
  latencyHistogram?: EncodedHistogram | null;
  /** Recall, for requests whose true neighbours are known; absent for others. */
  recall?: RecallSummary;
  /** Numbers that are read from answers, by name; absent if the definition asks for none. */
  figures?: Record<string, AnswerFigureSummary>;
}

/**
 * Metrics of a task in the measured phase, and counts of its documents over all phases. After a search for the highest rate, the metrics
 * cover only the hold that confirmed the rate, or the step in `figuresOf`. Metrics over all the rates of a search would mean little.
 */
export interface TaskSummary {
  task: string;
  /** Kind of the task, one of `common/tasks`. */
  kind: string;
  /** Counts of the requests that were first sent in the measured phase, even if they ended later. */
  counts: StoredCounts;
  /**
   * Counts over warm-up, measure and drain. If every document has its own id, the index must contain `total.accepted` + `total.disregarded`
   * documents, and may contain up to `total.unknown` more.
   */
  total: StoredCounts;
  /**
   * Counts of writes, from which the number of documents in the index follows. Present if documents have given ids, or actions other than
   * `index`.
   */
  writes?: WriteAccount;
  /**
   * Numbers of drawn requests over all phases. Present if requests or transactions are drawn from a list. Documents of older versions of
   * Dyno lack it.
   */
  drawn?: DrawnRequests;
  /** Length of the measured phase in ms; with `measure.documents`, the phase ends with the last answer. */
  elapsedMs: number;
  /**
   * Time from the start of the load until the task's file was exhausted, in ms. Absent if the load ended before that, and in documents of
   * older versions of Dyno.
   */
  sourceEndedMs?: number;
  /** Documents accepted (or searches answered, or transactions completed in full) in the measured phase, per second. */
  throughput: number;
  attemptedPerSecond: number;
  bytesPerSecond: number;
  /** Share of rejected documents, in [0, 1]. It is also 0 if nothing was attempted, so reports compute this rate from `counts`. */
  rejectionRate: number;
  errorRate: number;
  /**
   * Service times and latencies of the requests that were due in the measured phase, even if they were answered during the drain. Requests
   * that never got a connection do not count. In documents of older versions of Dyno, the requests that were first sent in the phase count
   * instead, without {@link TaskSummary.censored} ones.
   */
  service: LatencySummary;
  latency: LatencySummary;
  serviceHistogram: EncodedHistogram;
  latencyHistogram: EncodedHistogram;
  /** Requests for which only a lower bound of the time is known. Absent without any, and in documents of older versions. */
  censored?: Censored;
  /** Summaries by named request of a search, or by part of a transaction, in the order of their first answers; empty for other tasks. */
  requests: Record<string, RequestSummary>;
  /** Recall of all requests whose true neighbours are known; absent without any. */
  recall?: RecallSummary;
  failures: Failures;
  /** Reasons of the rejections (429) after which documents were sent again. Absent without any, and in documents of older versions of Dyno. */
  retries?: Failures;
  /**
   * For open executors: requests per second in the measured phase that were due (`offeredPerSecond`), and that were sent. Null for closed
   * executors.
   */
  offeredPerSecond: number | null;
  sentPerSecond: number | null;
  /** Number of requests that were due in the measured phase and never sent. If it is above 0, the load did not reach the offered rate. */
  unsent: number;
  /** Open executors: delays with which the load generator itself sent requests. Documents of older versions of Dyno lack it. */
  lagHistogram?: EncodedHistogram;
  /**
   * Whether the throughput had become steady. Null if there are too few samples to judge, or if a search for the highest rate varied the
   * rate.
   */
  steady: SteadyState | null;
  /** Replay tasks: outcomes of the log's lines over all phases. Documents of older versions of Dyno lack it. */
  replay?: ReplayAccount | null;
  /**
   * Replays of recorded traffic: how the answers compare with the recorded ones, over all phases. Absent for other tasks, and in documents
   * of older versions of Dyno.
   */
  answers?: AnswerAccount;
  /** Replays of traffic: outcomes of the records over all phases. */
  traffic?: TrafficAccount;
  /** Steps and answer of a search for the highest rate. Null or absent for other executors. */
  highestRate?: HighestRate | null;
  /** Results of parsing raw lines, for ingest tasks that parse them. Documents of older versions of Dyno lack it. */
  parsing?: ParseSummary | null;
}

/** Whether the throughput had become steady, and how this was judged. Older versions of Dyno used MSER-5 alone. */
export interface SteadyState {
  settled: boolean;
  /** End of the start-up phase according to MSER-5, in seconds after the start of the load. */
  afterSeconds: number;
  /**
   * Trend of the throughput over the measured phase, by a straight line through its seconds, relative to the mean: -0.1 is a fall by 10%.
   */
  change?: number;
  /** Smallest trend, relative to the mean, that the test finds in four of five trials like this one. */
  findsFrom?: number;
}

/** Summary of one seat: one of several machines that generated the load together. */
export interface SeatSummary {
  /** Number of the seat, from 0. */
  seat: number;
  host: string;
  pid: number;
  /** Labels of the seat's machine, with which its worker was started: `zone=a`. Documents of older versions of Dyno lack this field. */
  labels?: string[];
  /** Number of load threads. */
  workers: number;
  /** Number of requests, or documents, that the seat sent over the whole trial. */
  attempted: number;
  /** CPU time of the seat's load threads per second, as a mean over the trial, in ms. */
  cpuMs: number;
  /** Utilisation of the seat's busiest load thread in its worst second, in [0, 1]. */
  utilisation: number;
  /** Time from the common start until the last of the seat's threads began, in ms. */
  lateMs: number;
  /** Wall clock of the seat's machine minus the common clock, and the error of this difference, in ms; null if not reported. */
  clockOffsetMs: number | null;
  clockErrorMs: number | null;
}

/** Health of the load generator over the measured phase. Each value is that of its worst second, except the CPU time, which is a mean. */
export interface GeneratorSummary extends GeneratorHealth {
  /** Number of threads that generated the load. */
  workers: number;
  /** True if the load generator, and not the target, was the bottleneck. A verdict that is based on such a trial has a warning. */
  limited: boolean;
  /** Reason why the load generator was the bottleneck, in words; '' if it was not. */
  reason: string;
  machine?: MachineSummary;
  /** Delay that the load generator itself may have added to response times. Documents of older versions of Dyno lack it. */
  delays?: InstrumentDelays;
  /** Summaries of the seats; present if several machines generated the load. */
  seats?: SeatSummary[];
}

/** Documents that the indices contained before the load began. */
export interface PreloadSummary {
  documents: number;
  /**
   * Origin of the documents. `load`: they were loaded for this trial; later trials may reuse them. `copy`: their indices were cloned from
   * indices that were loaded once. `same`: the trial uses the indices of earlier trials.
   */
  by: 'load' | 'copy' | 'same';
  /**
   * How the documents came into the indices that were loaded: `load` by the load generator, `reindex` by the cluster from the indices of
   * another cell, `existing` from an existing index, `snapshot` from a snapshot. Documents of older versions of Dyno lack it, which means
   * `load`.
   */
  built?: 'load' | 'reindex' | 'existing' | 'snapshot';
  /** Id of the trial for which the documents were loaded. */
  loadedBy: string;
  /** Time until the indices were ready, in ms. */
  ms: number;
}

export interface TrialDocument {
  run: { id: string };
  experiment: ExperimentMark;
  trial: {
    id: string;
    /** Position of the trial in the order of execution, from 0. */
    order: number;
    /** Number of the repetition of the trial's cell, from 0. */
    repetition: number;
    state: TrialState;
    /** Reason why the trial failed; '' if it did not. */
    reason: string;
    /**
     * Reason why the number of documents in the index could not be compared with the acknowledged documents. Absent if the numbers were
     * compared, and in documents of older versions of Dyno.
     */
    unverified?: string;
    /**
     * Description of an outage of the target during the measured phase. The trial is repeated for this reason. Absent without an outage.
     */
    outage?: string;
    /** Present if this trial repeats an earlier trial that does not count: description of the outage that ended the earlier one. */
    repeats?: string;
    index: string;
  };
  cell: Cell;
  /** Cluster on which the trial ran. Documents of older versions of Dyno lack this field. */
  cluster?: {
    name: string;
    uuid: string;
    version: string;
    /** Differences between the cluster that Dyno started and the cluster in the definition, in words; absent without differences. */
    unlike?: string;
  };
  /** Start times of the phases, ISO 8601 UTC; null for phases that were not reached. */
  times: {
    started: string;
    warmup: string | null;
    measure: string | null;
    drain: string | null;
    ended: string | null;
  };
  tasks: TaskSummary[];
  /** Work of the nodes in the measured phase; null if the trial ended before Dyno could read the statistics a second time. */
  server: ServerDelta | null;
  index: IndexState | null;
  generator: GeneratorSummary | null;
  /** The preloaded documents; null if the trial began with empty indices. Documents of older versions of Dyno lack it. */
  preload?: PreloadSummary | null;
  /** State of the existing data; present for trials on existing data. */
  existing?: ExistingSummary;
  /** State of the caches; present if the definition has `measure.caches`. */
  caches?: CachesSummary;
  /**
   * Values from the collector, read at the end of the run; null if no collector sent events. Documents of older versions of Dyno lack it.
   */
  collected?: CollectedTrial | null;
  /** Events during the trial that may explain its metrics, such as a node that left; absent without such events. */
  disturbances?: Disturbance[];
  /**
   * Settings and mappings of the trial's indices that the definition does not contain; absent without such parts, and in documents of older
   * versions of Dyno.
   */
  unasked?: UnaskedPart[];
  /** Difference between the target's clock and the run's clock. Documents of older versions of Dyno lack this field. */
  clock?: TargetClock;
}

/** Document of a sample in `dyno-samples-*`. */
export interface SampleDocument {
  '@timestamp': string;
  run: { id: string };
  experiment: ExperimentMark;
  trial: { id: string };
  cell: { id: string; label: string };
  task: string;
  /** Kind of the task, one of `common/tasks`. Documents of older versions of Dyno lack it. */
  taskKind?: string;
  phase: string;
  counts: StoredCounts;
  /** Accepted documents (or searches, or transactions) per second. */
  throughput: number;
  rejectionRate: number;
  service: KeptTimes;
  latency: KeptTimes;
  clients: number;
  offered: number | null;
  backlog: number;
  failures: Failures;
  /** Values of this second by name of the request, or of the part of a transaction. Documents of older versions of Dyno lack this field. */
  requests?: Record<string, { count: number; failed: number; mean: number | null; max: number | null }>;
  generator: GeneratorHealth;
}
