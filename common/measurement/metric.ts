/** The figures of a trial that conditions, claims and reports speak of, by their written names. */
import {
  CLUSTER,
  clusterMetricName,
  parseClusterMetric,
  readClusterMetric,
  type ClusterMetric,
} from './cluster-figures';
import { errorRate, rejectionRate } from './counts';
import { PERCENTILES, type LatencySummary } from './histogram';
import { sustainableRate } from './highest-rate';
import type { MetricSource, NodeUnit } from './node-metric';
import { NODE_METRICS } from './node-metrics';
import { OUTCOMES } from './outcomes';
import { unparsedLines } from './parse';
import { bytesPerDocument, shardSkew, whyNoShardSkew, type IndexState } from './server';
import type { RequestSummary, TaskSummary, TrialDocument } from './trial';

/** `per-second`, `per-money`: of what the task's throughput counts. `times`: how many times something else it is. */
export type MetricUnit = 'per-second' | 'requests-per-second' | 'per-money' | 'times' | NodeUnit;

/**
 * A figure of one task, `ingest.latency.p99`, of one of its requests, `queries.count-by-rating.service_time.p99`, of the
 * indices after the trial, `index.bytes_per_document`, or of the cluster's nodes and machines, `cluster.merges.count`.
 */
export interface Metric {
  /** {@link INDEX} where the figure is one of the indices, {@link CLUSTER} where it is one of the nodes. */
  task: string;
  /** Of the indices, not of a task that may have the same name. */
  ofIndex?: true;
  /** Of the nodes and their machines. */
  ofCluster?: ClusterMetric;
  /** Whose bytes they are: `index.field.message.bytes_per_document`. */
  field?: string;
  /** Of a recipe, whose time it is: `index.recipe.merge.time`. */
  step?: string;
  /** As {@link requestKey} writes it; undefined for the task as a whole. */
  request?: string;
  /** `throughput`, `rejection_rate`, `latency.p99.9`, ... */
  figure: string;
  unit: MetricUnit;
  better: 'higher' | 'lower';
}

interface Figure<From> {
  unit: MetricUnit;
  better: 'higher' | 'lower';
  /** `hourly`: what an hour of the cluster cost; null where that is not known. */
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

/** What a limit may be set by: figures that do not depend on how much was asked for, nor for how long. */
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

/** Accepted for one unit of the currency of `environment.price`. */
export const PER_MONEY = 'per_money';

const SECONDS = 3600;

/**
 * Whether the measured phase holds nothing of a task: nothing was sent in it, due in it or accepted in it. No figure of such a task
 * is based on data, and 0 would look like one.
 */
const measuredNothing = ({ counts, unsent, throughput }: Sent): boolean =>
  counts.attempted === 0 && unsent === 0 && throughput === 0;

type Sent = Pick<TaskSummary, 'counts' | 'unsent' | 'throughput'>;

/** Accepted per second; null without data. */
export const throughputOf = (summary: Sent): number | null =>
  measuredNothing(summary) ? null : summary.throughput;

/** Null without a price, and without data. */
export const perMoney = (throughput: number | null, hourly: number | null): number | null =>
  hourly === null || throughput === null ? null : (throughput * SECONDS) / hourly;

const FIGURES: ReadonlyMap<string, Figure<TaskSummary>> = new Map<string, Figure<TaskSummary>>([
  ['throughput', { unit: 'per-second', better: 'higher', read: throughputOf }],
  // Of a search for it, confirmed by a hold.
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
  ['unsent', countFigure((summary) => (measuredNothing(summary) ? null : summary.unsent))],
  ['unparsed', { unit: 'count', better: 'lower', read: ({ parsing }) => unparsedLines(parsing) }],
  ...TIMES,
]);

/** Of one named request of a search, or one part of a transaction. */
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

/** What stands in the place of a task's name in metrics of the indices. */
export const INDEX = 'index';

const INDEX_FIGURES: ReadonlyMap<string, Figure<IndexState>> = new Map<string, Figure<IndexState>>([
  ['bytes_per_document', { unit: 'bytes', better: 'lower', read: (index) => bytesPerDocument(index) }],
  ['store_bytes', { unit: 'bytes', better: 'lower', read: ({ storeBytes }) => storeBytes }],
  ['segments', countFigure(({ segments }) => segments)],
  ['shard_skew.docs', { unit: 'times', better: 'lower', read: (index) => shardSkew(index, 'docs') }],
  ['shard_skew.bytes', { unit: 'times', better: 'lower', read: (index) => shardSkew(index, 'bytes') }],
]);

/** `field.message.bytes_per_document`; names of fields have dots of their own. */
const OF_FIELD = /^field\.(.+)\.bytes_per_document$/;

/** `recipe.merge.time`. */
const OF_RECIPE = /^recipe\.([a-z0-9_-]+)\.time$/i;

/** A number out of the answers to a request: `answer.rows`. */
const OF_ANSWER = /^answer\.([a-z0-9_-]+)$/i;

/** The name of the number that a metric takes out of answers; undefined for all others. */
export const answerFigureOf = ({ figure }: Metric): string | undefined => OF_ANSWER.exec(figure)?.[1];

/** Names of all figures, for error messages and editors. */
export const FIGURE_NAMES: readonly string[] = [...FIGURES.keys()];
export const LIMIT_FIGURE_NAMES: readonly string[] = [...LIMIT_FIGURES.keys()];
/** Those that a capacity is asked for by, of every trial that counts. */
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

/** The name of a request as metrics write it: `Top 15 Organizations` is `top-15-organizations`. */
export const requestKey = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

/** The metric that `text` names, such as `ingest.latency.p99`; undefined if there is none. */
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
  const { unit, better } = ofCluster.figure;
  return { task: CLUSTER, ofCluster, figure, unit, better };
}

/** As definitions write it: what {@link parseMetric} reads. */
export const writtenMetric = ({ task, request, figure, ofCluster }: Metric): string =>
  ofCluster
    ? clusterMetricName(ofCluster)
    : [task, ...(request === undefined ? [] : [request]), figure].join('.');

/** Whether it is a figure of a task, and not of what all tasks work on. */
export const isOfTask = ({ ofIndex, ofCluster }: Metric): boolean =>
  ofIndex === undefined && ofCluster === undefined;

/**
 * Value of `metric` in its unit (shares in [0, 1], times in ms, sizes in bytes); null where the trial does not tell it. `source`: of
 * figures of the cluster, from this one alone.
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

/** The summary of the request that metrics write as `key`; undefined if the trial sent none. */
export const findRequest = ({ requests }: TaskSummary, key: string): RequestSummary | undefined =>
  Object.entries(requests).find(([name]) => requestKey(name) === key)?.[1];

/** Why a trial has no value of a metric that is not of the cluster, in a few words. `few`: for a time of too few requests. */
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

/** Value of one of {@link LIMIT_FIGURE_NAMES}; null where too few answers stand behind it. */
export const readLimit = (figure: string, figures: LimitFigures): number | null =>
  LIMIT_FIGURES.get(figure)!.read(figures, null);
