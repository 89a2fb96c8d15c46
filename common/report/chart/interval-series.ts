/**
 * Calculates the chart of intervals. For each cell (combination of factor levels), it contains the values of all trials, their mean and the
 * interval of the mean.
 */
import type { Comparison } from '../../analysis/comparison';
import { LEVEL } from '../../analysis/confidence';
import { summarise, type Summary } from '../../analysis/summary';
import { formatMetric, metricName } from '../../analysis/wording';
import { sustainableRate } from '../../measurement/highest-rate';
import { PERCENTILES, valuesNeeded, type LatencySummary } from '../../measurement/histogram';
import { isOfTask, parseMetric, perMoney, requestKey, type Metric } from '../../measurement/metric';
import type { RateUnit } from '../../tasks/registry';
import { bytesUnit, formatMs, formatNumber, formatPercent, sentenceCase } from '../../units/format';
import type { ReportClusterCell, ReportClusterFigure } from '../model/cluster';
import { cellNames } from '../model/cell-names';
import type { Report, ReportTask, ReportTrial } from '../model/report';
import { spanOf, type Mark, type Span } from './axes';

/** Short names of the metrics that the chart of a task can show. */
export const METRICS = ['throughput', 'sustainable', 'per_money', 'p50', 'p99', 'rejections'] as const;
type TaskMetricName = (typeof METRICS)[number];
/**
 * Name of a metric in the chart. Metrics of a task have a short name, such as `p99`. Metrics of the cluster and the metric of the first
 * claim have the name that claims use, such as `search.latency.p99`.
 */
export type MetricName = TaskMetricName | `${string}.${string}`;

type TrialTask = ReportTrial['tasks'][number];

interface MetricKind {
  /** Name of the metric in claims, without the name of the task in front. */
  figure: string;
  better: 'higher' | 'lower';
  /**
   * Returns the value of the metric in a trial. `task`: the task in the trial. `cell`: results of the task for the trial's combination of
   * factor levels.
   */
  read: (task: TrialTask, cell: ReportTask) => number | null;
  /** Returns the summary of the metric over the trials with the same factor levels; null if the report does not contain it. */
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

/** Returns the task of the first claim. Charts show this task until the reader selects another one. */
export const firstTask = ({ focus, tasks }: Pick<Report, 'focus' | 'tasks'>): string =>
  tasks.includes(focus.task) ? focus.task : (tasks[0] ?? '');

/** Returns the kind of time and the percentile of a metric such as `latency.p99`. Undefined for metrics that are not percentiles. */
function percentileOf(figure: string): { of: 'latency' | 'service'; percentile: string } | undefined {
  const [, of, percentile] = /^(latency|service_time)\.p([\d.]+)$/.exec(figure) ?? [];
  return percentile === undefined ? undefined : { of: of === 'latency' ? 'latency' : 'service', percentile };
}

/**
 * Returns the metric that charts of `task` show first. It is the metric of the first claim, if this claim is about `task`, the indices or
 * the cluster. Otherwise, it is the throughput.
 *
 * The throughput also replaces a claimed metric without a value in any trial. A percentile is kept if it can be calculated from all
 * requests of a cell together.
 */
export function firstMetric(report: Report, task: string): MetricName {
  const { metric: name, cells } = report.focus;
  if (task !== firstTask(report)) return 'throughput';
  const short = METRICS.find((one) => name === `${task}.${METRIC_KINDS[one].figure}`);
  if (short !== undefined) return short;
  const isThere =
    cells.length > 0 || pooledOf(report, task, name as MetricName)?.cells.some((cell) => cell !== null);
  return isThere ? (name as MetricName) : 'throughput';
}

/**
 * Returns whether the chart can show the metric `text`. It can show the short names in {@link METRICS}, the metric of the first claim, and
 * metrics of the cluster that have a value.
 */
export const isMetric = (report: Report, task: string, text: string): text is MetricName =>
  isTaskMetric(text) ||
  text === firstMetric(report, task) ||
  clusterFigures(report).some(({ metric }) => metric === text);

/** Returns the metrics of the cluster that at least one trial has. */
export const clusterFigures = ({ cluster }: Pick<Report, 'cluster'>): ReportClusterFigure[] =>
  cluster.filter(({ cells }) => cells.length > 0);

/** Returns the name that claims use for a metric, such as `search.latency.p99`. */
export const writtenName = (task: string, metric: MetricName): string =>
  isTaskMetric(metric) ? `${task}.${METRIC_KINDS[metric].figure}` : metric;

/** Words for a metric in charts, and functions that format its values. */
export interface MetricWords {
  /** Title, such as `Search latency p99`. */
  title: string;
  /** Unit of plain numbers, such as `docs/s`; '' if every value is written with its unit. */
  unit: string;
  /** Formats a value for the axis, without the unit if {@link MetricWords.unit} contains it. */
  tick: (value: number | null) => string;
  /** Formats a value with its unit. */
  value: (value: number | null) => string;
}

/**
 * Returns the title, the unit and the formats of a metric. `metric`: its name in claims. `rate`: the unit of the throughput of its task.
 */
export function metricWords(
  metric: string,
  { definition }: Pick<Report, 'definition'>,
  rate: RateUnit,
): MetricWords {
  const parsed = parseMetric(metric);
  if (parsed === undefined) return { title: metric, unit: '', tick: formatNumber, value: formatNumber };
  const value = (own: number | null): string => formatMetric(parsed, own, rate);
  const unit =
    parsed.unit === 'per-second' ? rate : parsed.unit === 'requests-per-second' ? 'requests/s' : '';
  return {
    title: sentenceCase(metricName(parsed, definition)),
    unit,
    tick: unit === '' ? value : formatNumber,
    value,
  };
}

/** Returns the format of the metric's values on an axis. */
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
 * Returns the axis of a metric. It contains all marks, and the values in `always`. The axis of a rate begins at zero.
 *
 * @param metric a name in {@link METRICS}, or the name of a metric as claims write it, such as `cluster.cpu`
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

/**
 * Returns the values of the first claim's metric, or of a metric of the cluster, for each combination of factor levels. `metric`: name that
 * claims use for the metric.
 */
function figureSeries(report: Report, metric: string): (CellFigures | null)[] {
  const found = [report.focus, ...report.cluster].find((figure) => figure.metric === metric);
  return report.cells.map((_, at) => {
    const cell = found?.cells[at];
    return cell ? cellFigures(cell) : null;
  });
}

function cellFigures({ summary, orders, comparison }: ReportClusterCell): CellFigures {
  const trials = summary.values.map((value, trial) => ({ order: orders[trial]!, value }));
  return { ...markOf(summary), comparison, trials, pooled: false };
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
  /** Values of the single trials in the order of execution. They are in the same order as `values`. */
  trials: { order: number; value: number }[];
  /** Whether the value is a percentile over all requests of the cell's trials together. If not, the value is the mean over the trials. */
  pooled: boolean;
}

/** Returns the values for each cell, in the order of the report's cells (combinations of factor levels). Null for cells without a value. */
export function intervalSeries(report: Report, task: string, metric: MetricName): (CellFigures | null)[] {
  const overTrials = isTaskMetric(metric) ? taskSeries(report, task, metric) : figureSeries(report, metric);
  return withPooled(report, task, metric, overTrials);
}

/**
 * Returns the values of the first claim's metric for each combination of factor levels (cell). If the metric is a percentile that no trial
 * has, returns the percentile over all requests of each cell together.
 */
export function focusSeries(report: Report): (CellFigures | null)[] {
  const { task, metric, cells } = report.focus;
  return cells.length > 0 ? figureSeries(report, metric) : intervalSeries(report, task, metric as MetricName);
}

function taskSeries(report: Report, task: string, metric: TaskMetricName): (CellFigures | null)[] {
  const kind = METRIC_KINDS[metric];
  const claimed = writtenName(task, metric) === report.focus.metric ? report.focus.cells : [];
  return report.cells.map(({ index, tasks }, at) => {
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
    const comparison = kind.comparison(own) ?? claimed[at]?.comparison ?? null;
    return { ...markOf(summary), values, comparison, trials, pooled: false };
  });
}

/**
 * Times of all requests of a cell's trials together, for one task or one of its named requests. A cell is a combination of factor levels.
 */
interface Pooled {
  of: 'latency' | 'service';
  percentile: string;
  /** Times of each combination of factor levels (cell). Null if the cell does not have the task or request. */
  cells: ({ times: LatencySummary; intervals: ReportTask['intervals'] | null } | null)[];
}

/** Returns the times of all requests of each combination of factor levels together. Null for metrics that are not percentiles. */
function pooledOf({ cells }: Report, task: string, metric: MetricName): Pooled | null {
  const parsed = parseMetric(writtenName(task, metric));
  const percentile = parsed && isOfTask(parsed) ? percentileOf(parsed.figure) : undefined;
  if (!parsed || percentile === undefined) return null;
  return {
    ...percentile,
    cells: cells.map(({ tasks }) => {
      const own = tasks.find((candidate) => candidate.task === parsed.task);
      if (own === undefined) return null;
      if (parsed.request === undefined) return { times: own[percentile.of], intervals: own.intervals };
      const request = own.requests.find(({ name }) => requestKey(name) === parsed.request);
      const times = request?.[percentile.of] ?? null;
      return times === null ? null : { times, intervals: null };
    }),
  };
}

/**
 * Replaces the percentiles of single trials by percentiles over all requests of a cell, if at least one trial has too few requests for the
 * percentile. The replacement affects all cells, because only equal methods make the cells comparable.
 */
function withPooled(
  report: Report,
  task: string,
  metric: MetricName,
  series: readonly (CellFigures | null)[],
): (CellFigures | null)[] {
  const pooled = pooledOf(report, task, metric);
  const key = PERCENTILES.find(({ percentile }) => String(percentile) === pooled?.percentile)?.key;
  if (pooled === null || key === undefined) return [...series];
  const values = pooled.cells.map((cell) => cell?.times[key] ?? null);
  const isShort = report.cells.some(
    ({ completed }, at) => values[at] !== null && (series[at]?.trials.length ?? 0) < completed,
  );
  if (!isShort) return [...series];
  return series.map((known, at): CellFigures | null => {
    const value = values[at]!;
    if (value === null) return null;
    const interval = pooled.cells[at]!.intervals?.[pooled.of][key] ?? null;
    const trials = known?.trials ?? [];
    const summary = {
      ...summarise(
        trials.map((trial) => trial.value),
        'lower',
      ),
      mean: value,
      interval: interval && { ...interval, level: LEVEL },
      cv: null,
    };
    return { ...markOf(summary), comparison: known?.comparison ?? null, trials, pooled: true };
  });
}

/**
 * Returns the reason why the chart of a percentile is empty: how many requests the percentile requires, and how many there were. Returns ''
 * if the metric is not a percentile.
 */
export function tooFewRequests(report: Report, task: string, metric: MetricName): string {
  const pooled = pooledOf(report, task, metric);
  if (pooled === null) return '';
  const { names } = cellNames(report);
  const counts = pooled.cells.flatMap((cell, at) =>
    cell === null ? [] : [`${names[at]!}: ${formatNumber(cell.times.count)}`],
  );
  const { percentile } = pooled;
  const needed = formatNumber(valuesNeeded(Number(percentile)));
  return `Too few requests: p${percentile} needs ${needed} in a cell. The cells have ${counts.join(', ')}. Measure longer, or choose a lower percentile.`;
}
