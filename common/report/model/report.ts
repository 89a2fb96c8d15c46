/** Report of a run as plain data: everything that any output format shows, computed once. Its JSON is the machine-readable report. */
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
import type { AnswerFigureSummary } from '../../measurement/answer-figure';
import type { DrawnRequests } from '../../measurement/distinct';
import type { WriteAccount } from '../../measurement/writes';
import type { Failures } from '../../measurement/failures';
import type { PoolDelta, ServerDelta } from '../../measurement/server';
import type { PreloadSummary, SeatSummary, TrialDocument, TrialState } from '../../measurement/trial';
import type { ReportEffect } from './effect';
import type { ReportFocus } from './focus';
import type { ReportScaling } from './scaling';

/** Version of {@link Report}. Raise it when the type changes. */
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
    /** Duration in ms, without waiting for environments and interruptions; null while it runs. */
    elapsedMs: number | null;
    /** `failed`: trials that did not complete, in a run that reached the end of its plan. */
    trials: { planned: number; completed: number; failed: number };
    /** Set if its samples were removed, so that charts over time are missing. */
    samples?: RemovedSamples;
  };
  experiment: { id: string; name: string; hypothesis: string; preset: string | null };
  definition: Definition;
  verdict: Verdict;
  /** How far the result can be trusted; null until a trial has completed. */
  trust: Trust | null;
  /** Warnings of the verdict, the place and the run, the most serious first. */
  warnings: string[];
  /** Warnings that do not lower the trust. */
  notes: string[];
  /** Values that are shown first, by cell. */
  focus: ReportFocus;
  /** Change that is shown first; null if there are no two cells to compare. */
  effect: ReportEffect | null;
  /** Environments in the order of measurement; a single one without a label if the definition has none. */
  environments: ReportEnvironment[];
  /** Set if the environments took turns, each time on a new cluster that Dyno started. */
  environmentsInTurn?: true;
  /** Absent unless the run compared engines or versions whose settings differ. */
  engineDefaults?: ReportEngineDefaults;
  /** Cells in the order of the plan. */
  cells: ReportCell[];
  /** Index of the baseline in `cells`. */
  baseline: number;
  /** Names of the tasks: that of the first claim, then the others in the definition's order. */
  tasks: string[];
  /** Sources of variation by task. Tasks with fewer than two complete repetitions or fewer than two cells are left out. */
  variance: ReportVariance[];
  /** Growth of the rates with nodes, clients, shards or other counts; absent if no factor is a count. */
  scaling?: ReportScaling[];
  published: ReportPublished | null;
  /** Metrics of the cluster and its machines, also those without a value; empty without a completed trial. */
  cluster: ReportClusterFigure[];
  /** Trials in order of execution, so that a drift is visible. */
  trials: ReportTrial[];
  /** Throughput over time, in order of execution; empty without samples. */
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

export interface ReportEngineDefaults {
  /** Engines with their versions, in the order of measurement. */
  engines: string[];
  /** Values in the order of the engines; null if the engine has no such setting. `about`: '' for options of the JVM. */
  settings: { name: string; values: (string | null)[]; about: string }[];
}

export interface ReportCell {
  index: number;
  id: string;
  label: string;
  levels: Record<string, unknown>;
  baseline: boolean;
  /** Number of completed trials, which the values come from. */
  completed: number;
  planned: number;
  /** Number of completed trials that could not be verified; absent if 0. */
  unverified?: number;
  /** Tasks in the definition's order, without those that have no completed trial. */
  tasks: ReportTask[];
  server: ServerMeans | null;
  /** Null if no collector read its trials. */
  collected: CollectedCoverage | null;
  state: IndexMeans | null;
  /** Resource that was the limit in most of the completed trials; null without completed trials. */
  limit: CellLimit | null;
}

/** One named request of a task in one cell. Times come from the trials' merged histograms; null if a trial did not store one. */
export interface ReportRequest {
  name: string;
  count: number;
  failed: number;
  service: LatencySummary | null;
  latency: LatencySummary | null;
  /** Recall over all trials; absent if no answer was judged. */
  recall?: { k: number; judged: number; mean: number };
  /** Numbers from its answers, over all trials; absent without any. */
  figures?: Record<string, AnswerFigureSummary>;
}

/** Recall in one cell, and the p95 of the latency over trials, which it is compared with. */
export interface ReportRecall extends CellRecall {
  p95: Summary;
  /** Comparison with the baseline cell; null in the baseline. */
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
  /** Counts summed over the trials' measured phases. */
  counts: Counts;
  /** Rates of the summed counts, in [0, 1]; null if nothing was attempted in the measured phase. */
  rejectionRate: number | null;
  errorRate: number | null;
  /** Times of the trials' merged histograms, in ms. */
  service: LatencySummary;
  latency: LatencySummary;
  /** Requests that were never answered or never sent, and the percentiles that are therefore lower bounds; null without any. */
  censored: CensoredTimes | null;
  /** Response times of a closed executor, corrected for coordinated omission. Null for open executors. */
  corrected: CorrectedTimes | null;
  /** 95% intervals of the percentiles. */
  intervals: { service: PercentileIntervals; latency: PercentileIntervals };
  /** Part of the latency that Dyno itself may have added; absent in results of older versions of Dyno. */
  ownMs?: OwnMs;
  /** p99 of the latency over trials, which `latencyComparison` compares. */
  latencyP99: Summary;
  /** Comparisons with the baseline cell; null in the baseline. Each metric is a family of comparisons over all cells. */
  comparison: Comparison | null;
  latencyComparison: Comparison | null;
  /** Open executors, means over trials; null for closed ones. */
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
  /** Breakdown of a transaction's time; null for other tasks, and if no request has a time. */
  transaction: TransactionTimes | null;
  failures: Failures;
  /** Reasons of the rejections after which documents were sent again; absent without any. */
  retries?: Failures;
  /** Replay tasks: outcomes of the log's lines over all trials, warm-up included; null for other tasks. */
  replay: ReplayAccount | null;
  /** Ingest tasks with actions or ids: counts of acknowledged writes over all trials, warm-up included; absent for other tasks. */
  writes?: WriteAccount;
  /** Requests or transactions drawn from a list: means per trial, warm-up included; absent for other tasks and older results. */
  drawn?: DrawnRequests;
  /** Cost of its work; absent without a price. */
  cost?: ReportCost;
  /** Recall; absent if no answer was judged. */
  recall?: ReportRecall;
  /** Result of a search for the highest rate; null for other executors. The other metrics then cover the confirming holds. */
  highestRate: ReportRate | null;
  /** Tasks that parse raw lines: sums over all trials, and the step that was the limit; null for other tasks. */
  parsing: { summary: ParseSummary; limit: ParseLimit; indexing: IndexTime | null } | null;
}

/** Cost of a task's work. */
export interface ReportCost {
  currency: string;
  /** Date of the price: `2026-11-01`. */
  date: string;
  /** Price of the cluster per hour, mean over trials. */
  hourly: number;
  /** Accepted documents (or searches, or transactions) for one unit of the currency, over trials. */
  perMoney: Summary;
  /** Comparison with the baseline cell; null in the baseline, and if the currencies differ. */
  comparison: Comparison | null;
}

/** Highest rate that the searches of a task confirmed in one cell, in requests/s. */
export interface ReportRate {
  /** Confirmed rates, over the trials that confirmed one. */
  sustained: Summary;
  /** Number of completed trials, confirmed or not. */
  trials: number;
  /** Over all trials: the lowest of the held rates, and the highest of the broken rates; null without any. */
  bracket: { held: number | null; broken: number | null };
  /** Comparison with the baseline cell; null in the baseline. */
  comparison: Comparison | null;
}

/** Means per trial, over the trials that have both snapshots; units as in {@link ServerDelta}. */
export interface ServerMeans extends Pick<
  ServerDelta,
  'indexing' | 'search' | 'merges' | 'refresh' | 'flush' | 'indexingPressure' | 'cpuMs' | 'diskBusyMs'
> {
  /** Number of trials that the means come from. */
  trials: number;
  /** Number of trials in which a node or shard was added, removed or restarted, so that its counters are missing. */
  partial: number;
  /** Number of nodes in the last trial. */
  nodes: number;
  gc: { count: number; timeMs: number };
  /** `ratio`: rejected / (rejected + completed) over all trials, in [0, 1]. */
  threadPools: Record<string, PoolDelta & { ratio: number }>;
  /** Null if a trial did not store it. `share`: hits / (hits + misses) over all trials, null without lookups. */
  requestCache: { hits: number; misses: number; share: number | null } | null;
  /** Number of rejections by indexing pressure, all stages. */
  pressureRejections: number;
  /** Shares of the busiest node of each trial, means over trials, in [0, 1]; null if a trial has no value. */
  busiest: {
    /** CPU, as a share of all its cores; of the whole machine if the load generator runs there too. */
    cpuShare: number | null;
    /** Time in GC pauses. */
    gcShare: number | null;
    /** Time in which its busiest disk was busy. */
    diskBusyShare: number | null;
    /** CPU of processes that are neither Elasticsearch nor the load generator. */
    othersCpuShare: number | null;
    /** CPU of the load generator, if it runs on the same machine. */
    generatorCpuShare: number | null;
  };
}

/** How much of a cell's trials the collector's events cover. The metrics are in `Report.cluster`. */
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

/** State of the indices after the trials: means, and all distinct layouts. */
export interface IndexMeans {
  docs: number;
  storeBytes: number;
  /** Mean over trials; null if the indices were empty. */
  bytesPerDocument: number | null;
  segments: number;
  /** Number of backing indices of data streams; null without data streams. */
  backing: number | null;
  /** Distinct values over the trials; empty in results of older versions of Dyno. */
  modes: string[];
  sources: string[];
  /** `max_num_segments` of the force merge; null without a force merge. */
  merged: number | null;
  /** Bytes per document of each field, the largest first; empty if the definition does not ask for them. */
  fields: { field: string; bytesPerDocument: number }[];
  /** Duration of each step of a recipe in ms, by the name of the step, in their order; absent without a recipe. */
  recipe?: Record<string, number>;
  /** Size of the largest primary shard divided by the mean of all; null if not known. */
  shardSkew: { docs: number | null; bytes: number | null };
  /** Distinct layouts over the trials, as in `2-2-1`. */
  primaries: string[];
  shards: string[];
}

export interface ReportPublished {
  seed: string;
  title: string;
  conditions: string[];
  /** Repetition of the published trials, which is why their ratios have no interval: `one trial of each cell`. */
  repeated: string;
  /** Inconsistencies in the published benchmark. */
  notes: string[];
  /** Differences between the preset and the published benchmark. */
  changes: string[];
  /** Published metrics that are compared with the run's own, the main one first; empty if none were published. */
  figures: ReportPublishedFigure[];
}

/** One published column compared with the run's own metric. Only changes are compared, never absolute values of other machines. */
export interface ReportPublishedFigure {
  /** Name of the column. */
  figure: string;
  /** Unit of the column. */
  unit: string;
  /** Name of the metric in claims: `ingest.throughput`. */
  metric: string;
  task: string;
  /** Name of the metric in texts: `ingest throughput`. */
  name: string;
  /** Cells in the order of the report. */
  cells: ReportPublishedCell[];
  /** Number of cells with a published change, by whether its direction agrees with the run's own change. */
  directions: { agrees: number; disagrees: number; cannotTell: number };
  /** Number of cells with a published ratio, by whether it is within the interval of the run's own ratio, or the own is higher or lower. */
  ratios: { agrees: number; higher: number; lower: number; cannotTell: number };
  /** Summary of the counts in words. */
  sentence: string;
}

export interface ReportPublishedCell {
  /** Index of the report's cell. */
  cell: number;
  baseline: boolean;
  /** Published value; null if none was published. */
  published: number | null;
  publishedBaseline: number | null;
  /** Mean over trials, in the metric's unit; null if no trial has a value. */
  own: number | null;
  ownBaseline: number | null;
  /** Comparison with the baseline; null in the baseline, and if no trial has a value. */
  comparison: Comparison | null;
  /** Null in the baseline, and if nothing is published. */
  agreement: Agreement | null;
  /** Agreement in words; '' if `agreement` is null. */
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
  /** Why its index could not be compared with the acknowledged documents; absent if it was compared. */
  unverified?: string;
  /** Why the trial that it repeats does not count; absent if it repeats none. */
  repeats?: string;
  times: TrialDocument['times'];
  tasks: {
    task: string;
    unit: RateUnit;
    /** Null, like the rejection rate, if the trial has no data of the task. */
    throughput: number | null;
    rejectionRate: number | null;
    /** In ms. */
    latencyP50: number | null;
    latencyP99: number | null;
    settledAfterSeconds: number | null;
    highestRate: HighestRate | null;
  }[];
  doubts: TrialWarning[];
  /** Machines that generated the load together; absent for a single machine. */
  seats?: SeatSummary[];
  /** Null for trials that do not count. */
  limit: Limit | null;
  shards: string;
  /** Documents in the indices before the load began; null if the indices were empty. */
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
  /** Start and end of the measured phase in seconds after the start of the load; null if it was not reached. */
  measureFrom: number | null;
  measureTo: number | null;
  /** Throughput by second after the start of the load. Long series consist of means over equal spans. */
  points: { second: number; throughput: number }[];
}
