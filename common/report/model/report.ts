/** The report of a run as plain data: everything that any rendering shows, computed once. Its JSON is the report's machine form. */
import type { Agreement } from '../../analysis/agreement';
import type { VarianceParts } from '../../analysis/blocked';
import type { Comparison } from '../../analysis/comparison';
import type { CellLimit, Limit } from '../../analysis/limiting-factor';
import type { OwnMs } from '../../analysis/instrument';
import type { IndexTime, ParseLimit } from '../../analysis/parse-limit';
import type { CellRecall } from '../../analysis/recall';
import type { Summary } from '../../analysis/summary';
import type { Trust } from '../../analysis/trust';
import type { Doubt } from '../../analysis/validity';
import type { TransactionTimes } from '../../analysis/transaction';
import type { HighestRate } from '../../measurement/highest-rate';
import type { RateUnit } from '../../tasks/registry';
import type { Definition } from '../../experiment/definition';
import type { CensoredTimes } from '../../measurement/censored';
import type { CorrectedTimes } from '../../measurement/corrected';
import type { CachesSummary } from '../../measurement/caches';
import type { ExistingSummary } from '../../measurement/existing';
import type { ReportClusterFigure } from './cluster';
import type { Counts } from '../../measurement/counts';
import type { LatencySummary, PercentileIntervals } from '../../measurement/histogram';
import type { Provenance, RemovedSamples, RunEvent, RunState, Verdict } from '../../experiment/run';
import type { ParseSummary } from '../../measurement/parse';
import type { ReplayAccount } from '../../measurement/replay';
import type { AnswerFigureSummary } from '../../measurement/answer-figure';
import type { DrawnRequests } from '../../measurement/distinct';
import type { WriteAccount } from '../../measurement/writes';
import type { Failures } from '../../measurement/failures';
import type { PoolDelta, ServerDelta } from '../../measurement/server';
import type { PreloadSummary, SeatSummary, TrialDocument, TrialState } from '../../measurement/trial';
import type { ReportEffect } from './effect';
import type { ReportFocus } from './focus';
import type { ReportScaling } from './scaling';

/** Changes with the shape of {@link Report}. */
export const REPORT_VERSION = 8;

export interface Report {
  report: typeof REPORT_VERSION;
  run: {
    id: string;
    state: RunState;
    reason: string;
    /** ISO 8601, UTC. */
    started: string;
    ended: string | null;
    /** ms, without what it waited between environments or lay interrupted; null while it runs. */
    elapsedMs: number | null;
    /** `failed`: of a run that came to the end of its plan, those that did not complete. */
    trials: { planned: number; completed: number; failed: number };
    /** Its samples are gone, and with them what is drawn over time; absent while they are kept. */
    samples?: RemovedSamples;
  };
  experiment: { id: string; name: string; hypothesis: string; preset: string | null };
  definition: Definition;
  verdict: Verdict;
  /** How far the result can be trusted; null while no trial has completed. */
  trust: Trust | null;
  /** Everything to know before trusting the figures, the gravest first: the verdict's and those of the place and the run. */
  warnings: string[];
  /** Those of them that do not lower the trust. */
  notes: string[];
  /** The figures that are shown first, by cell. */
  focus: ReportFocus;
  /** The change that is shown first; null where there are no two cells to compare. */
  effect: ReportEffect | null;
  /** In the order in which they are measured; one without a label where the definition has none. */
  environments: ReportEnvironment[];
  /** In the plan's order. */
  cells: ReportCell[];
  /** Index of the baseline in `cells`. */
  baseline: number;
  /** Names of the tasks: that of the first claim, then the others in the definition's order. */
  tasks: string[];
  /** Where the figures' variation comes from, by task; tasks with fewer than two whole repetitions or cells are missing. */
  variance: ReportVariance[];
  /** How rates grow with nodes, clients, shards or other counts; absent where no factor is one. */
  scaling?: ReportScaling[];
  published: ReportPublished | null;
  /** Figures of the cluster and its machines, those that no trial tells too; empty without a completed trial. */
  cluster: ReportClusterFigure[];
  /** In order of execution, so that a drift is visible. */
  trials: ReportTrial[];
  /** Throughput over time, in order of execution; empty if no samples were given. */
  series: ReportSeries[];
  provenance: Provenance | null;
  events: RunEvent[];
}

export interface ReportVariance {
  task: string;
  throughput: VarianceParts | null;
  latencyP99: VarianceParts | null;
}

export interface ReportEnvironment {
  /** `disk: premium`; '' without labels. */
  label: string;
  trials: { planned: number; completed: number };
}

export interface ReportCell {
  index: number;
  id: string;
  label: string;
  levels: Record<string, unknown>;
  baseline: boolean;
  /** Completed trials: those that the figures stand on. */
  completed: number;
  planned: number;
  /** Of the completed ones, those that could not be verified; absent for none. */
  unverified?: number;
  /** In the definition's order; tasks without a completed trial are missing. */
  tasks: ReportTask[];
  server: ServerMeans | null;
  /** Null where no collector told anything of its trials. */
  collected: CollectedCoverage | null;
  state: IndexMeans | null;
  /** Which resource was the limit, by most of the completed trials; null without any. */
  limit: CellLimit | null;
}

/** One named request of a task in one cell; times of the trials' merged histograms, null where a trial kept none. */
export interface ReportRequest {
  name: string;
  count: number;
  failed: number;
  service: LatencySummary | null;
  latency: LatencySummary | null;
  /** Over all trials; absent where no answer was judged. */
  recall?: { k: number; judged: number; mean: number };
  /** Numbers out of its answers, over all trials; absent for none. */
  figures?: Record<string, AnswerFigureSummary>;
}

/** Recall in one cell, and the p95 of the latency over trials, which it is set against. */
export interface ReportRecall extends CellRecall {
  p95: Summary;
  /** With the baseline cell; null in the baseline. */
  comparison: Comparison | null;
}

/** A task in one cell, over the cell's completed trials. */
export interface ReportTask {
  task: string;
  kind: string;
  unit: RateUnit;
  /** Accepted per second, over trials. */
  throughput: Summary;
  /** Means over trials. */
  attemptedPerSecond: number;
  bytesPerSecond: number;
  /** Summed over the trials' measured phases. */
  counts: Counts;
  /** Of the summed counts, in [0, 1]. */
  /** Null if nothing was attempted in the measured phase. */
  rejectionRate: number | null;
  errorRate: number | null;
  /** Of the trials' merged histograms, ms. */
  service: LatencySummary;
  latency: LatencySummary;
  /** Requests of the latency that were never answered or sent, and which of its figures are lower bounds; null for none. */
  censored: CensoredTimes | null;
  /** Of a closed executor, whose latency is a response time: corrected for what its waiting clients hide. Null for others. */
  corrected: CorrectedTimes | null;
  /** Of their percentiles, 95%. */
  intervals: { service: PercentileIntervals; latency: PercentileIntervals };
  /** What of the latency may be the instrument's own; absent for results of older versions of Dyno. */
  ownMs?: OwnMs;
  /** p99 of the latency over trials: what its comparison stands on. */
  latencyP99: Summary;
  /** With the baseline cell; null in the baseline. Each is a family with the other cells. */
  comparison: Comparison | null;
  latencyComparison: Comparison | null;
  /** Open executors, means over trials; null for closed ones. */
  offered: {
    /** Requests per second. */
    offeredPerSecond: number;
    sentPerSecond: number;
    /** Requests due and never sent, over all trials. */
    unsent: number;
    /** Of all that were due, in [0, 1]. */
    unsentShare: number;
    /** Trials that missed the offered rate by more than 1%. */
    saturatedTrials: number;
  } | null;
  /** Per named request of a search, or part of a transaction, in its order. */
  requests: ReportRequest[];
  /** Where a transaction's time went; null for other tasks and where nothing has a time. */
  transaction: TransactionTimes | null;
  failures: Failures;
  /** Why documents were refused that were then sent again; absent where none were. */
  retries?: Failures;
  /** Replay tasks: what became of the log's lines, over all trials and their warm-up; null for others. */
  replay: ReplayAccount | null;
  /** Ingestions with actions or ids: what they did to the documents, over all trials and their warm-up; absent for others. */
  writes?: WriteAccount;
  /** Requests or transactions that were drawn: means per trial, warm-up included; absent for others and for older results. */
  drawn?: DrawnRequests;
  /** What its work cost; absent without a price. */
  cost?: ReportCost;
  /** Absent where no answer was judged by true neighbours. */
  recall?: ReportRecall;
  /** Of a search for the highest rate; null for other executors. The other figures are then of the confirming holds. */
  highestRate: ReportRate | null;
  /** Tasks whose raw lines are parsed: sums over all trials, and whose time it took; null for others. */
  parsing: { summary: ParseSummary; limit: ParseLimit; indexing: IndexTime | null } | null;
}

/** What one unit of money brought. */
export interface ReportCost {
  currency: string;
  /** `2026-11-01`: of the price. */
  date: string;
  /** What an hour of the cluster cost, mean over trials. */
  hourly: number;
  /** Accepted for one unit of the currency, over trials. */
  perMoney: Summary;
  /** With the baseline cell; null in the baseline, and where the currency is another. */
  comparison: Comparison | null;
}

/** The highest rate that a task's searches confirmed in one cell, requests/s. */
export interface ReportRate {
  /** Over the trials that confirmed one. */
  sustained: Summary;
  /** Completed trials, confirmed or not. */
  trials: number;
  /** Over all trials: the lowest rate that one held, and the highest that one could not; null where there is none. */
  bracket: { held: number | null; broken: number | null };
  /** With the baseline cell; null in the baseline. */
  comparison: Comparison | null;
}

/** Means per trial, over the trials that have both snapshots; units as in {@link ServerDelta}. */
export interface ServerMeans extends Pick<
  ServerDelta,
  'indexing' | 'search' | 'merges' | 'refresh' | 'flush' | 'indexingPressure' | 'cpuMs' | 'diskBusyMs'
> {
  /** Trials behind the means. */
  trials: number;
  /** Trials in which a node came, left or restarted, so that its counters are missing. */
  partial: number;
  /** Nodes of the last trial. */
  nodes: number;
  gc: { count: number; timeMs: number };
  /** `ratio`: rejected / (rejected + completed) over all trials, in [0, 1]. */
  threadPools: Record<string, PoolDelta & { ratio: number }>;
  /** Null where a trial does not tell it; `share`: hits / (hits + misses) over all trials, null where nothing was looked up. */
  requestCache: { hits: number; misses: number; share: number | null } | null;
  /** Rejections by indexing pressure, all stages. */
  pressureRejections: number;
  /** Of the busiest node of each trial, means over trials, in [0, 1]; null where a trial does not tell. */
  busiest: {
    /** Of all its cores; of the whole machine where the load generator shares it. */
    cpuShare: number | null;
    /** Time in GC pauses. */
    gcShare: number | null;
    /** Time in which its busiest disk was busy. */
    diskBusyShare: number | null;
    /** CPU of processes that are neither Elasticsearch nor the load generator. */
    othersCpuShare: number | null;
    /** CPU of the load generator, where it shares the machine. */
    generatorCpuShare: number | null;
  };
}

/** How much of a cell's trials the collector saw. Its metrics are in `cluster`. */
export interface CollectedCoverage {
  /** Number of trials that a collector read. */
  trials: number;
  /** Smallest share of a measured phase that the events of a node or its machine cover. */
  covered: number;
  /** Whether the machine's CPU is known of every node in every completed trial. */
  everyMachine: boolean;
  /** Whether the CPU of some machine is known in every trial that a collector read. */
  someMachine: boolean;
}

/** The index after the trials: means, and the layouts that were seen. */
export interface IndexMeans {
  docs: number;
  storeBytes: number;
  /** Mean over trials; null where an index held nothing. */
  bytesPerDocument: number | null;
  segments: number;
  /** Backing indices of data streams; null where there are none. */
  backing: number | null;
  /** Distinct ones over the trials; empty in results of older versions of Dyno. */
  modes: string[];
  sources: string[];
  /** Segments that each shard was merged into at most; null where nothing was merged. */
  merged: number | null;
  /** Bytes per document of each field, the largest first; empty where they were not asked for. */
  fields: { field: string; bytesPerDocument: number }[];
  /** What the steps of a recipe took, ms, by name in their order; absent without a recipe. */
  recipe?: Record<string, number>;
  /** How many times the mean of the primary shards the largest is; null where that is not known. */
  shardSkew: { docs: number | null; bytes: number | null };
  /** Distinct layouts over the trials, as in `2-2-1`. */
  primaries: string[];
  shards: string[];
}

export interface ReportPublished {
  seed: string;
  title: string;
  conditions: string[];
  /** `one trial of each cell`: why the published ratios have no interval. */
  repeated: string;
  /** What does not add up in the account. */
  notes: string[];
  /** What had to change. */
  changes: string[];
  /** The figures that are set beside the run's own, the main one first; empty where the account prints none. */
  figures: ReportPublishedFigure[];
}

/** One published column beside the run's own metric: absolute figures of other machines are never compared. */
export interface ReportPublishedFigure {
  /** The column's name, and what its number counts. */
  figure: string;
  unit: string;
  /** `ingest.throughput`; its task; and how it is said: `ingest throughput`. */
  metric: string;
  task: string;
  name: string;
  /** In the order of the report's cells. */
  cells: ReportPublishedCell[];
  /** Cells with a published change: whether it goes the same way as the run's own. */
  directions: { agrees: number; disagrees: number; cannotTell: number };
  /** Cells with a published ratio: whether it lies in the interval of the run's own, or where the own lies to it. */
  ratios: { agrees: number; higher: number; lower: number; cannotTell: number };
  /** All of it in words. */
  sentence: string;
}

export interface ReportPublishedCell {
  /** Index of the report's cell. */
  cell: number;
  baseline: boolean;
  /** As printed; null where the account gives none. */
  published: number | null;
  publishedBaseline: number | null;
  /** Means over trials, in the metric's unit; null without a trial that tells it. */
  own: number | null;
  ownBaseline: number | null;
  /** With the baseline; null in the baseline and without a trial. */
  comparison: Comparison | null;
  /** Null in the baseline and where nothing is published. */
  agreement: Agreement | null;
  /** In words; '' where there is no agreement to tell of. */
  sentence: string;
}

export interface ReportTrial {
  id: string;
  /** From 0. */
  order: number;
  repetition: number;
  cell: string;
  cellIndex: number;
  state: TrialState;
  reason: string;
  /** Why nobody knows whether its index holds what was acknowledged; absent where that was checked. */
  unverified?: string;
  /** Why the trial that it repeats does not count; absent where it repeats none. */
  repeats?: string;
  times: TrialDocument['times'];
  tasks: {
    task: string;
    unit: RateUnit;
    /** Null, as the rejection rate, if the trial has no data of the task. */
    throughput: number | null;
    rejectionRate: number | null;
    /** ms */
    latencyP50: number | null;
    latencyP99: number | null;
    settledAfterSeconds: number | null;
    highestRate: HighestRate | null;
  }[];
  doubts: Doubt[];
  /** Machines that generated the load together; absent where one did. */
  seats?: SeatSummary[];
  /** Null for trials that do not count. */
  limit: Limit | null;
  shards: string;
  /** What was in the indices before the load began; null where nothing was. */
  preload: PreloadSummary | null;
  /** Of a trial on data that was there before; absent for others. */
  existing?: ExistingSummary;
  /** Absent where the definition does not say what they hold. */
  caches?: CachesSummary;
}

/** One task's throughput over one trial. */
export interface ReportSeries {
  trial: string;
  order: number;
  cell: string;
  cellIndex: number;
  task: string;
  unit: RateUnit;
  /** Seconds after the start of the load at which the measured phase began and ended; null if it was not reached. */
  measureFrom: number | null;
  measureTo: number | null;
  /** Seconds after the start of the load, and accepted per second there; long series are means of equal spans. */
  points: { second: number; throughput: number }[];
}
