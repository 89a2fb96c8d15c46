/** How figures and changes are said in sentences and tables: with their units, the same everywhere. */
import type { Definition } from '../experiment/definition';
import { isClosed } from '../executors/registry';
import { CLUSTER, clusterMetricTitle } from '../measurement/cluster-figures';
import type { Metric } from '../measurement/metric';
import { kindNamed, rateUnitOf, type RateUnit } from '../tasks/registry';
import { formatBytes, formatMs, formatNumber, formatPercent } from '../units/format';
import type { Interval } from './confidence';

/** The unit of the throughput of the task called `name`. */
export const rateUnit = (definition: Pick<Definition, 'tasks'>, name: string): RateUnit =>
  rateUnitOf(kindNamed(definition, name));

/** Whether the latency of the task called `name` is a response time: its clients wait for their answers. */
export const isResponseTime = ({ tasks }: Pick<Definition, 'tasks'>, name: string): boolean =>
  tasks.some((task) => task.name === name && isClosed(task.executor));

/**
 * `ingest throughput`, `ingest latency p99`, `queries count-by-rating service time p99`; where clients wait for their answers
 * `ingest response time p99`.
 */
export function metricName(
  { task, request, figure, field, ofCluster }: Metric,
  definition: Pick<Definition, 'tasks'>,
): string {
  if (ofCluster) return `${CLUSTER} ${clusterMetricTitle(ofCluster)}`;
  if (field !== undefined) return `bytes per document of the field ${field}`;
  const said = isResponseTime(definition, task) ? figure.replace(/^latency\b/, 'response time') : figure;
  return `${task} ${request === undefined ? '' : `${request} `}${said.replaceAll('_', ' ').replace(/\.(?=[a-z])/, ' ')}`;
}

/** A value of `metric` with its unit; `unit` is that of its task's throughput. */
export function formatMetric({ unit: kind }: Metric, value: number | null, unit: RateUnit): string {
  if (value === null) return '–';
  switch (kind) {
    case 'per-second':
      return `${formatNumber(value)} ${unit}`;
    case 'per-money':
      return `${formatNumber(value)} ${unit.replace(/\/s$/, '')} for one unit of money`;
    case 'requests-per-second':
      return `${formatNumber(value)} requests/s`;
    case 'share':
      return formatPercent(value);
    case 'ms':
      return formatMs(value);
    case 'bytes':
      return formatBytes(value);
    case 'bytes-per-second':
      return `${formatBytes(value)}/s`;
    case 'operations-per-second':
      return `${formatNumber(value)}/s`;
    case 'count':
      return formatNumber(value);
    case 'times':
      return `${formatNumber(value)} times the mean`;
  }
}

/** From this ratio on a change is said as a factor: `×4.2` reads easier than `+320%`. */
const AS_FACTOR = 4;

/** Beyond it, either way, a ratio says only that it is not known: so wide are intervals of a few trials of a second. */
const MOST_FACTOR = 1000;

/**
 * A ratio as a change: 1.234 is `+23%`, 0.95 is `−5%`, 1.004 is `+0.4%`, 12 is `×12`; `over ×1,000` and `under ×0.001` where it is beyond
 * what is measured.
 */
export function formatChange(ratio: number | null): string {
  if (ratio === null || !Number.isFinite(ratio)) return '–';
  if (ratio > MOST_FACTOR) return `over ×${formatNumber(MOST_FACTOR)}`;
  if (ratio > 0 && ratio * MOST_FACTOR < 1) return `under ×${formatNumber(1 / MOST_FACTOR)}`;
  if (ratio >= AS_FACTOR) return `×${formatNumber(ratio)}`;
  const percent = (ratio - 1) * 100;
  const size = Math.abs(percent);
  // Not rounded up to a loss of everything.
  const digits = size < 9.95 || (percent < 0 && size > 99) ? size.toFixed(1) : size.toFixed(0);
  if (Number(digits) === 0) return '±0%';
  return `${percent < 0 ? '−' : '+'}${digits.replace(/\.0$/, '')}%`;
}

/** `+17% to +29%`; `–` where there is none. */
export const formatChanges = (interval: Interval | null): string =>
  interval === null ? '–' : `${formatChange(interval.low)} to ${formatChange(interval.high)}`;

/** `a, b and 3 more`: a list that stays readable. */
export function listed(items: readonly string[], most = 4, separator = ', '): string {
  const rest = items.length - most;
  return `${items.slice(0, most).join(separator)}${rest > 0 ? ` and ${formatNumber(rest)} more` : ''}`;
}
