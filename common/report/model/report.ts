/**
 * The report of a run as plain data. It contains everything that any output format shows, and is calculated only once. Its JSON is the
 * machine-readable report.
 */
import type { Agreement } from '../../analysis/agreement';
import type { VarianceParts } from '../../analysis/blocked';
import type { Comparison } from '../../analysis/comparison';
import type { CellLimit, Limit } from '../../analysis/limiting-factor';
import type { OwnMs } from '../../analysis/instrument';
import type { IndexTime, ParseLimit } from '../../analysis/parse-limit';
import type { CellRecall } from '../../analysis/recall';
import type { Summary } from '../../analysis/summary';
import type { Trust } from '../../analysis/trust';
import type { TrialWarning } from '../../analysis/validity';
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
import type { AnswerAccount } from '../../measurement/same-answers';
import type { AnswerFigureSummary } from '../../measurement/answer-figure';
import type { DrawnRequests } from '../../measurement/distinct';
import type { WriteAccount } from '../../measurement/writes';
import type { Failures } from '../../measurement/failures';
import type { PoolDelta, ServerDelta } from '../../measurement/server';
import type { PreloadSummary, SeatSummary, TrialDocument, TrialState } from '../../measurement/trial';
import type { ReportEffect } from './effect';
import type { ReportFocus } from './focus';
import type { ReportScaling } from './scaling';

/** Version of {@link Report}. Increase it when the type changes. */
export const REPORT_VERSION = 8;

export interface Report {
  report: typeof REPORT_VERSION;
  run: {
    id: string;
    state: RunState;
    reason: string;
    /** Start of the run, ISO 8601 in UTC. */
    started: string;
    ended: string | null;
    /** Duration in ms. The time in which the run waited for environments or was interrupted does not count. Null while it is running. */
    elapsedMs: number | null;
    /** `failed`: number of trials that did not complete. Only if the run reached the end of its plan. */
    trials: { planned: number; completed: number; failed: number };
    /** Set if the samples of the run were removed. Charts over time are then missing. */
    samples?: RemovedSamples;
  };
  experiment: { id: string; name: string; hypothesis: string; preset: string | null };
  definition: Definition;
  verdict: Verdict;
  /** Trust in the result. Null until a trial has completed. */
  trust: Trust | null;
  /** Warnings of the verdict, the place and the run. The most serious one comes first. */
  warnings: string[];
  /** Warnings that do not lower the trust. */
  notes: string[];
  /** Values that are shown first, for each cell. */
  focus: ReportFocus;
  /** Change that is shown first. Null if there are no two cells to compare. */
  effect: ReportEffect | null;
  /** Environments in the order of measurement. If the definition has no environments: one environment without a label. */
  environments: ReportEnvironment[];
  /** Set if the environments took turns. Each turn uses a new cluster that Dyno starts. */
  environmentsInTurn?: true;
  /** Present only if the run compared engines or versions whose settings differ. */
  engineDefaults?: ReportEngineDefaults;
  /** Cells in the order of the plan. */
  cells: ReportCell[];
  /** Index of the baseline in `cells`. */
  baseline: number;
  /** Names of the tasks: first the task of the first claim, then the others in the order of the definition. */
  tasks: string[];
  /** Sources of variation for each task. Tasks with fewer than two complete repetitions or fewer than two cells are left out. */
  variance: ReportVariance[];
  /** Growth of rates with the number of nodes, clients, shards or the like. Absent if no factor is a count. */
  scaling?: ReportScaling[];
  published: ReportPublished | null;
  /** Metrics of the cluster and its machines, including those without a value. Empty if no trial has completed. */
  cluster: ReportClusterFigure[];
  /** Trials in the order of execution, so that a drift is visible. */
  trials: ReportTrial[];
  /** Throughput over time, in the order of execution. Empty without samples. */
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
  /** Label, such as `disk: premium`; '' without labels. */
  label: string;
  trials: { planned: number; completed: number };
}

export interface ReportEngineDefaults {
  /** Engines with their versions, in the order of measurement. */
  engines: string[];
  /**
   * Effective settings. `values`: in the order of the engines; null if the engine does not have the setting. `about`: explanation; '' for
   * options of the JVM.
   */
  settings: { name: string; values: (string | null)[]; about: string }[];
}

export interface ReportCell {
  index: number;
  id: string;
  label: string;
  levels: Record<string, unknown>;
  baseline: boolean;
  /** Number of completed trials, from which all values are calculated. */
  completed: number;
  planned: number;
  /** Number of completed trials that could not be verified. Absent if 0. */
  unverified?: number;
  /** Tasks with completed trials, in the order of the definition. */
  tasks: ReportTask[];
  server: ServerMeans | null;
  /** Coverage by the collector. Null if no collector read the trials. */
  collected: CollectedCoverage | null;
  state: IndexMeans | null;
  /** Resource that was the limit in most of the completed trials. Null without completed trials. */
  limit: CellLimit | null;
}

/**
 * One named request of a task in one cell. Its times are those of the merged histograms of the trials; they are null if a trial did not
 * store its histogram.
 */
export interface ReportRequest {
  name: string;
  count: number;
  failed: number;
  service: LatencySummary | null;
  latency: LatencySummary | null;
  /** Recall over all trials. Absent if no answers were judged. */
  recall?: { k: number; judged: number; mean: number };
  /** Numbers from the answers, over all trials. Absent if there are no such numbers. */
  figures?: Record<string, AnswerFigureSummary>;
}

/** Recall in one cell, and the p95 of the latency over trials, with which recall is compared. */
export interface ReportRecall extends CellRecall {
  p95: Summary;
  /** Comparison with the baseline cell. Null in the baseline. */
  comparison: Comparison | null;
}

/** A task in one cell, over the cell's completed trials. */
export interface ReportTask {
  task: string;
  kind: string;
  unit: RateUnit;
  /** Accepted documents (or searches, or transactions) per second, over trials. */
  throughput: Summary;
  /** Means over trials. */
  attemptedPerSecond: number;
  bytesPerSecond: number;
  /** Counts, summed over the measured phases of the trials. */
  counts: Counts;
  /** Rates, calculated from the summed counts, in [0, 1]. Null if nothing was attempted in the measured phases. */
  rejectionRate: number | null;
  errorRate: number | null;
  /** Times of the merged histograms of the trials, in ms. */
  service: LatencySummary;
  latency: LatencySummary;
  /**
   * Requests that were never answered or never sent, and the percentiles that are only lower bounds because of them. Null if there are no
   * such requests.
   */
  censored: CensoredTimes | null;
  /** Response times of a closed executor, corrected for coordinated omission. Null for open executors. */
  corrected: CorrectedTimes | null;
  /** 95% intervals of the percentiles. */
  intervals: { service: PercentileIntervals; latency: PercentileIntervals };
  /** Part of the latency that Dyno itself may have added. Absent in results of older versions of Dyno. */
  ownMs?: OwnMs;
  /** p99 of the latency over trials, with which `latencyComparison` is made. */
  latencyP99: Summary;
  /** Comparisons with the baseline cell. Null in the baseline. For each metric, the comparisons of all cells form one family. */
  comparison: Comparison | null;
  latencyComparison: Comparison | null;
  /** For open executors: means over trials. Null for closed executors. */
  offered: {
    /** Requests per second. */
    offeredPerSecond: number;
    sentPerSecond: number;
    /** Number of requests that were due and never sent, over all trials. */
    unsent: number;
    /** Share of all due requests that were never sent, in [0, 1]. */
    unsentShare: number;
    /** Number of trials that missed the offered rate by more than 1%. */
    saturatedTrials: number;
  } | null;
  /** Named requests of a search, or parts of a transaction, in their order. */
  requests: ReportRequest[];
  /** The parts of a transaction's time. Null for other tasks, and if no request has a time. */
  transaction: TransactionTimes | null;
  failures: Failures;
  /** Reasons of the rejections after which documents were sent again. Absent without such rejections. */
  retries?: Failures;
  /** For replay tasks: outcomes of the log's lines over all trials, including the warm-up. Null for other tasks. */
  replay: ReplayAccount | null;
  /** For replays of recorded traffic: how the answers compare with the recorded ones, over all trials. Absent for other tasks. */
  answers?: AnswerAccount;
  /** For ingest tasks with actions or ids: counts of acknowledged writes over all trials, including the warm-up. Absent for other tasks. */
  writes?: WriteAccount;
  /**
   * For requests or transactions with random values: means per trial, including the warm-up. Absent for other tasks and in older results.
   */
  drawn?: DrawnRequests;
  /** Cost of the task's work. Absent without a price. */
  cost?: ReportCost;
  /** Recall. Absent if no answers were judged. */
  recall?: ReportRecall;
  /** Result of a search for the highest rate. The other metrics then cover only the confirming holds. Null for other executors. */
  highestRate: ReportRate | null;
  /** For tasks that parse raw lines: sums over all trials, and whether parsing or indexing was the limit. Null for other tasks. */
  parsing: { summary: ParseSummary; limit: ParseLimit; indexing: IndexTime | null } | null;
}

/** Cost of a task's work. */
export interface ReportCost {
  currency: string;
  /** Date of the price, such as `2026-11-01`. */
  date: string;
  /** Price of the cluster per hour: the mean over trials. */
  hourly: number;
  /** Accepted documents (or searches, or transactions) for one unit of the currency, over trials. */
  perMoney: Summary;
  /** Comparison with the baseline cell. Null in the baseline, and if the currencies differ. */
  comparison: Comparison | null;
}

/** Highest rate that the searches of a task confirmed in one cell, in requests/s. */
export interface ReportRate {
  /** Confirmed rates of those trials that confirmed one. */
  sustained: Summary;
  /** Number of completed trials, whether they confirmed a rate or not. */
  trials: number;
  /** Over all trials: the lowest of the held rates, and the highest of the rates that were not held. Null without such rates. */
  bracket: { held: number | null; broken: number | null };
  /** Comparison with the baseline cell. Null in the baseline. */
  comparison: Comparison | null;
}

/** Means per trial, over the trials that have both snapshots. The units are those of {@link ServerDelta}. */
export interface ServerMeans extends Pick<
  ServerDelta,
  'indexing' | 'search' | 'merges' | 'refresh' | 'flush' | 'indexingPressure' | 'cpuMs' | 'diskBusyMs'
> {
  /** Number of trials over which the means are calculated. */
  trials: number;
  /** Number of trials in which a node or shard was added, removed or restarted. Its counters are missing in these trials. */
  partial: number;
  /** Number of nodes in the last trial. */
  nodes: number;
  gc: { count: number; timeMs: number };
  /** `ratio`: rejected / (rejected + completed) over all trials, in [0, 1]. */
  threadPools: Record<string, PoolDelta & { ratio: number }>;
  /** Request cache. Null if a trial did not store it. `share`: hits / (hits + misses) over all trials; null without lookups. */
  requestCache: { hits: number; misses: number; share: number | null } | null;
  /** Number of rejections by indexing pressure in all stages. */
  pressureRejections: number;
  /** Shares of the busiest node in each trial, as means over trials, in [0, 1]. Null if a trial has no value. */
  busiest: {
    /** CPU use as a share of all cores of the node. If the load generator runs on the same machine: of the whole machine. */
    cpuShare: number | null;
    /** Share of the time in GC pauses. */
    gcShare: number | null;
    /** Share of the time in which the node's busiest disk was busy. */
    diskBusyShare: number | null;
    /** CPU use of processes that are neither Elasticsearch nor the load generator. */
    othersCpuShare: number | null;
    /** CPU use of the load generator, if it runs on the same machine. */
    generatorCpuShare: number | null;
  };
}

/** Coverage of a cell's trials by events of the collector. The metrics themselves are in `Report.cluster`. */
export interface CollectedCoverage {
  /** Number of trials that a collector read. */
  trials: number;
  /** Smallest share of a measured phase that is covered by the events of a node or its machine. */
  covered: number;
  /** Whether the CPU use of the machine is known for every node in every completed trial. */
  everyMachine: boolean;
  /** Whether the CPU use of at least one machine is known in every trial that a collector read. */
  someMachine: boolean;
}

/** State of the indices after the trials: means, and all distinct layouts. */
export interface IndexMeans {
  docs: number;
  storeBytes: number;
  /** Mean over trials. Null if the indices were empty. */
  bytesPerDocument: number | null;
  segments: number;
  /** Number of backing indices of data streams. Null without data streams. */
  backing: number | null;
  /** Distinct values over the trials. Empty in results of older versions of Dyno. */
  modes: string[];
  sources: string[];
  /** `max_num_segments` of the force merge. Null without a force merge. */
  merged: number | null;
  /** Bytes per document of each field, the largest first. Empty if the definition does not request them. */
  fields: { field: string; bytesPerDocument: number }[];
  /** Duration of each step of a recipe in ms, by the name of the step, in the order of the steps. Absent without a recipe. */
  recipe?: Record<string, number>;
  /** Size of the largest primary shard, divided by the mean size. Null if unknown. */
  shardSkew: { docs: number | null; bytes: number | null };
  /** Distinct layouts over the trials, such as `2-2-1`. */
  primaries: string[];
  shards: string[];
}

export interface ReportPublished {
  seed: string;
  title: string;
  conditions: string[];
  /** Repetition of the published trials, such as `one trial of each cell`. It is the reason why published ratios have no interval. */
  repeated: string;
  /** Inconsistencies within the published benchmark. */
  notes: string[];
  /** Differences between the preset and the published benchmark. */
  changes: string[];
  /** Published metrics that are compared with the run's own metrics. The main one comes first. Empty if none were published. */
  figures: ReportPublishedFigure[];
}

/** One published column, compared with the run's own metric. Only changes are compared, never absolute values from other machines. */
export interface ReportPublishedFigure {
  /** Name of the column. */
  figure: string;
  /** Unit of the column. */
  unit: string;
  /** Name of the metric in claims, such as `ingest.throughput`. */
  metric: string;
  task: string;
  /** Name of the metric in texts, such as `ingest throughput`. */
  name: string;
  /** Cells in the order of the report. */
  cells: ReportPublishedCell[];
  /** Numbers of cells with a published change, by whether its direction agrees with that of the run's own change. */
  directions: { agrees: number; disagrees: number; cannotTell: number };
  /**
   * Numbers of cells with a published ratio, by whether it agrees with the run's own ratio, or whether the run's own ratio is higher or
   * lower.
   */
  ratios: { agrees: number; higher: number; lower: number; cannotTell: number };
  /** Summary of the counts in words. */
  sentence: string;
}

export interface ReportPublishedCell {
  /** Index of the report's cell. */
  cell: number;
  baseline: boolean;
  /** Published value. Null if none was published. */
  published: number | null;
  publishedBaseline: number | null;
  /** Mean over trials in the metric's unit. Null if no trial has a value. */
  own: number | null;
  ownBaseline: number | null;
  /** Comparison with the baseline. Null in the baseline, and if no trial has a value. */
  comparison: Comparison | null;
  /** Agreement with the published change. Null in the baseline, and if nothing was published. */
  agreement: Agreement | null;
  /** Agreement as a sentence; '' if `agreement` is null. */
  sentence: string;
}

export interface ReportTrial {
  id: string;
  /** Position in the order of execution, from 0. */
  order: number;
  repetition: number;
  cell: string;
  cellIndex: number;
  state: TrialState;
  reason: string;
  /** Reason why its index could not be compared with the acknowledged documents. Absent if it was compared. */
  unverified?: string;
  /** Reason why the trial that this one repeats does not count. Absent if it is not a repetition. */
  repeats?: string;
  times: TrialDocument['times'];
  tasks: {
    task: string;
    unit: RateUnit;
    /** Throughput. Null, like the rejection rate, if the trial has no data of the task. */
    throughput: number | null;
    rejectionRate: number | null;
    /** Percentiles in ms. */
    latencyP50: number | null;
    latencyP99: number | null;
    settledAfterSeconds: number | null;
    highestRate: HighestRate | null;
  }[];
  doubts: TrialWarning[];
  /** Machines that generated the load together. Absent for a single machine. */
  seats?: SeatSummary[];
  /** The limiting resource. Null for trials that do not count. */
  limit: Limit | null;
  shards: string;
  /** Documents in the indices before the load began. Null if the indices were empty. */
  preload: PreloadSummary | null;
  /** Set for trials on existing data. */
  existing?: ExistingSummary;
  /** Set if the definition has `measure.caches`. */
  caches?: CachesSummary;
}

/** Throughput of one task over one trial. */
export interface ReportSeries {
  trial: string;
  order: number;
  cell: string;
  cellIndex: number;
  task: string;
  unit: RateUnit;
  /** Start and end of the measured phase, in seconds after the start of the load. Null if the phase was not reached. */
  measureFrom: number | null;
  measureTo: number | null;
  /** Throughput by second after the start of the load. In long series, each point is a mean over several seconds. */
  points: { second: number; throughput: number }[];
}
