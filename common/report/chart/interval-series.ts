/** A chart of intervals by cell, before it is drawn: every trial, the mean and its interval. */
import type { Comparison } from '../../analysis/comparison';
import { summarise, type Summary } from '../../analysis/summary';
import { sustainableRate } from '../../measurement/highest-rate';
import { formatMs, formatNumber, formatPercent } from '../../units/format';
import type { Report, ReportTask, ReportTrial } from '../model/report';
import type { Mark } from './axes';

/** The figures of a cell that can be drawn so. */
export const METRICS = ['throughput', 'sustainable', 'p50', 'p99', 'rejections'] as const;
export type MetricName = (typeof METRICS)[number];

type TrialTask = ReportTrial['tasks'][number];

interface MetricKind {
  better: 'higher' | 'lower';
  read: (task: TrialTask) => number | null;
  /** What the report holds already. */
  summary: (task: ReportTask) => Summary | null;
  comparison: (task: ReportTask) => Comparison | null;
  format: (value: number | null) => string;
}

export const METRIC_KINDS: Record<MetricName, MetricKind> = {
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

export const isMetric = (text: string): text is MetricName => METRICS.includes(text as MetricName);

export interface CellFigures extends Mark {
  summary: Summary;
  comparison: Comparison | null;
  /** In order of execution, as the values. */
  trials: { order: number; value: number }[];
}

/** In the order of the report's cells; null where no trial tells. */
export function intervalSeries(report: Report, task: string, metric: MetricName): (CellFigures | null)[] {
  const kind = METRIC_KINDS[metric];
  return report.cells.map(({ index, tasks }) => {
    const own = tasks.find((candidate) => candidate.task === task);
    if (own === undefined) return null;
    const trials = report.trials
      .filter(({ cellIndex, state }) => cellIndex === index && state === 'completed')
      .flatMap(({ order, tasks: measured }) => {
        const found = measured.find((candidate) => candidate.task === task);
        const value = found ? kind.read(found) : null;
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
