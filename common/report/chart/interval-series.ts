/** A chart of intervals by cell, before it is drawn: every trial, the mean and its interval. */
import type { Comparison } from '../../analysis/comparison';
import { summarise, type Summary } from '../../analysis/summary';
import { sustainableRate } from '../../measurement/highest-rate';
import { formatMs, formatNumber, formatPercent } from '../../units/format';
import { formatMetric } from '../../analysis/wording';
import type { CLUSTER } from '../../measurement/cluster-figures';
import { parseMetric, perMoney } from '../../measurement/metric';
import type { ReportClusterFigure } from '../model/cluster';
import type { Report, ReportTask, ReportTrial } from '../model/report';
import type { Mark } from './axes';

/** The figures of a cell that can be drawn so. */
export const METRICS = ['throughput', 'sustainable', 'per_money', 'p50', 'p99', 'rejections'] as const;
type TaskMetricName = (typeof METRICS)[number];
/** Of a task, or of the cluster as claims name it: `cluster.merges.count`. */
export type MetricName = TaskMetricName | `${typeof CLUSTER}.${string}`;

type TrialTask = ReportTrial['tasks'][number];

interface MetricKind {
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
    better: 'higher',
    read: ({ throughput }) => throughput,
    summary: ({ throughput }) => throughput,
    comparison: ({ comparison }) => comparison,
    format: formatNumber,
  },
  sustainable: {
    better: 'higher',
    read: ({ highestRate }) => sustainableRate(highestRate),
    summary: ({ highestRate }) => highestRate && highestRate.sustained,
    comparison: ({ highestRate }) => highestRate && highestRate.comparison,
    format: formatNumber,
  },
  per_money: {
    better: 'higher',
    read: ({ throughput }, { cost }) => perMoney(throughput, cost?.hourly ?? null),
    summary: ({ cost }) => cost?.perMoney ?? null,
    comparison: ({ cost }) => cost?.comparison ?? null,
    format: formatNumber,
  },
  p50: {
    better: 'lower',
    read: ({ latencyP50 }) => latencyP50,
    summary: () => null,
    comparison: () => null,
    format: formatMs,
  },
  p99: {
    better: 'lower',
    read: ({ latencyP99 }) => latencyP99,
    summary: ({ latencyP99 }) => latencyP99,
    comparison: ({ latencyComparison }) => latencyComparison,
    format: formatMs,
  },
  rejections: {
    better: 'lower',
    read: ({ rejectionRate }) => rejectionRate,
    summary: () => null,
    comparison: () => null,
    format: formatPercent,
  },
};

const isTaskMetric = (text: string): text is TaskMetricName => METRICS.includes(text as TaskMetricName);

/** Those of the cluster only where a trial tells them. */
export const isMetric = (report: Report, text: string): text is MetricName =>
  isTaskMetric(text) || clusterFigures(report).some(({ metric }) => metric === text);

/** That some trial tells. */
export const clusterFigures = ({ cluster }: Pick<Report, 'cluster'>): ReportClusterFigure[] =>
  cluster.filter(({ cells }) => cells.length > 0);

/** A value of the metric, as it stands on an axis. */
export const metricFormat = (metric: MetricName): ((value: number | null) => string) =>
  isTaskMetric(metric)
    ? METRIC_KINDS[metric].format
    : (value) => formatMetric(parseMetric(metric)!, value, 'docs/s');

function clusterSeries(report: Report, metric: string): (CellFigures | null)[] {
  const found = clusterFigures(report).find((figure) => figure.metric === metric);
  return report.cells.map((_, at) => {
    const cell = found?.cells[at];
    if (!cell) return null;
    const { summary, comparison, orders } = cell;
    return {
      mean: summary.mean,
      low: summary.interval?.low ?? null,
      high: summary.interval?.high ?? null,
      values: summary.values,
      summary,
      comparison,
      trials: summary.values.map((value, trial) => ({ order: orders[trial]!, value })),
    };
  });
}

export interface CellFigures extends Mark {
  summary: Summary;
  comparison: Pick<Comparison, 'ratio' | 'interval' | 'word'> | null;
  /** In order of execution, as the values. */
  trials: { order: number; value: number }[];
}

/** In the order of the report's cells; null where no trial tells. */
export function intervalSeries(report: Report, task: string, metric: MetricName): (CellFigures | null)[] {
  if (!isTaskMetric(metric)) return clusterSeries(report, metric);
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
    return {
      mean: summary.mean,
      low: summary.interval?.low ?? null,
      high: summary.interval?.high ?? null,
      values,
      summary,
      comparison: kind.comparison(own),
      trials,
    };
  });
}
