/** A trial as it is kept: `dyno-trials-*`. The independent unit of every statistic. */
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
import type { Failures } from './failures';
import type { GeneratorHealth } from './sample';
import type { IndexState, ServerDelta } from './server';
import type { TargetClock } from './target-clock';
import type { UnaskedPart } from './unasked';
import type { WriteAccount } from './writes';

export type TrialState = 'running' | 'completed' | 'failed' | 'cancelled' | 'interrupted';

/** What became of a trial, as people are told: its state, but of one that completed without having been verified, that. */
export type TrialOutcome = TrialState | 'unverified';

/** `unverified`: why; undefined where it was verified. */
export const trialOutcome = (state: TrialState, unverified: string | undefined): TrialOutcome =>
  state === 'completed' && unverified !== undefined ? 'unverified' : state;

/** One combination of levels. */
export interface Cell {
  /** Position in the plan, from 0. */
  index: number;
  /** Stable within the experiment: factor paths and levels. */
  id: string;
  /** For people: `refresh_interval=1s, shards=5`; `all` where nothing is varied. */
  label: string;
  /** Factor path to level, levels as JSON values. */
  levels: Record<string, unknown>;
}

/**
 * A named request of a search, or a part of a transaction, in the measured phase. Latency is that from the intended start;
 * a part of a transaction has none of its own, and its latency is its service time.
 */
export interface RequestSummary {
  /** Requests that ended. */
  count: number;
  failed: number;
  /** Without those whose connection was lost. */
  service: LatencySummary;
  latency: LatencySummary;
  /** Documents of older versions of Dyno lack them. */
  serviceHistogram?: EncodedHistogram;
  /** Null where it is that of the service time. */
  latencyHistogram?: EncodedHistogram | null;
  /** Of those whose true neighbours are known; absent for others. */
  recall?: RecallSummary;
  /** Numbers out of the answers, by their names; absent where none were. */
  figures?: Record<string, AnswerFigureSummary>;
}

/**
 * What a task did in the measured phase, and its documents over all phases. Of a search for the highest rate the figures
 * are of its confirming hold, or of the step that its answer names: over a rate that was varied on purpose they mean little.
 */
export interface TaskSummary {
  task: string;
  /** One of `common/tasks`. */
  kind: string;
  /** Of requests first sent within the measured phase, whenever they were settled: what was refused at its end is in it. */
  counts: StoredCounts;
  /**
   * Over warm-up, measure and drain. Where each document is one of its own, the index must hold `total.accepted` and
   * `total.disregarded`, and may hold `total.unknown` beside.
   */
  total: StoredCounts;
  /** Where documents are written by ids or by other actions than `index`: what the index must hold. Absent elsewhere. */
  writes?: WriteAccount;
  /** Requests that were drawn, or transactions, over all phases. Absent elsewhere, and in documents of older versions of Dyno. */
  drawn?: DrawnRequests;
  /** Length of the measured phase, ms; with `measure.documents` until the last answer. */
  elapsedMs: number;
  /**
   * When its file had nothing more to send, ms after the start of the load; absent if that did not happen before the load ended, and
   * in documents of older versions of Dyno.
   */
  sourceEndedMs?: number;
  /** Documents accepted (or searches answered, or transactions of which every part was) within the measured phase, per second. */
  throughput: number;
  attemptedPerSecond: number;
  bytesPerSecond: number;
  /** In [0, 1]; 0 if nothing was attempted, so reports read them from `counts`. */
  rejectionRate: number;
  errorRate: number;
  /**
   * Of requests due within the measured phase, those answered while draining included; what never had a connection is left
   * out. Documents of older versions of Dyno hold what was first sent in it, without what {@link TaskSummary.censored} tells.
   */
  service: LatencySummary;
  latency: LatencySummary;
  serviceHistogram: EncodedHistogram;
  latencyHistogram: EncodedHistogram;
  /** What of the latency is a lower bound; absent where nothing is, and in documents of older versions. */
  censored?: Censored;
  /** Per named request of a search, or part of a transaction, in the order of their first answers; empty otherwise. */
  requests: Record<string, RequestSummary>;
  /** Of all requests whose true neighbours are known; absent where there are none. */
  recall?: RecallSummary;
  failures: Failures;
  /** Why documents were refused for load (429) that were then sent again. Absent where none were, and in documents of older versions of Dyno. */
  retries?: Failures;
  /** Open executors: requests per second that the schedule asked for, and that were sent in the measured phase. Null for closed ones. */
  offeredPerSecond: number | null;
  sentPerSecond: number | null;
  /** Requests that were due in the measured phase and never sent: more than 0 means the offered rate was missed. */
  unsent: number;
  /** Open executors: how late each request left through the generator's own fault. Documents of older versions of Dyno lack it. */
  lagHistogram?: EncodedHistogram;
  /** Null when there are too few samples to say, or the rate was varied by a search. */
  steady: SteadyState | null;
  /** Replay tasks: what became of the log's lines, over all phases. Documents of older versions of Dyno lack it. */
  replay?: ReplayAccount | null;
  /** Of a search for the highest rate: its steps and its answer. Null or absent for other executors. */
  highestRate?: HighestRate | null;
  /** Ingest tasks whose raw lines are parsed. Documents of older versions of Dyno lack it. */
  parsing?: ParseSummary | null;
}

/** Whether the throughput of a load had settled. Documents of older versions of Dyno were judged by MSER-5 alone. */
export interface SteadyState {
  settled: boolean;
  /** Where its start-up ended, seconds after the start of the load (MSER-5). */
  afterSeconds: number;
  /** By how much a line through the throughput changes over the measured phase, as a share of the mean: -0.1 falls by 10%. */
  change?: number;
  /** The smallest such change that the test finds in four of five trials like this one, a share of the mean. */
  findsFrom?: number;
}

/** What one of several machines did that generated the load together. */
export interface SeatSummary {
  /** From 0. */
  seat: number;
  host: string;
  pid: number;
  /** What its worker was told of the machine, `zone=a`. Documents of older versions of Dyno lack it. */
  labels?: string[];
  /** Load threads. */
  workers: number;
  /** Requests, or documents, that it sent over the whole trial. */
  attempted: number;
  /** Of the CPU time of its load threads, mean over the seconds of the trial, ms. */
  cpuMs: number;
  /** Of its busiest load thread, the highest of any second. */
  utilisation: number;
  /** How long after the common start the last of its threads began, ms. */
  lateMs: number;
  /** Its wall clock minus the common one, ms, and how well it knows the latter; null where it did not tell. */
  clockOffsetMs: number | null;
  clockErrorMs: number | null;
}

/** How the generator fared over the measured phase: the worst second of each figure, but CPU as a mean. */
export interface GeneratorSummary extends GeneratorHealth {
  /** Threads that generated the load. */
  workers: number;
  /** True when the generator, not the target, was the limit: no verdict is built on such a trial unmarked. */
  limited: boolean;
  /** Why, in words; '' when it was not. */
  reason: string;
  machine?: MachineSummary;
  /** What it may have added to times itself. Documents of older versions of Dyno lack it. */
  delays?: InstrumentDelays;
  /** Where several machines generated the load; absent where one did. */
  seats?: SeatSummary[];
}

/** What was in the indices before the load began. */
export interface PreloadSummary {
  documents: number;
  /**
   * `load`: loaded for this trial, or by it for later ones; `copy`: copied from indices that were loaded once; `same`: the
   * very indices of earlier trials.
   */
  by: 'load' | 'copy' | 'same';
  /**
   * How they came into the indices that were loaded: through the load generator, or put there by the cluster from those of
   * another cell. Documents of older versions of Dyno lack it: `load`.
   */
  built?: 'load' | 'reindex';
  /** Id of the trial for which they were loaded. */
  loadedBy: string;
  /** Until the indices were ready, ms. */
  ms: number;
}

export interface TrialDocument {
  run: { id: string };
  experiment: ExperimentMark;
  trial: {
    id: string;
    /** Place in the order of execution, from 0. */
    order: number;
    /** Which repetition of its cell, from 0. */
    repetition: number;
    state: TrialState;
    /** Why it failed; '' otherwise. */
    reason: string;
    /**
     * Why nobody knows whether its index holds what was acknowledged, though it completed. Absent where that was checked, and
     * in documents of older versions of Dyno.
     */
    unverified?: string;
    /** Why it is repeated, or would have been: the target was away while it was measured. Absent where it was not. */
    outage?: string;
    /** The trial of this place before it, which was hit by an outage: why that one does not count. Absent for a first one. */
    repeats?: string;
    index: string;
  };
  cell: Cell;
  /** That it ran on. Documents of older versions of Dyno lack it. */
  cluster?: {
    name: string;
    uuid: string;
    version: string;
    /** What of a cluster that Dyno started is not as it was asked for, in words; absent where all is. */
    unlike?: string;
  };
  /** ISO 8601, UTC; null for phases that were not reached. */
  times: {
    started: string;
    warmup: string | null;
    measure: string | null;
    drain: string | null;
    ended: string | null;
  };
  tasks: TaskSummary[];
  /** Null where the trial ended before the second snapshot. */
  server: ServerDelta | null;
  index: IndexState | null;
  generator: GeneratorSummary | null;
  /** Null where the trial began with empty indices. Documents of older versions of Dyno lack it. */
  preload?: PreloadSummary | null;
  /** Of a trial on data that was there already; absent for others. */
  existing?: ExistingSummary;
  /** Absent where the definition does not say what they hold. */
  caches?: CachesSummary;
  /** Read at the end of the run; null where no collector told anything. Documents of older versions of Dyno lack it. */
  collected?: CollectedTrial | null;
  /** What else happened; absent where nothing was seen. */
  disturbances?: Disturbance[];
  /** What its indices have beyond their definition; absent where that is nothing, and in documents of older versions of Dyno. */
  unasked?: UnaskedPart[];
  /** The target's clock next to that of the run. Documents of older versions of Dyno lack it. */
  clock?: TargetClock;
}

/** A sample as it is kept: `dyno-samples-*`. */
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
  /** Accepted per second. */
  throughput: number;
  rejectionRate: number;
  service: KeptTimes;
  latency: KeptTimes;
  clients: number;
  offered: number | null;
  backlog: number;
  failures: Failures;
  /** Per named request or part that ended in this second; documents of older versions of Dyno lack it. */
  requests?: Record<string, { count: number; failed: number; mean: number | null; max: number | null }>;
  generator: GeneratorHealth;
}
