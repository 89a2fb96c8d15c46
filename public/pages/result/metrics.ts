/** Names and units of the metrics in the charts of a result, and the contents of tooltips. */
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

/** Returns the title of an axis, such as `Throughput, accepted docs/s`. */
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

/**
 * Returns `title` with the name of the task. A metric such as `search.latency.p99` already contains the task; `title` is then returned
 * unchanged.
 */
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

/** Returns whether the prices of all clusters are in one currency. Values in two currencies cannot share an axis. */
export const isPriced = (report: Report): boolean => currenciesOf(report).length === 1;

/** Returns the unit of the rate per price, such as `docs/EUR`. */
const moneyUnit = (report: Report, unit: RateUnit): string =>
  `${unit.replace(/\/s$/, '')}/${currenciesOf(report)[0] ?? ''}`;

/** Returns the unit to be shown after a formatted value. '' if the formatted value already contains its unit. */
export function metricUnit(report: Report, metric: MetricName, unit: RateUnit): string {
  if (metric === 'throughput') return unit;
  if (metric === 'sustainable') return 'requests/s';
  return metric === 'per_money' ? moneyUnit(report, unit) : '';
}

/** Returns the name of a cluster metric, followed by the software that measured it. If the metric has no values, returns only the name. */
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

/** Returns the lines of the tooltip for a metric in one combination of factor levels. */
export function figureLines(
  { summary, comparison, trials, pooled }: CellFigures,
  metric: MetricName,
  /** Unit of the metric, as {@link metricUnit} returns it. */
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
