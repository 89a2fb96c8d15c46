/**
 * The columns of the result table, which has a row for each combination of factor levels. A column defines the displayed text, the value
 * for sorting, and the name and unit in an exported file.
 */
import { formatChange, formatChanges } from '../../../common/analysis/wording';
import type { Interval } from '../../../common/analysis/confidence';
import { parseMetric } from '../../../common/measurement/metric';
import {
  intervalSeries,
  metricFormat,
  metricWords,
  writtenName,
  type CellFigures,
  type MetricName,
} from '../../../common/report/chart/interval-series';
import { unitOf } from '../../../common/report/model/cell-names';
import type { Report, ReportCell, ReportTask } from '../../../common/report/model/report';
import { CSV_UNITS } from '../../../common/report/tables/cluster';
import { limitName } from '../../../common/report/tables/limit';
import type { RateUnit } from '../../../common/tasks/registry';
import { cell, type Tone, type TableCell } from '../../../common/report/tables/table';
import {
  changeNote,
  formatFoundTime,
  formatTime,
  outcomeTone,
  toneOf,
} from '../../../common/report/tables/wording';
import { TROUBLE } from '../../../common/measurement/outcomes';
import { formatBytes, formatMs, formatNumber, formatPercent } from '../../../common/units/format';

/** Value of a column in full precision; null if there is no value. */
export type Raw = string | number | null;

export interface CellColumn {
  id: string;
  name: string;
  /** Group shown next to the name in the column chooser. */
  group: 'metric' | 'throughput' | 'baseline' | 'response times' | 'errors' | 'index' | 'limit';
  align: 'left' | 'right';
  /** Whether the column is shown by default. */
  usual: boolean;
  show: (cell: ReportCell, task: ReportTask) => TableCell;
  /** Returns the value of the column in full precision. Rows are sorted by this value. */
  raw: (cell: ReportCell, task: ReportTask) => Raw;
  /** Name with unit in an exported file. If undefined, it is derived from `group` and `name`. */
  file?: string;
  unit?: string;
  /** Returns an interval. In an exported file, its two ends are separate columns. */
  ends?: (cell: ReportCell, task: ReportTask) => Interval | null;
}

type Reads = Pick<CellColumn, 'show' | 'raw' | 'file' | 'unit' | 'ends'>;

const figure = (
  read: (cell: ReportCell, task: ReportTask) => number | null | undefined,
  format: (value: number | null) => string,
  tone: (value: number, task: ReportTask) => Tone | undefined = () => undefined,
): Reads => ({
  show: (of, task) => {
    const value = read(of, task) ?? null;
    return cell(format(value), value === null ? undefined : tone(value, task));
  },
  raw: (of, task) => read(of, task) ?? null,
});

const column = (
  group: CellColumn['group'],
  id: string,
  name: string,
  usual: boolean,
  reads: Reads,
  align: CellColumn['align'] = 'right',
): CellColumn => ({ group, id, name, usual, align, ...reads });

const bad = (value: number): Tone | undefined => (value > 0 ? 'bad' : undefined);
const quiet = (text: string): TableCell => cell(text, 'quiet');

/** Returns the table cell that compares a row with the baseline. In the row of the baseline itself, the text is `baseline`. */
const against = (of: ReportCell, show: () => TableCell): TableCell =>
  of.baseline ? quiet('baseline') : show();

/** Mean or percentile of a metric, and its comparison with the baseline. */
type Figures = Pick<CellFigures, 'summary' | 'comparison'>;
type ReadFigures = (cell: ReportCell, task: ReportTask) => Figures | null;

const intervalReads = (
  read: ReadFigures,
  file: string,
  format: (value: number | null) => string = formatNumber,
): Reads => ({
  show: (of, task) => {
    const interval = read(of, task)?.summary.interval ?? null;
    return cell(interval === null ? '–' : `${format(interval.low)} to ${format(interval.high)}`);
  },
  raw: (of, task) => read(of, task)?.summary.interval?.low ?? null,
  file,
  ends: (of, task) => read(of, task)?.summary.interval ?? null,
});

/**
 * Returns the columns that compare rows with the baseline: the change, its interval, and the verdict. `of`: prefix of the columns' names in
 * an exported file.
 */
const changeColumns = (
  read: ReadFigures,
  better: 'higher' | 'lower',
  {
    group,
    id = '',
    of = '',
    usual = true,
  }: { group: CellColumn['group']; id?: string; of?: string; usual?: boolean },
): CellColumn[] => {
  const compared: ReadComparison = (own, task) => read(own, task)?.comparison ?? null;
  return [
    column(group, `${id}change`, 'change', usual, {
      show: (own, task) => against(own, () => cell(formatChange(compared(own, task)?.ratio ?? null))),
      raw: (own, task) => (own.baseline ? 1 : (compared(own, task)?.ratio ?? null)),
      file: `${of}ratio to baseline`,
    }),
    column(group, `${id}changes`, 'its 95% interval', usual, {
      show: (own, task) => cell(own.baseline ? '' : formatChanges(compared(own, task)?.interval ?? null)),
      raw: (own, task) => compared(own, task)?.interval?.low ?? null,
      file: `${of}ratio`,
      ends: (own, task) => compared(own, task)?.interval ?? null,
    }),
    column(
      group,
      `${id}found`,
      'found',
      usual,
      {
        show: (own, task) => {
          const found = compared(own, task);
          return own.baseline || found === null ? cell('') : cell(found.word, toneOf(found, better));
        },
        raw: (own, task) => compared(own, task)?.word ?? null,
        file: `${of}found`,
      },
      'left',
    ),
  ];
};
type ReadComparison = (cell: ReportCell, task: ReportTask) => Figures['comparison'];

const ofThroughput: ReadFigures = (_, { throughput, comparison }) => ({ summary: throughput, comparison });

const percentile = (key: 'p50' | 'p90' | 'p95' | 'p99' | 'p99_9' | 'max', usual: boolean): CellColumn =>
  column('response times', key, key.replace('_', '.'), usual, {
    show: (_, { latency, censored }) =>
      cell(formatTime(latency[key], censored?.lowerBounds.includes(key) ?? false)),
    raw: (_, { latency }) => latency[key],
  });

/** The columns of the table in which throughput is the main metric. */
const THROUGHPUT_FIRST: readonly CellColumn[] = [
  column(
    'throughput',
    'mean',
    'mean',
    true,
    figure((_, { throughput }) => throughput.mean, formatNumber),
  ),
  column('throughput', 'interval', '95% interval', true, intervalReads(ofThroughput, 'throughput')),
  column(
    'throughput',
    'best',
    'best trial',
    false,
    figure((_, { throughput }) => throughput.best, formatNumber),
  ),
  column(
    'throughput',
    'worst',
    'worst trial',
    false,
    figure((_, { throughput }) => throughput.worst, formatNumber),
  ),
  column(
    'throughput',
    'cv',
    'CV',
    true,
    figure((_, { throughput }) => throughput.cv, formatPercent),
  ),
  column(
    'throughput',
    'trials',
    'trials',
    false,
    figure((_, { throughput }) => throughput.n, formatNumber),
  ),
  ...changeColumns(ofThroughput, 'higher', { group: 'baseline' }),
  percentile('p50', true),
  percentile('p90', false),
  percentile('p95', false),
  percentile('p99', true),
  percentile('p99_9', false),
  percentile('max', false),
  column(
    'response times',
    'p99corrected',
    'p99, corrected',
    false,
    figure((_, { corrected }) => corrected?.times.p99, formatMs),
  ),
  column(
    'response times',
    'p99found',
    'p99 against the baseline',
    false,
    {
      show: (of, { latencyComparison }) =>
        of.baseline || latencyComparison === null
          ? quiet('baseline')
          : cell(formatFoundTime(latencyComparison), toneOf(latencyComparison, 'lower')),
      raw: (of, { latencyComparison }) => (of.baseline ? 1 : (latencyComparison?.ratio ?? null)),
    },
    'left',
  ),
  column(
    'errors',
    'rejectionRate',
    'rejection rate',
    true,
    figure((_, task) => task.rejectionRate, formatPercent, bad),
  ),
  ...TROUBLE.map((outcome) =>
    column(
      'errors',
      outcome.name,
      outcome.label.text,
      // Rejections already have a column with their rate.
      outcome.error && outcome.name !== 'rejected',
      figure(
        (_, { counts }) => counts[outcome.name],
        formatNumber,
        (value) => outcomeTone(outcome, value),
      ),
    ),
  ),
  column(
    'index',
    'shards',
    'shards per node',
    true,
    {
      show: ({ state }) => cell(state?.shards.join(' or ') ?? '–'),
      raw: ({ state }) => state?.shards.join(' or ') ?? null,
    },
    'left',
  ),
  column(
    'index',
    'segments',
    'segments',
    false,
    figure(({ state }) => state?.segments, formatNumber),
  ),
  column(
    'index',
    'store',
    'primary store',
    false,
    figure(({ state }) => state?.storeBytes, formatBytes),
  ),
  column(
    'index',
    'bytesPerDocument',
    'bytes per document',
    false,
    figure(({ state }) => state?.bytesPerDocument, formatBytes),
  ),
  column(
    'index',
    'shardSkewDocs',
    'largest shard / mean (documents)',
    false,
    figure(({ state }) => state?.shardSkew.docs, formatNumber),
  ),
  column(
    'index',
    'shardSkewBytes',
    'largest shard / mean (bytes)',
    false,
    figure(({ state }) => state?.shardSkew.bytes, formatNumber),
  ),
  column(
    'limit',
    'limit',
    'limit',
    true,
    {
      show: ({ limit }) => cell(limit === null ? '–' : limitName(limit.name)),
      raw: ({ limit }) => (limit === null ? null : limitName(limit.name)),
    },
    'left',
  ),
];

const UNITS: Partial<Record<CellColumn['group'], string>> = {
  'response times': ' (ms)',
  throughput: ' (/s)',
};
const UNITLESS: readonly string[] = ['cv', 'trials', 'p99found'];

/** Returns the unit for the name of a column in a file, in brackets and with a leading space; '' for a column without a unit. */
export const unitInFile = ({ id, group, unit }: CellColumn): string =>
  unit ?? (UNITLESS.includes(id) ? '' : (UNITS[group] ?? ''));

export function nameInFile(own: CellColumn): string {
  const { id, name, group, file } = own;
  if (file !== undefined) return file;
  if (id === 'store') return 'primary store (bytes)';
  const before = group === 'throughput' ? 'throughput ' : group === 'response times' ? 'response time ' : '';
  return `${before}${name}${unitInFile(own)}`;
}

/**
 * Adapts a column for a table whose main metric is not the throughput. The name of a throughput column gets the word *throughput*, and all
 * of these columns except the mean are hidden by default. Other columns stay unchanged.
 */
const besideMetric = (own: CellColumn, rate: RateUnit): CellColumn => {
  if (own.group !== 'throughput' && own.group !== 'baseline') return own;
  if (own.id === 'mean') return { ...own, name: `throughput, ${rate}`, file: nameInFile(own) };
  return { ...own, name: `throughput ${own.name}`, file: nameInFile(own), usual: false };
};

/** Id of the column of the table's main metric. */
export const METRIC_COLUMN = 'metric';

/** Returns the columns of the result table for a task. The first columns show `metric` and its comparison. */
export function cellColumns(report: Report, task: string, metric: MetricName): readonly CellColumn[] {
  if (metric === 'throughput') return THROUGHPUT_FIRST;
  const name = writtenName(task, metric);
  const { better, unit } = parseMetric(name)!;
  const format = metricFormat(metric);
  const rate = unitOf(report, task);
  const inFile = CSV_UNITS[unit] ?? '';
  const series = intervalSeries(report, task, metric);
  const read: ReadFigures = ({ index }) =>
    series[report.cells.findIndex((own) => own.index === index)] ?? null;
  return [
    column('metric', METRIC_COLUMN, metricWords(name, report, rate).title, true, {
      ...figure((...of) => read(...of)?.summary.mean, format),
      file: `${name}${inFile}`,
    }),
    column('metric', 'metric-interval', '95% interval', true, {
      ...intervalReads(read, name, format),
      unit: inFile,
    }),
    ...changeColumns(read, better, { group: 'metric', id: 'metric-', of: `${name} ` }),
    // These columns are hidden by default. A percentile over all requests would otherwise appear next to the mean of the trials'
    // percentiles, as two different numbers with the same name.
    ...THROUGHPUT_FIRST.map((own) => besideMetric(own.id === metric ? { ...own, usual: false } : own, rate)),
  ];
}

export const usualColumns = (columns: readonly CellColumn[]): string[] =>
  columns.filter(({ usual }) => usual).map(({ id }) => id);

/**
 * Returns a note if a displayed change differs from the ratio of the two displayed means; otherwise ''. The reason for a difference is that
 * changes are calculated from the values of single trials.
 */
export function cellsNote(report: Report, task: string, metric: MetricName): string {
  const series = intervalSeries(report, task, metric);
  return changeNote(
    series.map((own) => ({
      ratio: own?.comparison?.ratio,
      value: own?.summary.mean,
      against: series[report.baseline]?.summary.mean,
    })),
  );
}
