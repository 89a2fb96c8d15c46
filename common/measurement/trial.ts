/** Document of a trial in `dyno-trials-*`. Trials are the independent unit of every statistic. */
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
  /** Stable within the experiment: factor paths and levels. */
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
  /** Service times, without requests whose connection was lost. */
  service: LatencySummary;
  latency: LatencySummary;
  /** Documents of older versions of Dyno lack both histograms. */
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
 * cover only the hold that confirmed the rate, or the step in `figuresOf`. Metrics over varying rates would mean little.
 */
export interface TaskSummary {
  task: string;
  /** Kind of the task, one of `common/tasks`. */
  kind: string;
  /** Counts of the requests that were first sent in the measured phase, including those that ended later. */
  counts: StoredCounts;
  /**
   * Counts over warm-up, measure and drain. If each document has its own id, the index must hold `total.accepted` +
   * `total.disregarded` documents, and may hold up to `total.unknown` more.
   */
  total: StoredCounts;
  /** Counts of writes that determine the contents of the index. Present if documents have given ids, or actions other than `index`. */
  writes?: WriteAccount;
  /**
   * Numbers of drawn requests over all phases. Present if requests or transactions are drawn from a list. Documents of older versions of
   * Dyno lack it.
   */
  drawn?: DrawnRequests;
  /** Length of the measured phase in ms; with `measure.documents` until the last answer. */
  elapsedMs: number;
  /**
   * Time in ms from the start of the load until its file was exhausted. Absent if the load ended before that, and in documents of older
   * versions of Dyno.
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
   * Times of the requests that were due in the measured phase, including those answered during the drain. Requests that never got a
   * connection do not count. In documents of older versions of Dyno, these are the requests first sent in the phase, without {@link
   * TaskSummary.censored} ones.
   */
  service: LatencySummary;
  latency: LatencySummary;
  serviceHistogram: EncodedHistogram;
  latencyHistogram: EncodedHistogram;
  /** Requests for which only a lower bound of the time is known. Absent without any, and in documents of older versions. */
  censored?: Censored;
  /** Summaries by named request of a search, or by part of a transaction, in the order of their first answers; empty otherwise. */
  requests: Record<string, RequestSummary>;
  /** Recall of all requests whose true neighbours are known; absent without any. */
  recall?: RecallSummary;
  failures: Failures;
  /** Reasons of the rejections (429) after which documents were sent again. Absent without any, and in documents of older versions of Dyno. */
  retries?: Failures;
  /** Open executors: requests per second that were due, and that were sent, in the measured phase. Null for closed executors. */
  offeredPerSecond: number | null;
  sentPerSecond: number | null;
  /** Number of requests that were due in the measured phase and never sent. Above 0, the offered rate was missed. */
  unsent: number;
  /** Open executors: delays with which the load generator itself sent requests. Documents of older versions of Dyno lack it. */
  lagHistogram?: EncodedHistogram;
  /** Whether the throughput had settled. Null if there are too few samples to judge, or if a search varied the rate. */
  steady: SteadyState | null;
  /** Replay tasks: outcomes of the log's lines over all phases. Documents of older versions of Dyno lack it. */
  replay?: ReplayAccount | null;
  /**
   * Replays of recorded traffic: how the answers compare with the recorded ones, over all phases. Absent for other tasks, and in documents
   * of older versions of Dyno.
   */
  answers?: AnswerAccount;
  /** Steps and answer of a search for the highest rate. Null or absent for other executors. */
  highestRate?: HighestRate | null;
  /** Results of parsing raw lines, for ingest tasks that parse them. Documents of older versions of Dyno lack it. */
  parsing?: ParseSummary | null;
}

/** Whether the throughput had settled. Older versions of Dyno judged this by MSER-5 alone. */
export interface SteadyState {
  settled: boolean;
  /** End of the start-up by MSER-5, in seconds after the start of the load. */
  afterSeconds: number;
  /** Change of a straight line through the throughput over the measured phase, relative to the mean: -0.1 is a fall by 10%. */
  change?: number;
  /** The smallest such change that the test detects in four of five trials like this one, relative to the mean. */
  findsFrom?: number;
}

/** Summary of one of several machines that generated the load together. */
export interface SeatSummary {
  /** Number of the seat, from 0. */
  seat: number;
  host: string;
  pid: number;
  /** Labels of the machine that its worker was started with, `zone=a`. Documents of older versions of Dyno lack it. */
  labels?: string[];
  /** Number of load threads. */
  workers: number;
  /** Number of requests, or documents, that it sent over the whole trial. */
  attempted: number;
  /** CPU time of its load threads per second, mean over the trial, in ms. */
  cpuMs: number;
  /** Utilisation of its busiest load thread in its worst second. */
  utilisation: number;
  /** Time from the common start until the last of its threads began, in ms. */
  lateMs: number;
  /** Its wall clock minus the common clock, and the error of that difference, in ms; null if not reported. */
  clockOffsetMs: number | null;
  clockErrorMs: number | null;
}

/** Health of the load generator over the measured phase. Each value is that of its worst second, except the CPU time, which is a mean. */
export interface GeneratorSummary extends GeneratorHealth {
  /** Number of threads that generated the load. */
  workers: number;
  /** True if the load generator, not the target, was the limit. Verdicts with such a trial carry a warning. */
  limited: boolean;
  /** Reason in words; '' if it was not the limit. */
  reason: string;
  machine?: MachineSummary;
  /** Delay that the load generator itself may have added to response times. Documents of older versions of Dyno lack it. */
  delays?: InstrumentDelays;
  /** Summaries of the seats; present if several machines generated the load. */
  seats?: SeatSummary[];
}

/** Documents in the indices before the load began. */
export interface PreloadSummary {
  documents: number;
  /**
   * Origin of the documents. `load`: loaded for this trial; later trials may reuse them. `copy`: cloned from indices that were loaded once.
   * `same`: the trial uses the indices of earlier trials.
   */
  by: 'load' | 'copy' | 'same';
  /**
   * How the loaded indices were built: `load` by the load generator, `reindex` by the cluster from the indices of another cell.
   * Documents of older versions of Dyno lack it, which means `load`.
   */
  built?: 'load' | 'reindex';
  /** Id of the trial for which they were loaded. */
  loadedBy: string;
  /** Time until the indices were ready, in ms. */
  ms: number;
}

export interface TrialDocument {
  run: { id: string };
  experiment: ExperimentMark;
  trial: {
    id: string;
    /** Position in the order of execution, from 0. */
    order: number;
    /** Number of the repetition of its cell, from 0. */
    repetition: number;
    state: TrialState;
    /** Why it failed; '' if it did not. */
    reason: string;
    /**
     * Reason why the number of documents in the index could not be compared with the acknowledged documents. Absent if it was compared, and
     * in documents of older versions of Dyno.
     */
    unverified?: string;
    /** Description of an outage of the target during the measured phase, for which the trial is repeated. Absent without an outage. */
    outage?: string;
    /** Outage because of which the previous trial does not count and this trial repeats it. Absent if this trial repeats none. */
    repeats?: string;
    index: string;
  };
  cell: Cell;
  /** Cluster that it ran on. Documents of older versions of Dyno lack it. */
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
  /** Work of the nodes in the measured phase; null if the trial ended before the second snapshot. */
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
  /** Other events during the trial; absent without any. */
  disturbances?: Disturbance[];
  /** Parts of its indices that the definition does not contain; absent without any, and in documents of older versions of Dyno. */
  unasked?: UnaskedPart[];
  /** Comparison of the target's clock with the run's. Documents of older versions of Dyno lack it. */
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
  /** Values of this second by named request or part. Documents of older versions of Dyno lack it. */
  requests?: Record<string, { count: number; failed: number; mean: number | null; max: number | null }>;
  generator: GeneratorHealth;
}
