/** How figures and changes are said in sentences and tables: with their units, the same everywhere. */
import type { Definition } from '../experiment/definition';
import { isClosed } from '../executors/registry';
import { CLUSTER, clusterMetricTitle } from '../measurement/cluster-figures';
import { answerFigureOf, type Metric } from '../measurement/metric';
import { kindNamed, rateUnitOf, type RateUnit } from '../tasks/registry';
import { formatBytes, formatMs, formatNumber, formatPercent } from '../units/format';
import type { Interval } from './confidence';
import { SIZE, SPEED, type Direction } from './effect';

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

/** A metric as the subject of a sentence: `p99 response time of search`. */
export interface MetricSubject {
  noun: string;
  /** The verb that goes with it. */
  is: 'is' | 'are';
  direction: Direction;
}

const TIME_STATISTICS: Readonly<Record<string, string>> = { mean: 'mean', min: 'shortest', max: 'longest' };

/** `p99 latency`, `mean service time`. */
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

/** The noun of a metric of a task or a request, without the task. */
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

/** `merges`, `bytes written to disks`, `request cache hits` are plural; `heap` and `time of merges` are not. */
function isPlural(noun: string): boolean {
  const head = noun.split(/,| (?:of|to|from|over|by|in)\b/)[0]!.split(' ');
  return [head[0]!, head.at(-1)!].some((word) => /[^s]s$/.test(word));
}

/** Returns the words for a metric in a sentence. A throughput is said by its task: `ingest is 35% faster`. */
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

/** `a`, `a and b`, `a, b and c`. */
export const joined = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;

/** `a, b and 3 more`: a list that stays readable. */
export function listed(items: readonly string[], most = 4, separator = ', '): string {
  const rest = items.length - most;
  return `${items.slice(0, most).join(separator)}${rest > 0 ? ` and ${formatNumber(rest)} more` : ''}`;
}
