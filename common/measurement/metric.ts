/** Parses the names of metrics that conditions, claims and reports use, and reads their values in a trial. */
import {
  CLUSTER,
  clusterMetricName,
  parseClusterMetric,
  readClusterMetric,
  type ClusterMetric,
} from './cluster-metrics';
import { errorRate, rejectionRate } from './counts';
import { PERCENTILES, type LatencySummary } from './histogram';
import { sustainableRate } from './highest-rate';
import type { MetricSource, NodeUnit } from './node-metric';
import { NODE_METRICS } from './node-metrics';
import { OUTCOMES } from './outcomes';
import { unparsedLines } from './parse';
import { alikeShare } from './same-answers';
import { bytesPerDocument, shardSkew, whyNoShardSkew, type IndexState } from './server';
import type { RequestSummary, TaskSummary, TrialDocument } from './trial';

/**
 * Unit of a metric. `per-second` and `per-money` have the numerator of the task's throughput: documents, searches or transactions. `times`
 * is a ratio of two values, such as 1.5.
 */
export type MetricUnit = 'per-second' | 'requests-per-second' | 'per-money' | 'times' | NodeUnit;

/**
 * A parsed metric. It belongs to one of these:
 * - a task: `ingest.latency.p99`
 * - one of its requests: `queries.count-by-rating.service_time.p99`
 * - the indices after the trial: `index.bytes_per_document`
 * - the cluster's nodes and machines: `cluster.merges.count`
 */
export interface Metric {
  /** Name of the task. For metrics of the indices {@link INDEX}, for metrics of the nodes {@link CLUSTER}. */
  task: string;
  /** True for metrics of the indices. `task` alone is not enough to recognise them, because a task may be called `index` too. */
  ofIndex?: true;
  /** The node metric; present for metrics of the nodes and their machines. */
  ofCluster?: ClusterMetric;
  /** Name of the field: `message` in `index.field.message.bytes_per_document`. */
  field?: string;
  /** Step after ingestion, such as a force merge, whose duration is measured: `merge` in `index.recipe.merge.time`. */
  step?: string;
  /** Name of the request as {@link requestKey} writes it; undefined for the task as a whole. */
  request?: string;
  /** Last part of the metric's name, without task and request: `throughput`, `rejection_rate`, `latency.p99.9`, ... */
  figure: string;
  unit: MetricUnit;
  better: 'higher' | 'lower';
}

interface Figure<From> {
  unit: MetricUnit;
  better: 'higher' | 'lower';
  /** Reads the value of the metric from a summary. `hourly`: price of the cluster per hour; null if unknown. */
  read: (summary: From, hourly: number | null) => number | null;
}

const latencyFigures = <From>(
  prefix: string,
  pick: (summary: From) => LatencySummary,
): [string, Figure<From>][] => {
  const figure = (key: keyof LatencySummary): Figure<From> => ({
    unit: 'ms',
    better: 'lower',
    read: (summary) => pick(summary)[key],
  });
  return [
    ...(['mean', 'min', 'max'] as const).map((key): [string, Figure<From>] => [
      `${prefix}.${key}`,
      figure(key),
    ]),
    ...PERCENTILES.map(({ key, percentile }): [string, Figure<From>] => [
      `${prefix}.p${percentile}`,
      figure(key),
    ]),
  ];
};

const countFigure = <From>(
  read: (summary: From) => number | null,
  better: 'higher' | 'lower' = 'lower',
): Figure<From> => ({
  unit: 'count',
  better,
  read,
});

/**
 * Parts of a task's summary that limits of the search for the highest rate may use. All others depend on the rate or the duration of a
 * step, so they cannot show whether the target keeps up.
 */
export type LimitFigures = Pick<TaskSummary, 'counts' | 'service' | 'latency'>;

const SHARES: readonly [string, Figure<LimitFigures>][] = [
  ['rejection_rate', { unit: 'share', better: 'lower', read: ({ counts }) => rejectionRate(counts) }],
  ['error_rate', { unit: 'share', better: 'lower', read: ({ counts }) => errorRate(counts) }],
];
const TIMES: readonly [string, Figure<LimitFigures>][] = [
  ...latencyFigures<LimitFigures>('latency', ({ latency }) => latency),
  ...latencyFigures<LimitFigures>('service_time', ({ service }) => service),
];
const LIMIT_FIGURES: ReadonlyMap<string, Figure<LimitFigures>> = new Map([...SHARES, ...TIMES]);

/**
 * Name of the metric for the number of accepted documents (or searches, or transactions) that one unit of the currency pays for. It is the
 * throughput, divided by the price of the cluster. `environment.price` sets the price and its currency.
 */
export const PER_MONEY = 'per_money';

const SECONDS = 3600;

/**
 * Returns whether a task has no data in the measured phase: no request ended, no due request was left unsent, and no document was accepted.
 * Its metrics are then null, because 0 would look like a measured value.
 */
const measuredNothing = ({ counts, unsent, throughput }: Sent): boolean =>
  counts.attempted === 0 && unsent === 0 && throughput === 0;

type Sent = Pick<TaskSummary, 'counts' | 'unsent' | 'throughput'>;

/** Returns the accepted documents (or searches, or transactions) per second; null if the task has no data in the measured phase. */
export const throughputOf = (summary: Sent): number | null =>
  measuredNothing(summary) ? null : summary.throughput;

/**
 * Returns how many documents (or searches, or transactions) one unit of the currency pays for; null without a price or without data.
 * `throughput`: per second. `hourly`: price of the cluster per hour.
 */
export const perMoney = (throughput: number | null, hourly: number | null): number | null =>
  hourly === null || throughput === null ? null : (throughput * SECONDS) / hourly;

const FIGURES: ReadonlyMap<string, Figure<TaskSummary>> = new Map<string, Figure<TaskSummary>>([
  ['throughput', { unit: 'per-second', better: 'higher', read: throughputOf }],
  // The highest rate of the search for a sustainable rate that a long step confirmed.
  [
    'sustainable_rate',
    {
      unit: 'requests-per-second',
      better: 'higher',
      read: ({ highestRate }) => sustainableRate(highestRate),
    },
  ],
  ...SHARES,
  ...OUTCOMES.map(({ name, tone }): [string, Figure<TaskSummary>] => [
    name,
    countFigure(
      ({ counts }) => (counts.attempted === 0 ? null : (counts[name] ?? 0)),
      tone === 'plain' ? 'higher' : 'lower',
    ),
  ]),
  [
    PER_MONEY,
    {
      unit: 'per-money',
      better: 'higher',
      read: (summary, hourly) => perMoney(throughputOf(summary), hourly),
    },
  ],
  ['recall', { unit: 'share', better: 'higher', read: ({ recall }) => recall?.mean ?? null }],
  [
    'alike',
    {
      unit: 'share',
      better: 'higher',
      read: ({ answers }) => (answers === undefined ? null : alikeShare(answers)),
    },
  ],
  ['unsent', countFigure((summary) => (measuredNothing(summary) ? null : summary.unsent))],
  ['unparsed', { unit: 'count', better: 'lower', read: ({ parsing }) => unparsedLines(parsing) }],
  ...TIMES,
]);

/** Metrics of a single named request of a search, or of a single part of a transaction. */
const REQUEST_FIGURES: ReadonlyMap<string, Figure<RequestSummary>> = new Map<string, Figure<RequestSummary>>([
  [
    'error_rate',
    { unit: 'share', better: 'lower', read: ({ count, failed }) => (count === 0 ? null : failed / count) },
  ],
  ['count', countFigure(({ count }) => count, 'higher')],
  ['failed', countFigure(({ count, failed }) => (count === 0 ? null : failed))],
  ['recall', { unit: 'share', better: 'higher', read: ({ recall }) => recall?.mean ?? null }],
  ...latencyFigures<RequestSummary>('latency', ({ latency }) => latency),
  ...latencyFigures<RequestSummary>('service_time', ({ service }) => service),
]);

/**
 * First part of the name of a metric of the indices. In the name of any other metric, the first part is the name of a task or `cluster`.
 */
export const INDEX = 'index';

const INDEX_FIGURES: ReadonlyMap<string, Figure<IndexState>> = new Map<string, Figure<IndexState>>([
  ['bytes_per_document', { unit: 'bytes', better: 'lower', read: (index) => bytesPerDocument(index) }],
  ['store_bytes', { unit: 'bytes', better: 'lower', read: ({ storeBytes }) => storeBytes }],
  ['segments', countFigure(({ segments }) => segments)],
  ['shard_skew.docs', { unit: 'times', better: 'lower', read: (index) => shardSkew(index, 'docs') }],
  ['shard_skew.bytes', { unit: 'times', better: 'lower', read: (index) => shardSkew(index, 'bytes') }],
]);

/** Matches `field.message.bytes_per_document`: the size of one field. Names of fields may contain dots. */
const OF_FIELD = /^field\.(.+)\.bytes_per_document$/;

/** Matches the duration of a step after ingestion: `recipe.merge.time`. */
const OF_RECIPE = /^recipe\.([a-z0-9_-]+)\.time$/i;

/** Matches the name of a metric for a number that is read from the responses to a request, such as `answer.rows`. */
const OF_ANSWER = /^answer\.([a-z0-9_-]+)$/i;

/** Returns the name of the number that a metric reads from responses; undefined for metrics that do not read responses. */
export const answerFigureOf = ({ figure }: Metric): string | undefined => OF_ANSWER.exec(figure)?.[1];

/** Names of all metrics of a task, for error messages and editors. */
export const FIGURE_NAMES: readonly string[] = [...FIGURES.keys()];
export const LIMIT_FIGURE_NAMES: readonly string[] = [...LIMIT_FIGURES.keys()];
/**
 * Names of the metrics that the limit in a capacity question may use. An example of such a question is "How many nodes for 50,000 docs/s at
 * p95 < 200 ms?".
 */
export const SCALING_LIMITS: readonly string[] = [...LIMIT_FIGURES.keys()].filter(
  (name) => !/\.(mean|min|max|p99\.99)$/.test(name),
);
export const REQUEST_FIGURE_NAMES: readonly string[] = [...REQUEST_FIGURES.keys(), 'answer.<name>'];

export const INDEX_FIGURE_NAMES: readonly string[] = [
  ...INDEX_FIGURES.keys(),
  'field.<name>.bytes_per_document',
  'recipe.<step>.time',
];

export const CLUSTER_FIGURE_NAMES: readonly string[] = NODE_METRICS.map(({ name }) => name);

/** Returns the name of a request as metrics write it: `Top 15 Organizations` becomes `top-15-organizations`. */
export const requestKey = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

/** Parses the name of a metric, such as `ingest.latency.p99`; undefined if no such metric exists. */
export function parseMetric(text: string): Metric | undefined {
  const [, task, rest] = /^([^.]+)\.(.+)$/.exec(text) ?? [];
  if (task === undefined || rest === undefined) return undefined;
  const ofNoTask = task === INDEX ? indexMetric(rest) : task === CLUSTER ? clusterMetric(rest) : undefined;
  if (ofNoTask) return ofNoTask;
  const known = FIGURES.get(rest);
  if (known) return { task, figure: rest, unit: known.unit, better: known.better };
  const [, request, figure] = /^([^.]+)\.(.+)$/.exec(rest) ?? [];
  if (figure !== undefined && OF_ANSWER.test(figure)) {
    return { task, request, figure, unit: 'count', better: 'lower' };
  }
  const ofRequest = figure === undefined ? undefined : REQUEST_FIGURES.get(figure);
  return ofRequest && { task, request, figure: figure!, unit: ofRequest.unit, better: ofRequest.better };
}

function indexMetric(figure: string): Metric | undefined {
  const known = INDEX_FIGURES.get(figure);
  if (known) return { task: INDEX, ofIndex: true, figure, unit: known.unit, better: known.better };
  const step = OF_RECIPE.exec(figure)?.[1];
  if (step !== undefined) return { task: INDEX, ofIndex: true, step, figure, unit: 'ms', better: 'lower' };
  const field = OF_FIELD.exec(figure)?.[1];
  return field === undefined
    ? undefined
    : { task: INDEX, ofIndex: true, field, figure, unit: 'bytes', better: 'lower' };
}

function clusterMetric(figure: string): Metric | undefined {
  const ofCluster = parseClusterMetric(figure);
  if (ofCluster === undefined) return undefined;
  const { unit, better } = ofCluster.nodeMetric;
  return { task: CLUSTER, ofCluster, figure, unit, better };
}

/** Returns the name of a metric. {@link parseMetric} can parse this name again. */
export const writtenMetric = ({ task, request, figure, ofCluster }: Metric): string =>
  ofCluster
    ? clusterMetricName(ofCluster)
    : [task, ...(request === undefined ? [] : [request]), figure].join('.');

/**
 * Returns whether a metric belongs to a task. Metrics of indices and nodes do not belong to a task, because all tasks share the indices and
 * nodes.
 */
export const isOfTask = ({ ofIndex, ofCluster }: Metric): boolean =>
  ofIndex === undefined && ofCluster === undefined;

/**
 * Reads the value of `metric` in its unit (shares in [0, 1], times in ms, sizes in bytes); null if the trial does not contain the value.
 * `source`: the only source that may be used for a metric of nodes, such as the statistics APIs; undefined for any source. `hourly`: price
 * of the cluster per hour.
 */
export function readMetric(
  metric: Metric,
  trial: Pick<TrialDocument, 'tasks' | 'index' | 'server' | 'collected'>,
  { source, hourly = null }: { source?: MetricSource; hourly?: number | null } = {},
): number | null {
  const { tasks, index } = trial;
  if (metric.ofCluster) return readClusterMetric(metric.ofCluster, trial, source).value;
  if (metric.ofIndex) {
    if (index === null) return null;
    if (metric.step !== undefined) return index.recipe?.[metric.step] ?? null;
    return metric.field === undefined
      ? INDEX_FIGURES.get(metric.figure)!.read(index, hourly)
      : bytesPerDocument(index, metric.field);
  }
  const summary = tasks.find(({ task }) => task === metric.task);
  if (!summary) return null;
  if (metric.request === undefined) return FIGURES.get(metric.figure)!.read(summary, hourly);
  if (measuredNothing(summary)) return null;
  const found = findRequest(summary, metric.request);
  if (found === undefined) return null;
  const ofAnswer = answerFigureOf(metric);
  if (ofAnswer !== undefined) return found.figures?.[ofAnswer]?.mean ?? null;
  return REQUEST_FIGURES.get(metric.figure)!.read(found, hourly);
}

/** Returns the summary of the request whose name in metrics is `key`; undefined if the trial did not send this request. */
export const findRequest = ({ requests }: TaskSummary, key: string): RequestSummary | undefined =>
  Object.entries(requests).find(([name]) => requestKey(name) === key)?.[1];

/**
 * Returns the reason why a trial has no value for a metric of a task or of the indices. `few`: text for the case that there are too few
 * requests to calculate a percentile.
 */
export function whyNoData(
  { task: name, request, ofIndex, figure, unit }: Metric,
  { tasks, index }: Pick<TrialDocument, 'tasks' | 'index'>,
  few: string,
): string {
  if (ofIndex) {
    const skew = figure.startsWith('shard_skew.') ? whyNoShardSkew(index) : undefined;
    return skew ?? (index === null ? 'the index was not read after the load' : 'it was not measured');
  }
  const summary = tasks.find(({ task }) => task === name);
  if (summary === undefined) return `the trial has no task ${name}`;
  if (summary.counts.attempted === 0) {
    return summary.sourceEndedMs === undefined
      ? `${name} sent nothing in the measured phase`
      : `the file of ${name} ended before the measured phase`;
  }
  if (request !== undefined && !(findRequest(summary, request)?.count ?? 0))
    return `${name} sent no ${request} in the measured phase`;
  return unit === 'ms' ? few : 'it was not measured';
}

/** Reads the value of `figure`, which is one of {@link LIMIT_FIGURE_NAMES}; null if there are too few responses. */
export const readLimit = (figure: string, figures: LimitFigures): number | null =>
  LIMIT_FIGURES.get(figure)!.read(figures, null);
