/** Builds the tables for a comparison of runs. */
import type { Comparison } from '../../analysis/comparison';
import { formatChange, formatChanges, listed } from '../../analysis/wording';
import { formatMinute, formatMs, formatNumber, formatPercent } from '../../units/format';
import type { ClusterRow, Difference, RunComparison } from '../model/comparison';
import { letter } from '../model/comparison-summary';
import { formatClusterFigure } from './cluster';
import { cell, left, optional, right, type Table, type TableCell } from './table';
import { formatInterval, rateName, toneOf, TRUST_TONES } from './wording';

/**
 * Returns the tables of a comparison for all output formats: the runs, the differences in their set-up, the throughput of each task, and
 * the metrics of the cluster. `brief`: whether the tables contain only metrics that differ by more than the margin.
 */
export function comparisonTables(comparison: RunComparison, { brief = false } = {}): Table[] {
  const tasks = [...new Set(comparison.rows.map(({ task }) => task))];
  return [
    runsTable(comparison),
    differencesTable(comparison),
    ...tasks.map((task) => taskTable(comparison, task)),
    ...(comparison.cluster.length === 0 ? [] : [clusterTable(comparison, brief)]),
  ];
}

const runsTable = ({ runs, unfair }: RunComparison): Table => ({
  title: 'Runs',
  note: '',
  columns: [
    left(''),
    left('run'),
    left('experiment'),
    left('started'),
    left('state'),
    left('verdict'),
    left('trust'),
    left('against A'),
  ],
  rows: runs.map(({ id, name, started, state, verdict, trust }, at) => [
    cell(letter(at)),
    cell(id),
    cell(name),
    cell(formatMinute(started)),
    cell(state),
    cell(verdict),
    trust === null ? cell('–') : cell(trust.level, TRUST_TONES[trust.level]),
    at === 0
      ? cell('')
      : unfair[at]!.length === 0
        ? cell('comparable', 'good')
        : cell('not comparable', 'warning'),
  ]),
});

const WEIGHT_CELLS: Record<Difference['weight'], TableCell> = {
  unfair: cell('not comparable', 'warning'),
  studied: cell('what is compared'),
  aside: cell('no effect', 'quiet'),
};

const differencesTable = ({ runs, differences: found }: RunComparison): Table => ({
  title: found.length === 0 ? 'Differences: none known' : 'Differences',
  note: '',
  columns: [left('what'), ...runs.map((_, at) => left(letter(at))), left('effect')],
  rows: found.map(({ what, values, weight }) => [
    cell(what),
    ...values.map((value) => cell(value)),
    WEIGHT_CELLS[weight],
  ]),
});

function taskTable({ unfair, rows }: RunComparison, task: string): Table {
  const own = rows.filter((row) => row.task === task);
  return {
    title: `Throughput of ${task}, ${rateName(own[0]!.unit)}`,
    note:
      'n: completed trials. Runs happen at different times. Unlike trials within a run, they are not interleaved, so any change in ' +
      'between counts as a difference.',
    columns: [
      left('cell'),
      left('run'),
      right('mean'),
      right('95% interval'),
      right('n'),
      right('p99'),
      right('against A'),
      optional(right('95% interval')),
      optional(left('found')),
    ],
    rows: own.flatMap(({ cell: name, runs }) =>
      runs.map((run, at) => {
        const start = [cell(at === 0 ? name : ''), cell(letter(at))];
        if (run === null)
          return [
            ...start,
            ...Array.from({ length: 6 }, () => cell('–')),
            cell('no completed trial', 'quiet'),
          ];
        const { throughput, latency, comparison } = run;
        return [
          ...start,
          cell(formatNumber(throughput.mean)),
          cell(formatInterval(throughput.interval)),
          cell(formatNumber(throughput.n)),
          cell(formatMs(latency.p99)),
          cell(at === 0 ? '' : formatChange(comparison?.ratio ?? null)),
          cell(at === 0 ? '' : formatChanges(comparison?.interval ?? null)),
          foundCell(comparison, unfair[at]!),
        ];
      }),
    ),
  };
}

const isIdle = ({ runs }: ClusterRow): boolean =>
  runs.every((run) => run === null || run.summary.values.every((value) => value === 0));

/**
 * Divides the metrics of the cluster in two: `rows` are shown in the table, `idle` are the names of the metrics that were 0 in every trial
 * of every run.
 */
export function busyFigures({ cluster }: RunComparison): { rows: ClusterRow[]; idle: string[] } {
  const metrics = [...new Set(cluster.map(({ metric }) => metric))];
  const ofMetric = (metric: string): ClusterRow[] => cluster.filter((row) => row.metric === metric);
  const idle = metrics.filter((metric) => ofMetric(metric).every(isIdle));
  return { rows: cluster.filter(({ metric }) => !idle.includes(metric)), idle };
}

/** Returns whether the mean of any run differs from that of the first run by more than the margin. */
export const differs = (
  { runs }: { runs: readonly ({ comparison: Comparison | null } | null)[] },
  margin: number,
): boolean =>
  runs.some((run, at) => {
    if (at === 0 || !run?.comparison) return false;
    const { ratio, difference } = run.comparison;
    return ratio === null ? difference !== 0 : Math.abs(ratio - 1) > margin;
  });

/**
 * Returns a note on how to read the metrics of the cluster, and on metrics that are not shown. `alike`: names of metrics that differ by no
 * more than the margin.
 */
export const clusterNote = (comparison: RunComparison, alike: readonly string[] = []): string => {
  const { idle } = busyFigures(comparison);
  return [
    'Means over trials. A value from another source than that of A is not tested, because the two sources measure slightly differently.',
    idle.length === 0 ? '' : `0 in all trials: ${idle.join(', ')}.`,
    alike.length === 0
      ? ''
      : `Within ±${formatPercent(comparison.margin)} of A in every cell: ${alike.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ');
};

export const CLUSTER_TITLE = 'Metrics of the cluster over the measured phase';

function clusterTable(comparison: RunComparison, brief: boolean): Table {
  const { rows: all } = busyFigures(comparison);
  const shown = new Set(
    all.filter((row) => !brief || differs(row, comparison.margin)).map(({ metric }) => metric),
  );
  const rows = all.filter(({ metric }) => shown.has(metric));
  const alike = new Set(all.map(({ metric }) => metric).filter((metric) => !shown.has(metric)));
  return {
    title: CLUSTER_TITLE,
    note: clusterNote(comparison, [...alike]),
    columns: [
      left('metric'),
      left('cell'),
      left('run'),
      right('mean'),
      right('95% interval'),
      right('n'),
      left('by'),
      right('against A'),
      optional(right('95% interval of it')),
      optional(left('found')),
    ],
    rows: rows.flatMap(({ cell: name, metric, better, runs }) =>
      runs.map((run, at) => {
        const start = [cell(at === 0 ? metric : ''), cell(at === 0 ? name : ''), cell(letter(at))];
        if (run === null)
          return [...start, ...Array.from({ length: 6 }, () => cell('–')), cell('not measured', 'quiet')];
        const { summary, source, comparison: own } = run;
        const value = (of: number | null): string => formatClusterFigure({ metric }, of);
        const { interval } = summary;
        return [
          ...start,
          cell(value(summary.mean)),
          cell(interval === null ? '–' : `${value(interval.low)} to ${value(interval.high)}`),
          cell(formatNumber(summary.n)),
          cell(source),
          cell(at === 0 ? '' : formatChange(own?.ratio ?? null)),
          cell(at === 0 ? '' : formatChanges(own?.interval ?? null)),
          foundCell(own, comparison.unfair[at]!, better),
        ];
      }),
    ),
    folded: true,
  };
}

function foundCell(
  comparison: Comparison | null,
  reasons: readonly string[],
  better: ClusterRow['better'] = 'higher',
): TableCell {
  if (comparison === null) return cell('');
  if (comparison.method === 'none' && reasons.length === 0) return cell('');
  return reasons.length === 0
    ? cell(
        `${comparison.word} (${comparison.n} runs against ${comparison.nAgainst})`,
        toneOf(comparison, better),
      )
    : cell(`not comparable: ${listed(reasons, 2)}`, 'warning');
}
