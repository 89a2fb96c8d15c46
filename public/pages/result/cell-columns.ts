/** The columns of the table of cells: what is shown (the words of the report's tables), sorted by and written to a file. */
import { formatChange, formatChanges } from '../../../common/analysis/wording';
import { limitName } from '../../../common/report/tables/limit';
import type { ReportCell, ReportTask } from '../../../common/report/model/report';
import { cell, type Tone, type TableCell } from '../../../common/report/tables/table';
import {
  formatFoundTime,
  formatInterval,
  formatTime,
  outcomeTone,
  toneOf,
} from '../../../common/report/tables/wording';
import { TROUBLE } from '../../../common/measurement/outcomes';
import { formatBytes, formatMs, formatNumber, formatPercent } from '../../../common/units/format';

/** Null where there is no figure. */
export type Raw = string | number | null;

export interface CellColumn {
  id: string;
  name: string;
  /** Beside the name where columns are chosen. */
  group: 'throughput' | 'baseline' | 'response times' | 'errors' | 'index' | 'limit';
  align: 'left' | 'right';
  /** Shown unless another choice was made. */
  usual: boolean;
  show: (cell: ReportCell, task: ReportTask) => TableCell;
  /** In full precision; also what it is sorted by. */
  raw: (cell: ReportCell, task: ReportTask) => Raw;
}

type Reads = Pick<CellColumn, 'show' | 'raw'>;

const figure = (
  read: (cell: ReportCell, task: ReportTask) => number | null | undefined,
  format: (value: number | null | undefined) => string,
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

/** Said of other cells only. */
const against = (of: ReportCell, show: () => TableCell): TableCell =>
  of.baseline ? quiet('baseline') : show();

const percentile = (key: 'p50' | 'p90' | 'p95' | 'p99' | 'p99_9' | 'max', usual: boolean): CellColumn =>
  column('response times', key, key.replace('_', '.'), usual, {
    show: (_, { latency, censored }) =>
      cell(formatTime(latency[key], censored?.lowerBounds.includes(key) ?? false)),
    raw: (_, { latency }) => latency[key],
  });

export const CELL_COLUMNS: readonly CellColumn[] = [
  column(
    'throughput',
    'mean',
    'mean',
    true,
    figure((_, { throughput }) => throughput.mean, formatNumber),
  ),
  column('throughput', 'interval', '95% interval', true, {
    show: (_, { throughput }) => cell(formatInterval(throughput.interval)),
    raw: (_, { throughput }) => throughput.interval?.low ?? null,
  }),
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
  column('baseline', 'change', 'change', true, {
    show: (of, { comparison }) => against(of, () => cell(formatChange(comparison?.ratio ?? null))),
    raw: (of, { comparison }) => (of.baseline ? 1 : (comparison?.ratio ?? null)),
  }),
  column('baseline', 'changes', 'its 95% interval', true, {
    show: (of, { comparison }) =>
      of.baseline ? cell('') : cell(formatChanges(comparison?.interval ?? null)),
    raw: (_, { comparison }) => comparison?.interval?.low ?? null,
  }),
  column(
    'baseline',
    'found',
    'found',
    true,
    {
      show: (of, { comparison }) =>
        of.baseline || comparison === null ? cell('') : cell(comparison.word, toneOf(comparison, 'higher')),
      raw: (_, { comparison }) => comparison?.word ?? null,
    },
    'left',
  ),
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
      // Rejections have a column as a rate.
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

export const USUAL_COLUMNS = CELL_COLUMNS.filter(({ usual }) => usual).map(({ id }) => id);
