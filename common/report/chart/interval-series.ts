/** A chart of intervals by cell, before it is drawn: every trial, the mean and its interval. */
import type { Comparison } from '../../analysis/comparison';
import { LEVEL, type Interval } from '../../analysis/confidence';
import { focusOf } from '../../analysis/focus';
import { summarise, type Summary } from '../../analysis/summary';
import { formatMetric } from '../../analysis/wording';
import { sustainableRate } from '../../measurement/highest-rate';
import { PERCENTILES, valuesNeeded } from '../../measurement/histogram';
import { isOfTask, parseMetric, perMoney, type Metric } from '../../measurement/metric';
import { bytesUnit, formatMs, formatNumber, formatPercent } from '../../units/format';
import type { ReportClusterFigure } from '../model/cluster';
import { cellNames } from '../model/cell-names';
import type { Report, ReportTask, ReportTrial } from '../model/report';
import { spanOf, type Mark, type Span } from './axes';

/** The figures of a cell that can be drawn so. */
export const METRICS = ['throughput', 'sustainable', 'per_money', 'p50', 'p99', 'rejections'] as const;
type TaskMetricName = (typeof METRICS)[number];
/** Of a task; of the cluster as claims name it, `cluster.merges.count`; or the metric of the first claim as it is written there. */
export type MetricName = TaskMetricName | `${string}.${string}`;

type TrialTask = ReportTrial['tasks'][number];

interface MetricKind {
  /** What claims call it, behind the name of a task. */
  figure: string;
  better: 'higher' | 'lower';
  /** `cell`: what the report says of the trial's cell. */
  read: (task: TrialTask, cell: ReportTask) => number | null;
  /** What the report holds already. */
  summary: (task: ReportTask) => Summary | null;
  comparison: (task: ReportTask) => Comparison | null;
  format: (value: number | null) => string;
}

const METRIC_KINDS: Record<TaskMetricName, MetricKind> = {
  throughput: {
    figure: 'throughput',
    better: 'higher',
    read: ({ throughput }) => throughput,
    summary: ({ throughput }) => throughput,
    comparison: ({ comparison }) => comparison,
    format: formatNumber,
  },
  sustainable: {
    figure: 'sustainable_rate',
    better: 'higher',
    read: ({ highestRate }) => sustainableRate(highestRate),
    summary: ({ highestRate }) => highestRate && highestRate.sustained,
    comparison: ({ highestRate }) => highestRate && highestRate.comparison,
    format: formatNumber,
  },
  per_money: {
    figure: 'per_money',
    better: 'higher',
    read: ({ throughput }, { cost }) => perMoney(throughput, cost?.hourly ?? null),
    summary: ({ cost }) => cost?.perMoney ?? null,
    comparison: ({ cost }) => cost?.comparison ?? null,
    format: formatNumber,
  },
  p50: {
    figure: 'latency.p50',
    better: 'lower',
    read: ({ latencyP50 }) => latencyP50,
    summary: () => null,
    comparison: () => null,
    format: formatMs,
  },
  p99: {
    figure: 'latency.p99',
    better: 'lower',
    read: ({ latencyP99 }) => latencyP99,
    summary: ({ latencyP99 }) => latencyP99,
    comparison: ({ latencyComparison }) => latencyComparison,
    format: formatMs,
  },
  rejections: {
    figure: 'rejection_rate',
    better: 'lower',
    read: ({ rejectionRate }) => rejectionRate,
    summary: () => null,
    comparison: () => null,
    format: formatPercent,
  },
};

const isTaskMetric = (text: string): text is TaskMetricName => METRICS.includes(text as TaskMetricName);

/** The task of the first claim, whose figures are shown unless the reader chooses another. */
export function firstTask({ definition, tasks }: Pick<Report, 'definition' | 'tasks'>): string {
  const { task } = focusOf(definition);
  return tasks.includes(task) ? task : (tasks[0] ?? '');
}

/** Of percentiles there are values of all requests of a cell: see {@link intervalSeries}. */
const isPercentile = (metric: Metric): boolean =>
  isOfTask(metric) &&
  metric.request === undefined &&
  PERCENTILES.some(
    ({ percentile }) => /^(?:latency|service_time)\.p(.+)$/.exec(metric.figure)?.[1] === `${percentile}`,
  );

/** What charts show of `task` first: the metric of the first claim where it is about this task; else the throughput. */
export function firstMetric(report: Report, task: string): MetricName {
  const { metric, name } = focusOf(report.definition);
  if (task !== firstTask(report)) return 'throughput';
  const short = METRICS.find((one) => name === `${task}.${METRIC_KINDS[one].figure}`);
  if (short !== undefined) return short;
  const isThere = isPercentile(metric) || clusterFigures(report).some((figure) => figure.metric === name);
  return isThere ? (name as MetricName) : 'throughput';
}

/** Those of the cluster only where a trial tells them, others only where the first claim is about them. */
export const isMetric = (report: Report, task: string, text: string): text is MetricName =>
  isTaskMetric(text) ||
  text === firstMetric(report, task) ||
  clusterFigures(report).some(({ metric }) => metric === text);

/** That some trial tells. */
export const clusterFigures = ({ cluster }: Pick<Report, 'cluster'>): ReportClusterFigure[] =>
  cluster.filter(({ cells }) => cells.length > 0);

/** As claims write it. */
const writtenName = (task: string, metric: MetricName): string =>
  isTaskMetric(metric) ? `${task}.${METRIC_KINDS[metric].figure}` : metric;

/** A value of the metric, as it is written on an axis. */
export const metricFormat = (metric: MetricName): ((value: number | null) => string) =>
  isTaskMetric(metric)
    ? METRIC_KINDS[metric].format
    : (value) => formatMetric(parseMetric(metric)!, value, 'docs/s');

const RATES: readonly Metric['unit'][] = [
  'per-second',
  'requests-per-second',
  'per-money',
  'bytes-per-second',
  'operations-per-second',
];
const BYTES: readonly Metric['unit'][] = ['bytes', 'bytes-per-second'];

/**
 * The axis of a metric, which holds all marks and `always`. That of a rate begins at zero.
 *
 * @param metric a name of {@link METRICS}, or as claims write it
 */
export function metricAxis(
  metric: string,
  marks: readonly Mark[],
  { always = [], fromZero }: { always?: readonly number[]; fromZero?: boolean } = {},
): { span: Span; unit: number; fromZero: boolean } {
  const kind = parseMetric(isTaskMetric(metric) ? writtenName('task', metric) : metric)?.unit ?? 'count';
  const begins = fromZero ?? RATES.includes(kind);
  const span = spanOf(marks, { always, fromZero: begins });
  return { span, unit: BYTES.includes(kind) ? bytesUnit(span.max) : 1, fromZero: begins };
}

function figureSeries(report: Report, metric: string): (CellFigures | null)[] {
  const found = clusterFigures(report).find((figure) => figure.metric === metric);
  return report.cells.map((_, at) => {
    const cell = found?.cells[at];
    if (!cell) return null;
    const { summary, comparison, orders } = cell;
    const trials = summary.values.map((value, trial) => ({ order: orders[trial]!, value }));
    return { ...markOf(summary), comparison, trials, pooled: false };
  });
}

const markOf = (summary: Summary): Mark & { summary: Summary } => ({
  mean: summary.mean,
  low: summary.interval?.low ?? null,
  high: summary.interval?.high ?? null,
  values: summary.values,
  summary,
});

export interface CellFigures extends Mark {
  summary: Summary;
  comparison: Pick<Comparison, 'ratio' | 'interval' | 'word'> | null;
  /** In order of execution, as the values. */
  trials: { order: number; value: number }[];
  /** A percentile of all requests of the cell's trials, with its own interval, instead of a mean over trials. */
  pooled: boolean;
}

/** In the order of the report's cells; null where no trial tells. */
export function intervalSeries(report: Report, task: string, metric: MetricName): (CellFigures | null)[] {
  const overTrials = isTaskMetric(metric) ? taskSeries(report, task, metric) : figureSeries(report, metric);
  return withPooled(report, task, metric, overTrials);
}

function taskSeries(report: Report, task: string, metric: TaskMetricName): (CellFigures | null)[] {
  const kind = METRIC_KINDS[metric];
  return report.cells.map(({ index, tasks }) => {
    const own = tasks.find((candidate) => candidate.task === task);
    if (own === undefined) return null;
    const trials = report.trials
      .filter(({ cellIndex, state }) => cellIndex === index && state === 'completed')
      .flatMap(({ order, tasks: measured }) => {
        const found = measured.find((candidate) => candidate.task === task);
        const value = found ? kind.read(found, own) : null;
        return value === null ? [] : [{ order, value }];
      });
    if (trials.length === 0) return null;
    const values = trials.map(({ value }) => value);
    const summary = kind.summary(own) ?? summarise(values, kind.better);
    return { ...markOf(summary), values, comparison: kind.comparison(own), trials, pooled: false };
  });
}

interface Pooled {
  value: number;
  interval: Interval | null;
}

/** The percentile of all requests of a cell's trials together; null for other metrics and with too few requests. */
function pooledOf(own: ReportTask, figure: string): Pooled | null {
  const [, of, percentile] = /^(latency|service_time)\.p([\d.]+)$/.exec(figure) ?? [];
  const key = PERCENTILES.find((one) => String(one.percentile) === percentile)?.key;
  if (of === undefined || key === undefined) return null;
  const which = of === 'latency' ? 'latency' : 'service';
  const value = own[which][key];
  const interval = own.intervals[which][key];
  return value === null ? null : { value, interval: interval && { ...interval, level: LEVEL } };
}

/**
 * Percentiles need many requests: where some trial has too few for its own, the cells are shown by the percentiles of all their
 * requests. Then all cells are, so that like is compared with like.
 */
function withPooled(
  report: Report,
  task: string,
  metric: MetricName,
  series: readonly (CellFigures | null)[],
): (CellFigures | null)[] {
  const parsed = parseMetric(writtenName(task, metric));
  if (!parsed || !isOfTask(parsed) || parsed.request !== undefined) return [...series];
  const pooled = report.cells.map(({ tasks }) => {
    const own = tasks.find((candidate) => candidate.task === parsed.task);
    return own === undefined ? null : pooledOf(own, parsed.figure);
  });
  const isShort = report.cells.some(
    ({ completed }, at) => pooled[at] !== null && (series[at]?.trials.length ?? 0) < completed,
  );
  if (!isShort) return [...series];
  return series.map((known, at): CellFigures | null => {
    const own = pooled[at] ?? null;
    if (own === null) return null;
    const trials = known?.trials ?? [];
    const values = trials.map(({ value }) => value);
    const summary = { ...summarise(values, 'lower'), mean: own.value, interval: own.interval, cv: null };
    const comparison = known?.comparison ?? null;
    return { ...markOf(summary), comparison, trials, pooled: true };
  });
}

/** Why a chart of a percentile is empty: how many requests it needs, and how many there are; '' for other metrics. */
export function tooFewRequests(report: Report, task: string, metric: MetricName): string {
  const parsed = parseMetric(writtenName(task, metric));
  const [, name] = /^(?:latency|service_time)\.p([\d.]+)$/.exec(parsed?.figure ?? '') ?? [];
  if (!parsed || name === undefined || parsed.request !== undefined) return '';
  const { names } = cellNames(report);
  const counts = report.cells.flatMap(({ tasks }, at) => {
    const own = tasks.find((candidate) => candidate.task === parsed.task);
    return own === undefined ? [] : [`${names[at]!}: ${formatNumber(own.latency.count)}`];
  });
  const needed = formatNumber(valuesNeeded(Number(name)));
  return `Too few requests: p${name} needs ${needed} in a cell. The cells have ${counts.join(', ')}. Measure longer, or choose a lower percentile.`;
}
