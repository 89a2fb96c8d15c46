/** How the figures that the charts of a result can show are called, and what stands under the pointer at a cell. */
import { formatChange, formatChanges, metricName } from '../../../common/analysis/wording';
import { parseMetric } from '../../../common/measurement/metric';
import type { RateUnit } from '../../../common/tasks/registry';
import {
  clusterFigures,
  metricFormat,
  type CellFigures,
  type MetricName,
} from '../../../common/report/chart/interval-series';
import type { Report } from '../../../common/report/model/report';
import { unitOf } from '../../../common/report/model/cell-names';
import { rateName } from '../../../common/report/tables/wording';
import { formatPercent, sentenceCase } from '../../../common/units/format';
import { i18n } from '../../i18n';

/** `Throughput, accepted docs/s`: the title of its axis. */
export function metricTitle(report: Report, metric: MetricName, unit: RateUnit): string {
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
    case 'per_money':
      return i18n.translate('dyno.result.metric.perMoney', {
        defaultMessage: 'For money, {unit}',
        values: { unit: moneyUnit(report, unit) },
      });
    case 'p50':
      return i18n.translate('dyno.result.metric.p50', { defaultMessage: 'Response time, p50' });
    case 'p99':
      return i18n.translate('dyno.result.metric.p99', { defaultMessage: 'Response time, p99' });
    case 'rejections':
      return i18n.translate('dyno.result.metric.rejections', { defaultMessage: 'Rejection rate' });
    default:
      return clusterTitle(report, metric);
  }
}

/** `title` of a metric with the name of its task, which a metric that is named as in claims has already. */
export const titleOfTask = (title: string, task: string, metric: MetricName): string =>
  metric.includes('.')
    ? title
    : i18n.translate('dyno.result.metric.ofTask', {
        defaultMessage: '{metric} of {task}',
        values: { metric: title, task },
      });

const currenciesOf = ({ cells }: Report): string[] => [
  ...new Set(cells.flatMap(({ tasks }) => tasks.flatMap(({ cost }) => cost?.currency ?? []))),
];

/** Whether some cell has a price, and none another currency: figures of two have no axis in common. */
export const isPriced = (report: Report): boolean => currenciesOf(report).length === 1;

/** `docs/EUR`. */
const moneyUnit = (report: Report, unit: RateUnit): string =>
  `${unit.replace(/\/s$/, '')}/${currenciesOf(report)[0] ?? ''}`;

/** What stands behind a value of a task's figure; '' where the value has its own. */
export function metricUnit(report: Report, metric: MetricName, unit: RateUnit): string {
  if (metric === 'throughput') return unit;
  if (metric === 'sustainable') return 'requests/s';
  return metric === 'per_money' ? moneyUnit(report, unit) : '';
}

/** Of a figure of the cluster with its source; of the first claim's metric its name. */
function clusterTitle(report: Report, metric: string): string {
  const found = clusterFigures(report).find((figure) => figure.metric === metric);
  const parsed = parseMetric(metric);
  if (found === undefined && parsed !== undefined) return sentenceCase(metricName(parsed, report.definition));
  return i18n.translate('dyno.result.metric.cluster', {
    defaultMessage: 'Cluster: {title} (by the {source})',
    values: { title: found?.title ?? metric, source: found?.source ?? '' },
  });
}

const line = (label: string, value: string): { label: string; value: string } => ({ label, value });

/** What stands under the pointer at a cell. */
export function figureLines(
  { summary, comparison, trials, pooled }: CellFigures,
  metric: MetricName,
  /** Of {@link metricUnit}. */
  unit: string,
): { label: string; value: string }[] {
  const format = metricFormat(metric);
  const withUnit = (text: string): string => (unit !== '' && text !== '–' ? `${text} ${unit}` : text);
  const { interval } = summary;
  const ends = interval === null ? '–' : `${format(interval.low)} to ${format(interval.high)}`;
  return [
    line(
      pooled
        ? i18n.translate('dyno.result.pooled', { defaultMessage: 'all requests' })
        : i18n.translate('dyno.result.mean', { defaultMessage: 'mean' }),
      withUnit(format(summary.mean)),
    ),
    line(i18n.translate('dyno.result.interval', { defaultMessage: '95% interval' }), withUnit(ends)),
    ...(pooled
      ? []
      : [line(i18n.translate('dyno.result.cv', { defaultMessage: 'CV' }), formatPercent(summary.cv))]),
    ...(trials.length === 0
      ? []
      : [
          line(
            i18n.translate('dyno.result.trials', { defaultMessage: 'trials' }),
            trials.map(({ order, value }) => `#${order + 1}: ${format(value)}`).join('; '),
          ),
        ]),
    ...(comparison === null || comparison.ratio === null
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
