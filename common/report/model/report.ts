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
import type { Profile } from './profile';
import type { Counts } from '../../measurement/counts';
import type { LatencySummary, PercentileIntervals } from '../../measurement/histogram';
import type { Provenance, RemovedSamples, RunEvent, RunState, Verdict } from '../../experiment/run';
import type { ParseSummary } from '../../measurement/parse';
import type { SearchShares } from '../../profile/search-profile';
import type { ReplayAccount } from '../../measurement/replay';
import type { AnswerAccount } from '../../measurement/same-answers';
import type { TrafficAccount } from '../../measurement/traffic';
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
    /** Numbers of trials. `failed`: trials that did not complete; only set if the run reached the end of its plan. */
    trials: { planned: number; completed: number; failed: number };
    /** Set if the samples of the run were removed. Charts over time are then missing. */
    samples?: RemovedSamples;
  };
  experiment: { id: string; name: string; hypothesis: string; preset: string | null };
  definition: Definition;
  verdict: Verdict;
  /** How reliable the result is, with reasons. Null until a trial has completed. */
  trust: Trust | null;
  /** Warnings about the verdict, about the clusters and machines, and about the run. The most serious warning comes first. */
  warnings: string[];
  /** Warnings that do not lower the trust. */
  notes: string[];
  /** Values of the metric that is shown first, for each combination of factor levels. */
  focus: ReportFocus;
  /** The change that is shown first. Null if the run has no two combinations of factor levels to compare. */
  effect: ReportEffect | null;
  /** Environments in the order of measurement. If the definition has no environments: one environment without a label. */
  environments: ReportEnvironment[];
  /** Set if the trials alternated between environments. In this case, Dyno starts a new cluster for each trial. */
  environmentsInTurn?: true;
  /** Present only if the run compared engines or versions whose settings differ. */
  engineDefaults?: ReportEngineDefaults;
  /** Cells (combinations of factor levels) in the order of the plan. */
  cells: ReportCell[];
  /** Index in `cells` of the baseline, the combination of factor levels with which the others are compared. */
  baseline: number;
  /** Names of the tasks: first the task of the first claim, then the others in the order of the definition. */
  tasks: string[];
  /**
   * Sources of variation of each task's metrics. A task is left out unless at least two combinations of factor levels have two trials or
   * more.
   */
  variance: ReportVariance[];
  /** How rates grow with the number of nodes, clients, shards or the like. Absent if no factor has whole numbers as levels. */
  scaling?: ReportScaling[];
  published: ReportPublished | null;
  /** Metrics of the cluster and its machines. Metrics without a value are listed too. Empty if no trial has completed. */
  cluster: ReportClusterFigure[];
  /** Trials in the order of execution. In this order, a drift becomes visible. */
  trials: ReportTrial[];
  /** Throughput of each trial over time, in the order of execution. Empty if the report was built without samples. */
  series: ReportSeries[];
  /** Call tree of the nodes' CPU time. Present only in files and on the command line, and only if the run has profiles. */
  profile?: Profile;
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
   * Effective settings that differ. `values`: one value per engine, in the order of `engines`; null if the engine does not have the
   * setting. `about`: explanation; '' for options of the JVM.
   */
  settings: { name: string; values: (string | null)[]; about: string }[];
}

export interface ReportCell {
  index: number;
  id: string;
  label: string;
  levels: Record<string, unknown>;
  baseline: boolean;
  /** Number of completed trials with these factor levels. All values of the cell are calculated from these trials. */
  completed: number;
  planned: number;
  /** Number of completed trials in which the number of stored documents could not be compared with the acknowledged ones. Absent if 0. */
  unverified?: number;
  /** Tasks with completed trials, in the order of the definition. */
  tasks: ReportTask[];
  server: ServerMeans | null;
  /** Share of the trials' measured phases for which dynobeat sent metrics of the nodes. Null if it sent none. */
  collected: CollectedCoverage | null;
  state: IndexMeans | null;
  /** Resource that was the bottleneck in most of the completed trials. Null without completed trials. */
  limit: CellLimit | null;
}

/**
 * One named request of a task, for one combination of factor levels. The times are read from the merged histogram of all trials. They are
 * null if a trial did not store its histogram.
 */
export interface ReportRequest {
  name: string;
  count: number;
  failed: number;
  service: LatencySummary | null;
  latency: LatencySummary | null;
  /** Recall over all trials. `judged`: number of responses for which recall was measured. Absent if it was not measured. */
  recall?: { k: number; judged: number; mean: number };
  /** Numbers that `figures` in the definition reads from responses, over all trials. Absent if there are no such numbers. */
  figures?: Record<string, AnswerFigureSummary>;
  /** Where the time of profiled searches went. Absent if none was profiled. */
  profile?: SearchShares;
}

/** Recall of a task for one combination of factor levels, with the p95 of the latency. Higher recall usually costs latency. */
export interface ReportRecall extends CellRecall {
  p95: Summary;
  /** Comparison with the baseline. Null for the baseline itself. */
  comparison: Comparison | null;
}

/** Results of a task for one cell (combination of factor levels), over the cell's completed trials. */
export interface ReportTask {
  task: string;
  kind: string;
  unit: RateUnit;
  /** Accepted documents (or searches, or transactions) per second, summarised over trials. */
  throughput: Summary;
  /** Attempted documents and sent bytes per second, as means over trials. */
  attemptedPerSecond: number;
  bytesPerSecond: number;
  /** Counts, summed over the measured phases of the trials. */
  counts: Counts;
  /** Rejection rate and error rate in [0, 1], calculated from the summed counts. Null if nothing was attempted in the measured phases. */
  rejectionRate: number | null;
  errorRate: number | null;
  /** Service times and latencies in ms, read from the merged histograms of all trials. */
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
  /** p99 of the latency, summarised over trials. `latencyComparison` compares this value. */
  latencyP99: Summary;
  /**
   * Comparisons of the throughput and of the p99 latency with the baseline. Null for the baseline itself. For each metric, the confidence
   * level applies to all comparisons with the baseline together.
   */
  comparison: Comparison | null;
  latencyComparison: Comparison | null;
  /**
   * Rates of an open executor, as means over trials. `offeredPerSecond`: requests that were due. `sentPerSecond`: requests that were sent.
   * Null for closed executors.
   */
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
  /** Results by named request of a search, or by request of a transaction, in the order of the definition. */
  requests: ReportRequest[];
  /**
   * Shares of a transaction's time: each of its requests, and the pauses between them. Null for other tasks, and if no request has a time.
   */
  transaction: TransactionTimes | null;
  failures: Failures;
  /** Reasons of the rejections after which documents were sent again. Absent without such rejections. */
  retries?: Failures;
  /** For replays of a log: how many lines were sent, left out or invalid, over all trials, including the warm-up. Null for other tasks. */
  replay: ReplayAccount | null;
  /**
   * For replays of recorded traffic: counts of responses that are equal to the recorded ones, and of those that differ, over all trials.
   * Absent for other tasks.
   */
  answers?: AnswerAccount;
  /** For replays of recorded traffic: how many recorded requests were sent or left out, over all trials. Absent for other tasks. */
  traffic?: TrafficAccount;
  /** For ingest tasks with actions or ids: counts of acknowledged writes over all trials, including the warm-up. Absent for other tasks. */
  writes?: WriteAccount;
  /**
   * For requests or transactions with random values: number of requests and of distinct requests per trial, including the warm-up. Absent
   * for other tasks and in older results.
   */
  drawn?: DrawnRequests;
  /** Cost of the task's work. Absent if the definition contains no price. */
  cost?: ReportCost;
  /** Recall of the responses to the task's requests. Absent if it was not measured. */
  recall?: ReportRecall;
  /**
   * Result of a search for the highest rate. If it is present, the other metrics cover only the long steps that confirm the found rate.
   * Null for tasks that do not search for a rate.
   */
  highestRate: ReportRate | null;
  /**
   * For tasks that parse raw lines: results of parsing, summed over all trials, and whether parsing or indexing was the bottleneck. Null
   * for other tasks.
   */
  parsing: { summary: ParseSummary; limit: ParseLimit; indexing: IndexTime | null } | null;
}

/** Cost of a task's work. */
export interface ReportCost {
  currency: string;
  /** Date of the price, such as `2026-11-01`. */
  date: string;
  /** Price of the cluster per hour: the mean over trials. */
  hourly: number;
  /** Accepted documents (or searches, or transactions) per unit of `currency`, summarised over trials. */
  perMoney: Summary;
  /** Comparison with the baseline. Null for the baseline itself, and if the currencies differ. */
  comparison: Comparison | null;
}

/** Highest rate that the searches of a task confirmed, for one combination of factor levels, in requests/s. */
export interface ReportRate {
  /** Summary of the confirmed rates. Trials whose search confirmed no rate do not count. */
  sustained: Summary;
  /** Number of completed trials, whether they confirmed a rate or not. */
  trials: number;
  /**
   * Range of the highest sustainable rate, in requests/s. In each trial, the search found the highest rate at which all limits were kept,
   * and the lowest rate at which they were not. `held`: minimum of the former over the trials. `broken`: maximum of the latter. Each is
   * null if no trial found such a rate.
   */
  bracket: { held: number | null; broken: number | null };
  /** Comparison with the baseline. Null for the baseline itself. */
  comparison: Comparison | null;
}

/**
 * Work of the nodes: means per trial, over the trials whose statistics were read both before and after the measured phase. The units are
 * those of {@link ServerDelta}.
 */
export interface ServerMeans extends Pick<
  ServerDelta,
  'indexing' | 'search' | 'merges' | 'refresh' | 'flush' | 'indexingPressure' | 'cpuMs' | 'diskBusyMs'
> {
  /** Number of trials over which the means are calculated. */
  trials: number;
  /**
   * Number of trials in which a node or a shard copy was added, removed or restarted. In these trials, the counters of this node or shard
   * copy are missing.
   */
  partial: number;
  /** Number of nodes in the last trial. */
  nodes: number;
  gc: { count: number; timeMs: number };
  /** Work of each thread pool. `ratio`: rejected / (rejected + completed) over all trials, in [0, 1]. */
  threadPools: Record<string, PoolDelta & { ratio: number }>;
  /**
   * Hits and misses of the request cache. Null if a trial did not store them. `share`: hits / (hits + misses) over all trials; null if
   * there were neither.
   */
  requestCache: { hits: number; misses: number; share: number | null } | null;
  /** Number of rejections by indexing pressure in all stages. */
  pressureRejections: number;
  /**
   * Values of the busiest node of each trial, as means over trials. All are shares in [0, 1]. A value is null if it is missing in a trial.
   */
  busiest: {
    /**
     * CPU use as a share of all cores of the node. If the load generator runs on the same machine, this is the CPU use of the whole
     * machine.
     */
    cpuShare: number | null;
    /** Share of the time in GC pauses. */
    gcShare: number | null;
    /** Share of the time in which the node's busiest disk was busy. */
    diskBusyShare: number | null;
    /** Share of CPU time that processes other than Elasticsearch and the load generator used. */
    othersCpuShare: number | null;
    /** Share of CPU time that the load generator used, if it runs on the same machine. */
    generatorCpuShare: number | null;
  };
}

/**
 * Describes how completely dynobeat's metrics of the nodes cover the trials of a cell (combination of factor levels). `Report.cluster`
 * contains the metrics themselves.
 */
export interface CollectedCoverage {
  /** Number of trials for which dynobeat sent metrics. */
  trials: number;
  /** Share of the measured phase for which there are metrics, in [0, 1]. It is the smallest share of all trials, nodes and machines. */
  covered: number;
  /** Whether the CPU use of the machine is known for every node in every completed trial. */
  everyMachine: boolean;
  /** Whether the CPU use of at least one machine is known in each completed trial for which dynobeat sent metrics. */
  someMachine: boolean;
}

/**
 * State of the indices after the trials of a cell (combination of factor levels). Numbers are means over the trials. Lists contain the
 * distinct values of the trials.
 */
export interface IndexMeans {
  docs: number;
  storeBytes: number;
  /** Bytes of the primary shards per document, as a mean over trials. Null if the indices were empty. */
  bytesPerDocument: number | null;
  segments: number;
  /** Number of backing indices of data streams. Null if the indices do not belong to data streams. */
  backing: number | null;
  /** Distinct index modes of the trials' indices. Empty in results of older versions of Dyno. */
  modes: string[];
  sources: string[];
  /** `max_num_segments` of the force merge. Null without a force merge. */
  merged: number | null;
  /** Bytes per document of each field, the largest first. Empty if the definition does not request them. */
  fields: { field: string; bytesPerDocument: number }[];
  /**
   * Duration in ms of each step that `measure.recipe` executes after the load, such as a force merge. The keys are the names of the steps,
   * in the order of execution. Absent if there are no such steps.
   */
  recipe?: Record<string, number>;
  /** Size of the largest primary shard, divided by the mean size of a primary shard: in documents and in bytes. Null if unknown. */
  shardSkew: { docs: number | null; bytes: number | null };
  /** Distinct distributions of the primary shards over the nodes, such as `2-2-1`. */
  primaries: string[];
  shards: string[];
}

export interface ReportPublished {
  seed: string;
  title: string;
  conditions: string[];
  /**
   * Number of times that the published trials were repeated, in words, such as `one trial of each cell`. They were usually not repeated, so
   * published ratios have no interval.
   */
  repeated: string;
  /** Contradictions within the published benchmark. */
  notes: string[];
  /** Differences between the preset and the published benchmark. */
  changes: string[];
  /** Published metrics that are compared with those of the run. The main metric comes first. Empty if no metrics were published. */
  figures: ReportPublishedFigure[];
}

/**
 * One published metric, compared with a metric of the run. Only changes from the baseline are compared, because absolute values depend on
 * the machines.
 */
export interface ReportPublishedFigure {
  /** Name of the published metric. */
  figure: string;
  /** Unit of the published values. */
  unit: string;
  /** Name of the metric in claims, such as `ingest.throughput`. */
  metric: string;
  task: string;
  /** Name of the metric in texts, such as `ingest throughput`. */
  name: string;
  /** Values by cell (combination of factor levels), in the order of the report's cells. */
  cells: ReportPublishedCell[];
  /**
   * Numbers of cells (combinations of factor levels). `agrees`: the published change has the same direction as the change in the run.
   * `disagrees`: it has the other direction. `cannotTell`: chance may explain the difference, or a value is missing.
   */
  directions: { agrees: number; disagrees: number; cannotTell: number };
  /**
   * Numbers of cells (combinations of factor levels), by the ratio to the baseline. `agrees`: the interval of the run's ratio contains the
   * published ratio. `higher`, `lower`: the run's ratio is higher or lower. `cannotTell`: the interval contains the published ratio, but
   * the run's difference is undecided; or a value is missing.
   */
  ratios: { agrees: number; higher: number; lower: number; cannotTell: number };
  /** Summary of `directions` and `ratios` as a sentence. */
  sentence: string;
}

export interface ReportPublishedCell {
  /** Index of the combination of factor levels among the report's cells. */
  cell: number;
  baseline: boolean;
  /** Published value. Null if none was published. */
  published: number | null;
  publishedBaseline: number | null;
  /** Mean over the run's trials, in the metric's unit. Null if no trial has a value. */
  own: number | null;
  ownBaseline: number | null;
  /** Comparison with the baseline in the run. Null for the baseline itself, and if no trial has a value. */
  comparison: Comparison | null;
  /** Agreement of the change in the run with the published change. Null for the baseline, and if nothing was published. */
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
  /** Reason why the number of documents could not be compared with the acknowledged documents. Absent if the numbers were compared. */
  unverified?: string;
  /** Reason why an earlier trial, which this trial repeats, does not count. Absent if this trial does not repeat another one. */
  repeats?: string;
  times: TrialDocument['times'];
  tasks: {
    task: string;
    unit: RateUnit;
    /** Throughput of the task. `throughput` and `rejectionRate` are null if the trial has no data of the task. */
    throughput: number | null;
    rejectionRate: number | null;
    /** p50 of the latency in ms, followed by other percentiles. A percentile is null if there were too few requests. */
    latencyP50: number | null;
    latencyP99: number | null;
    settledAfterSeconds: number | null;
    highestRate: HighestRate | null;
  }[];
  doubts: TrialWarning[];
  /** Results of each machine, if several machines generated the load together. Absent if one machine generated all of it. */
  seats?: SeatSummary[];
  /** Resource that was the bottleneck of the trial. Null for trials that did not complete or were repeated. */
  limit: Limit | null;
  shards: string;
  /** Documents in the indices before the load began. Null if the indices were empty. */
  preload: PreloadSummary | null;
  /** State of the existing data. Absent for trials on indices that Dyno created. */
  existing?: ExistingSummary;
  /** State of the caches at the beginning of the load. Absent unless the definition has `measure.caches`. */
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
