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
import type { SearchProfile } from '../profile/search-profile';
import type { UnaskedPart } from './unasked';
import type { WriteAccount } from './writes';

export type TrialState = 'running' | 'completed' | 'failed' | 'cancelled' | 'interrupted';

/**
 * State of a trial as it is displayed. `unverified`: the trial completed, but its index could not be compared with the acknowledged
 * documents.
 */
export type TrialOutcome = TrialState | 'unverified';

/**
 * Returns the state as it is displayed. `unverified`: reason why the index could not be compared with the acknowledged documents; undefined
 * if it was compared.
 */
export const trialOutcome = (state: TrialState, unverified: string | undefined): TrialOutcome =>
  state === 'completed' && unverified !== undefined ? 'unverified' : state;

/** One combination of factor levels. */
export interface Cell {
  /** Position of the combination among all combinations of the experiment, from 0. */
  index: number;
  /** Id of the combination, made of the factors' paths and levels. It is the same in all runs of the experiment. */
  id: string;
  /** Display name: `refresh_interval=1s, shards=5`; `all` if the experiment has no factors. */
  label: string;
  /** Level of each factor; the key is the path of the factor. Levels are JSON values. */
  levels: Record<string, unknown>;
}

/**
 * Summary of a named request of a search, or of a request of a transaction, in the measured phase. Latency is the time from the moment when
 * a request was due. Requests of a transaction are not due at a certain moment, so their latency is their service time.
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
  /** Recall of vector searches. Present if the true neighbours of the query vectors are known. */
  recall?: RecallSummary;
  /** Numbers that are read from responses, such as `took`, by name. Absent if the definition does not ask for any. */
  figures?: Record<string, AnswerFigureSummary>;
  /** Times of profiled searches, which Dyno sent outside of the load. Absent without `measure.profile-searches`. */
  profile?: SearchProfile;
}

/**
 * Metrics of a task in the measured phase, and counts of its documents over all phases. For a task that searches for the highest
 * sustainable rate, the metrics cover only the step at one rate (`highestRate.answer.figuresOf`), usually the last one.
 */
export interface TaskSummary {
  task: string;
  /** Kind of the task, one of `common/tasks`. */
  kind: string;
  /** Counts of the documents whose requests were first sent in the measured phase. They include requests that ended after this phase. */
  counts: StoredCounts;
  /**
   * Counts over warm-up, measure and drain. They limit the number of documents in the index if every document has a different id. The
   * minimum is `total.accepted` + `total.disregarded`. (Disregarded documents are stored, but count as failed because another document of
   * their bulk failed.) Up to `total.unknown` more documents may be in the index, because their responses did not arrive.
   */
  total: StoredCounts;
  /**
   * Counts of created, updated and deleted documents. Dyno calculates from them how many documents the index must contain. Present if the
   * definition sets the ids of documents, or actions other than `index`.
   */
  writes?: WriteAccount;
  /**
   * Number of requests with random values over all phases, and how many of them were distinct. Present if the task draws its requests or
   * transactions from a list. Documents of older versions of Dyno lack it.
   */
  drawn?: DrawnRequests;
  /**
   * Length of the measured phase in ms. If the definition sets a number of documents (`measure.documents`) instead of a duration, the phase
   * ends with the last response.
   */
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
  /**
   * Share of rejected documents, in [0, 1]. It is 0 if no document was attempted, which looks like a measured value. Reports therefore
   * calculate the share from `counts` instead.
   */
  rejectionRate: number;
  errorRate: number;
  /**
   * Service times of the requests that were due in the measured phase, even if their responses came during the drain. Requests that never
   * got a connection do not count. In documents of older versions of Dyno, the requests that were first sent in the phase count instead,
   * except those without a response.
   */
  service: LatencySummary;
  /**
   * Latencies of the requests that were due in the measured phase. A latency is the time from the moment when a request was due to its
   * complete response.
   */
  latency: LatencySummary;
  serviceHistogram: EncodedHistogram;
  latencyHistogram: EncodedHistogram;
  /**
   * Requests for which only a lower bound of the time is known. Absent if there are no such requests, and in documents of older versions.
   */
  censored?: Censored;
  /**
   * Summaries of the named requests of a search, or of the requests of a transaction, by name. They are in the order of their first
   * responses. Empty for other tasks.
   */
  requests: Record<string, RequestSummary>;
  /** Recall of all requests whose true neighbours are known; absent if there are no such requests. */
  recall?: RecallSummary;
  failures: Failures;
  /**
   * Reasons of the rejections (429) after which documents were sent again, and how often each occurred. Absent if no documents were sent
   * again, and in documents of older versions of Dyno.
   */
  retries?: Failures;
  /**
   * Requests per second that were due in the measured phase, for tasks with a fixed rate. Null for tasks with a fixed number of clients.
   */
  offeredPerSecond: number | null;
  /**
   * Requests per second that were sent in the measured phase, for tasks with a fixed rate. Null for tasks with a fixed number of clients.
   */
  sentPerSecond: number | null;
  /** Number of requests that were due in the measured phase and never sent. If it is above 0, the load did not reach the requested rate. */
  unsent: number;
  /**
   * Histogram of the delays with which requests were sent after they were due, for tasks with a fixed rate. Waits for a free client do not
   * count. Documents of older versions of Dyno lack it.
   */
  lagHistogram?: EncodedHistogram;
  /**
   * Whether the throughput had become steady. Null if there are too few samples to judge, or if a search for the highest rate varied the
   * rate.
   */
  steady: SteadyState | null;
  /** For tasks that replay a log: outcomes of the log's lines over all phases. Documents of older versions of Dyno lack it. */
  replay?: ReplayAccount | null;
  /**
   * For replays of recorded traffic: how many responses are equal to the recorded ones, and in what they differ. Absent for other tasks,
   * and in documents of older versions of Dyno.
   */
  answers?: AnswerAccount;
  /**
   * For replays of recorded traffic: how many requests were sent, how many were left out, and how many were not yet sent when the load
   * ended.
   */
  traffic?: TrafficAccount;
  /** For tasks that search for the highest sustainable rate: the steps and the result of the search. Null or absent for other tasks. */
  highestRate?: HighestRate | null;
  /** Results of parsing raw lines, for ingest tasks that parse them. Documents of older versions of Dyno lack it. */
  parsing?: ParseSummary | null;
}

/**
 * Whether the throughput had become steady, and how this was judged. Older versions of Dyno judged only by the end of the start-up phase
 * (`afterSeconds`).
 */
export interface SteadyState {
  settled: boolean;
  /** End of the start-up phase in seconds after the start of the load, as the rule MSER-5 finds it (see `analysis/steady.ts`). */
  afterSeconds: number;
  /**
   * Relative change of the throughput over the measured phase, from a straight line that is fitted to the throughput of each second. -0.1
   * is a fall by 10% of the mean.
   */
  change?: number;
  /** Smallest trend, relative to the mean, that Dyno would detect in 80% of trials with the same noise and length. */
  findsFrom?: number;
}

/** Summary of one of several machines that generated the load together. */
export interface SeatSummary {
  /** Number of the machine, from 0. */
  seat: number;
  host: string;
  pid: number;
  /**
   * Labels of the machine, such as `zone=a`, with which its worker process was started. Documents of older versions of Dyno lack this
   * field.
   */
  labels?: string[];
  /** Number of load threads. */
  workers: number;
  /** Number of requests, or documents, that the machine sent over the whole trial. */
  attempted: number;
  /** CPU time of the machine's load threads per second, as a mean over the trial, in ms. */
  cpuMs: number;
  /** Utilisation of the machine's busiest load thread in its busiest second, in [0, 1]. */
  utilisation: number;
  /**
   * Time from the planned start of the load, which is the same for all machines, until the last load thread of this machine began, in ms.
   */
  lateMs: number;
  /** Clock of this machine minus the time on which all machines agree, in ms; null if not reported. */
  clockOffsetMs: number | null;
  /** Maximum error of `clockOffsetMs`, in ms; null if not reported. */
  clockErrorMs: number | null;
}

/**
 * Health of the load generator over the measured phase. `cpuMs` is a mean. Every other value is that of the second in which the value was
 * worst.
 */
export interface GeneratorSummary extends GeneratorHealth {
  /** Number of threads that generated the load. */
  workers: number;
  /**
   * Whether the load generator, and not the target, was the bottleneck. If such a trial contributes to the verdict on a hypothesis, the
   * verdict has a warning.
   */
  limited: boolean;
  /** Reason why the load generator was the bottleneck, in words; '' if it was not. */
  reason: string;
  machine?: MachineSummary;
  /** Delay that the load generator itself may have added to response times. Documents of older versions of Dyno lack it. */
  delays?: InstrumentDelays;
  /** Summaries of the machines; present if several machines generated the load. */
  seats?: SeatSummary[];
}

/** Documents that the indices contained before the load began. */
export interface PreloadSummary {
  documents: number;
  /**
   * Origin of this trial's documents. `load`: they were loaded for this trial; later trials may reuse them. `copy`: its indices were cloned
   * from indices that an earlier trial loaded. `same`: it uses the same indices as an earlier trial.
   */
  by: 'load' | 'copy' | 'same';
  /**
   * Way in which the documents were loaded originally. `load`: by the load generator. `reindex`: by the cluster, from the indices of
   * another combination of factor levels. `existing`: from an existing index. `snapshot`: from a snapshot. In documents of older versions
   * of Dyno it is missing, which means `load`.
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
    /** Number of earlier trials of this run with the same factor levels. */
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
     * Description of an outage of the target during the measured phase; absent without an outage. Dyno repeats a trial with an outage,
     * unless too many trials of the run had outages.
     */
    outage?: string;
    /** Description of the outage because of which an earlier trial does not count. Present if this trial repeats that earlier trial. */
    repeats?: string;
    index: string;
  };
  cell: Cell;
  /** Cluster on which the trial ran. Documents of older versions of Dyno lack this field. */
  cluster?: {
    name: string;
    uuid: string;
    version: string;
    /**
     * Differences of the cluster that Dyno started from the cluster that the definition describes, in words. Absent without differences.
     */
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
  /** Changes of the nodes' counters in the measured phase; null if the trial ended before Dyno could read the statistics a second time. */
  server: ServerDelta | null;
  index: IndexState | null;
  generator: GeneratorSummary | null;
  /**
   * The documents that were loaded before the load; null if the trial began with empty indices. Documents of older versions of Dyno lack
   * it.
   */
  preload?: PreloadSummary | null;
  /** State of the data that existed before the run; present for trials on such data. */
  existing?: ExistingSummary;
  /** State of the caches; present if the definition has `measure.caches`. */
  caches?: CachesSummary;
  /**
   * Values from dynobeat's events, which Dyno reads at the end of the run; null if no dynobeat sent events. Documents of older versions of
   * Dyno lack it.
   */
  collected?: CollectedTrial | null;
  /** Events during the trial that may explain its metrics, such as a node that left; absent without such events. */
  disturbances?: Disturbance[];
  /**
   * Settings and mappings of the trial's indices that the definition does not contain, for example because an index template added them.
   * Absent if there are no such settings, and in documents of older versions of Dyno.
   */
  unasked?: UnaskedPart[];
  /**
   * Difference between the target's clock and the clock of the process that executes the run. Documents of older versions of Dyno lack this
   * field.
   */
  clock?: TargetClock;
}

/** Document of a sample in `dyno-samples-*`: the measurements of one task in one second. */
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
  /**
   * Values of this second. The key is the name of the request, either of a named request of a search or of a request of a transaction.
   * Documents of older versions of Dyno lack this field.
   */
  requests?: Record<string, { count: number; failed: number; mean: number | null; max: number | null }>;
  generator: GeneratorHealth;
}
