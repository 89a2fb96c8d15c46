/** The figures that the charts of a result can show, by cell: each trial's, their mean and its interval. */
import type { Comparison } from '../../../common/analysis/comparison';
import { summarise, type Summary } from '../../../common/analysis/summary';
import { formatChange, formatChanges } from '../../../common/analysis/wording';
import type { RateUnit } from '../../../common/experiment/task-kind';
import { sustainableRate } from '../../../common/measurement/highest-rate';
import type { Report, ReportTask, ReportTrial } from '../../../common/report/model/report';
import { unitOf } from '../../../common/report/tables/task';
import { formatInterval, rateName } from '../../../common/report/tables/wording';
import { formatMs, formatNumber, formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';

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

/** `Throughput, accepted docs/s`: the title of its axis. */
export function metricTitle(metric: MetricName, unit: RateUnit): string {
  switch (metric) {
    case 'throughput':
      return i18n.translate('dyno.result.metric.throughput', {
        defaultMessage: 'Throughput, {unit}',
        values: { unit: rateName(unit) },
      });
    case 'sustainable':
      return i18n.translate('dyno.result.metric.sustainable', {
        defaultMessage: 'Highest sustained rate, requests/s',
      });
    case 'p50':
      return i18n.translate('dyno.result.metric.p50', { defaultMessage: 'Response time, p50' });
    case 'p99':
      return i18n.translate('dyno.result.metric.p99', { defaultMessage: 'Response time, p99' });
    case 'rejections':
      return i18n.translate('dyno.result.metric.rejections', { defaultMessage: 'Rejection rate' });
  }
}

export interface CellFigures {
  summary: Summary;
  comparison: Comparison | null;
  /** In order of execution, as the summary's values. */
  trials: { order: number; value: number }[];
}

/** In the order of the report's cells; null where no trial tells. */
export function figuresOf(report: Report, task: string, metric: MetricName): (CellFigures | null)[] {
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
    const summary =
      kind.summary(own) ??
      summarise(
        trials.map(({ value }) => value),
        kind.better,
      );
    return { summary, comparison: kind.comparison(own), trials };
  });
}

const line = (label: string, value: string): { label: string; value: string } => ({ label, value });

/** What stands under the pointer at a cell. */
export function figureLines(
  { summary, comparison, trials }: CellFigures,
  metric: MetricName,
  unit: RateUnit,
): { label: string; value: string }[] {
  const { format } = METRIC_KINDS[metric];
  const withUnit = (text: string): string =>
    metric === 'throughput' && text !== '–' ? `${text} ${unit}` : text;
  const { interval } = summary;
  const ends =
    metric === 'throughput'
      ? formatInterval(interval)
      : interval === null
        ? '–'
        : `${format(interval.low)} to ${format(interval.high)}`;
  return [
    line(i18n.translate('dyno.result.mean', { defaultMessage: 'mean' }), withUnit(format(summary.mean))),
    line(i18n.translate('dyno.result.interval', { defaultMessage: '95% interval' }), withUnit(ends)),
    line(i18n.translate('dyno.result.cv', { defaultMessage: 'CV' }), formatPercent(summary.cv)),
    line(
      i18n.translate('dyno.result.trials', { defaultMessage: 'trials' }),
      trials.map(({ order, value }) => `#${order + 1}: ${format(value)}`).join('; '),
    ),
    ...(comparison === null
      ? []
      : [
          line(
            i18n.translate('dyno.result.toBaseline', { defaultMessage: 'to the baseline' }),
            `${formatChange(comparison.ratio)} (${formatChanges(comparison.interval)}): ${comparison.word}`,
          ),
        ]),
  ];
}

export const taskUnit = (report: Report, task: string): RateUnit => unitOf(report, task);
