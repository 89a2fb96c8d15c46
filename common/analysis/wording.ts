/** Describes metrics, values and changes for sentences and tables, always in the same way and with units. */
import type { Definition } from '../experiment/definition';
import { isClosed } from '../executors/registry';
import { CLUSTER, clusterMetricTitle } from '../measurement/cluster-metrics';
import { answerFigureOf, type Metric } from '../measurement/metric';
import { kindNamed, rateUnitOf, type RateUnit } from '../tasks/registry';
import { formatBytes, formatMs, formatNumber, formatPercent } from '../units/format';
import type { Interval } from './confidence';
import { SIZE, SPEED, type Direction } from './effect';

/** Returns the unit of the throughput of the task called `name`. */
export const rateUnit = (definition: Pick<Definition, 'tasks'>, name: string): RateUnit =>
  rateUnitOf(kindNamed(definition, name));

/**
 * Returns whether the latency of the task called `name` is a response time. This is the case if the clients of the task wait for the
 * responses (closed executor).
 */
export const isResponseTime = ({ tasks }: Pick<Definition, 'tasks'>, name: string): boolean =>
  tasks.some((task) => task.name === name && isClosed(task.executor));

/**
 * Returns a name such as `ingest throughput`, `ingest latency p99` or `queries count-by-rating service time p99`. If the clients of the
 * task wait for the responses, the latency is called response time.
 */
export function metricName(
  { task, request, figure, field, ofCluster }: Metric,
  definition: Pick<Definition, 'tasks'>,
): string {
  if (ofCluster) return `${CLUSTER} ${clusterMetricTitle(ofCluster)}`;
  if (field !== undefined) return `bytes per document of the field ${field}`;
  const name = isResponseTime(definition, task) ? figure.replace(/^latency\b/, 'response time') : figure;
  return `${task} ${request === undefined ? '' : `${request} `}${name.replaceAll('_', ' ').replace(/\.(?=[a-z])/, ' ')}`;
}

/** A metric as the subject of a sentence, such as `p99 response time of search`. */
export interface MetricSubject {
  noun: string;
  /** The verb that agrees with the noun. */
  is: 'is' | 'are';
  direction: Direction;
}

const TIME_STATISTICS: Readonly<Record<string, string>> = { mean: 'mean', min: 'shortest', max: 'longest' };

/** Returns `p99 latency` or `mean service time`. */
function timeNoun(figure: string, isResponse: boolean): string {
  const [, kind, statistic] = /^(latency|service_time)\.(.+)$/.exec(figure) ?? [];
  const name = kind === 'service_time' ? 'service time' : isResponse ? 'response time' : 'latency';
  return `${TIME_STATISTICS[statistic!] ?? statistic} ${name}`;
}

const INDEX_NOUNS: Readonly<Record<string, string>> = {
  bytes_per_document: 'index size per document',
  store_bytes: 'index size',
  segments: 'number of segments',
  'shard_skew.docs': 'skew of documents between shards',
  'shard_skew.bytes': 'skew of bytes between shards',
};

/**
 * Returns the noun for a metric, such as `highest sustainable rate`. The noun does not contain the name of the task. `counted`: noun for
 * what the task counts, such as documents. `isResponse`: whether latencies are called response times.
 */
function taskNoun(metric: Metric, counted: string, isResponse: boolean): string {
  const { figure, unit, request } = metric;
  const answer = answerFigureOf(metric);
  if (answer !== undefined) return `${answer} in the answers`;
  if (unit === 'ms') return timeNoun(figure, isResponse);
  if (figure === 'sustainable_rate') return 'highest sustainable rate';
  if (figure === 'per_money') return `number of ${counted} per unit of money`;
  if (figure === 'unparsed') return 'number of unparsed lines';
  if (unit !== 'count') return figure.replaceAll('_', ' ');
  if (request !== undefined) return figure === 'failed' ? 'number of failed requests' : 'number of requests';
  return `number of ${figure} ${figure === 'unsent' ? 'requests' : counted}`;
}

/**
 * Returns whether a noun is plural: `merges`, `bytes written to disks` and `request cache hits` are; `heap`, `time of merges` and `CPU time
 * for refreshes` are not.
 */
function isPlural(noun: string): boolean {
  const head = noun.split(/,| (?:of|to|for|from|over|by|in)\b/)[0]!.split(' ');
  return [head[0]!, head.at(-1)!].some((word) => /[^s]s$/.test(word));
}

/** Returns the words for a metric as the subject of a sentence. The subject of a throughput is the task itself: `ingest is 35% faster`. */
export function metricSubject(metric: Metric, definition: Pick<Definition, 'tasks'>): MetricSubject {
  const { task, figure, field, step, ofIndex, ofCluster, request } = metric;
  const subject = (noun: string, direction = SIZE): MetricSubject => ({
    noun,
    is: isPlural(noun) ? 'are' : 'is',
    direction,
  });
  if (ofCluster) {
    const title = clusterMetricTitle(ofCluster);
    return { ...subject(title), noun: `the cluster’s ${title}` };
  }
  if (field !== undefined) return subject(`index size per document of the field ${field}`);
  if (step !== undefined) return subject(`time of the recipe step ${step}`);
  if (ofIndex) return subject(INDEX_NOUNS[figure] ?? figure.replaceAll('_', ' '));
  if (figure === 'throughput') return subject(task, SPEED);
  const counted = rateUnit(definition, task)
    .replace(/\/s$/, '')
    .replace(/^docs$/, 'documents');
  const noun = taskNoun(metric, counted, isResponseTime(definition, task));
  return subject(`${noun} of ${request === undefined ? task : `${request} in ${task}`}`);
}

/** Formats a value of `metric` with its unit. `unit`: unit in which the task's throughput is counted, such as docs/s. */
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

/** Ratio from which a change is written as a factor, because `×4.2` is easier to read than `+320%`. */
const AS_FACTOR = 4;

/**
 * Ratio above which a change counts as unknown; for decreases, the inverse ratio counts. Such ratios occur with a few trials of one second
 * each.
 */
const MOST_FACTOR = 1000;

/**
 * Formats a ratio as a change: `+23%` for 1.234, `−5%` for 0.95, `+0.4%` for 1.004, `×12` for 12. Extreme ratios become `over ×1,000` or
 * `under ×0.001`. Returns `–` for null.
 */
export function formatChange(ratio: number | null): string {
  if (ratio === null || !Number.isFinite(ratio)) return '–';
  if (ratio > MOST_FACTOR) return `over ×${formatNumber(MOST_FACTOR)}`;
  if (ratio > 0 && ratio * MOST_FACTOR < 1) return `under ×${formatNumber(1 / MOST_FACTOR)}`;
  if (ratio >= AS_FACTOR) return `×${formatNumber(ratio)}`;
  const percent = (ratio - 1) * 100;
  const size = Math.abs(percent);
  // A decrease by more than 99% keeps a decimal, so that it is not rounded to 100%.
  const digits = size < 9.95 || (percent < 0 && size > 99) ? size.toFixed(1) : size.toFixed(0);
  if (Number(digits) === 0) return '±0%';
  return `${percent < 0 ? '−' : '+'}${digits.replace(/\.0$/, '')}%`;
}

/** Returns `+17% to +29%`; `–` without an interval. */
export const formatChanges = (interval: Interval | null): string =>
  interval === null ? '–' : `${formatChange(interval.low)} to ${formatChange(interval.high)}`;

/**
 * Formats a difference of shares in points, such as `−12` or `+4.2`. A point is one percent of the whole: from 18% to 6%, the difference is
 * −12 points.
 */
export function formatPoints(difference: number): string {
  const size = Math.abs(difference) * 100;
  const digits = (size < 9.95 ? size.toFixed(1) : size.toFixed(0)).replace(/\.0$/, '');
  if (digits === '0') return '0';
  return `${difference < 0 ? '−' : '+'}${digits}`;
}

/** Formats an interval of a difference of shares in points, such as `−14 to −9`. */
export const formatPointsInterval = ({ low, high }: Pick<Interval, 'low' | 'high'>): string =>
  `${formatPoints(low)} to ${formatPoints(high)}`;

/** Returns `a`, `a and b` or `a, b and c`. */
export const joined = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/** Returns `a, b and 3 more`. */
export function listed(items: readonly string[], most = 4, separator = ', '): string {
  const rest = items.length - most;
  return `${items.slice(0, most).join(separator)}${rest > 0 ? ` and ${formatNumber(rest)} more` : ''}`;
}
