/**
 * A table of runs side by side. It has a row for each combination of factor levels, with the throughput of each run, its interval, and its
 * change from the first run with the verdict.
 */
import { formatChange, formatChanges, listed } from '../../../common/analysis/wording';
import type { ComparisonRow, RunComparison } from '../../../common/report/model/comparison';
import { formatClusterFigure } from '../../../common/report/tables/cluster';
import { letter } from '../../../common/report/model/comparison-summary';
import { busyFigures, CLUSTER_TITLE, clusterNote, differs } from '../../../common/report/tables/comparison';
import { cell, left, right, type Table, type TableCell } from '../../../common/report/tables/table';
import { formatInterval, rateName, toneOf } from '../../../common/report/tables/wording';
import { formatMs, formatNumber } from '../../../common/units/format';

type Compared = Pick<NonNullable<ComparisonRow['runs'][number]>, 'comparison'>;

export const tasksOf = ({ rows }: RunComparison): string[] => [...new Set(rows.map(({ task }) => task))];

export const rowsOf = ({ rows }: RunComparison, task: string): ComparisonRow[] =>
  rows.filter((row) => row.task === task);

const MISSING = cell('no completed trial', 'quiet');

/** Returns a table cell with the change of a run from the first run. The cell contains a verdict only if the two runs are comparable. */
function found(
  { comparison }: Compared,
  reasons: readonly string[],
  better: 'higher' | 'lower' = 'higher',
): TableCell {
  if (comparison === null) return cell('–', 'quiet');
  const change = formatChange(comparison.ratio);
  const interval = comparison.interval === null ? '' : ` (${formatChanges(comparison.interval)})`;
  // The reasons are not repeated here, because a line above the tables explains why there are no verdicts.
  return reasons.length > 0 || comparison.method === 'none'
    ? cell(`${change}${interval}`, 'quiet')
    : cell(`${change}${interval}: ${comparison.word}`, toneOf(comparison, better));
}

export function sideBySide(comparison: RunComparison, task: string): Table {
  const { runs, unfair } = comparison;
  const own = rowsOf(comparison, task);
  return {
    title: own[0] === undefined ? `Throughput of ${task}` : `Throughput of ${task}, ${rateName(own[0].unit)}`,
    note: '',
    columns: [
      left('cell'),
      ...runs.flatMap((_, at) => [
        right(`${letter(at)}: mean`),
        right(`${letter(at)}: 95% interval`),
        right(`${letter(at)}: p99`),
        ...(at === 0 ? [] : [left(`${letter(at)} against ${letter(0)}`)]),
      ]),
    ],
    rows: own.map(({ cell: name, runs: figures }) => [
      cell(name),
      ...figures.flatMap((run, at) => {
        if (run === null) return [MISSING, cell(''), cell(''), ...(at === 0 ? [] : [cell('')])];
        const { throughput, latency } = run;
        return [
          cell(formatNumber(throughput.mean)),
          cell(formatInterval(throughput.interval)),
          cell(formatMs(latency.p99)),
          ...(at === 0 ? [] : [found(run, unfair[at]!)]),
        ];
      }),
    ]),
  };
}

/** If the tables have more rows than this, rows without a change are hidden at first. */
export const MANY_ROWS = 12;

/**
 * Returns the number of rows in all tables, and how many of them changed. A row has changed if the runs differ by more than the smallest
 * relevant difference (`margin`).
 */
export function changedRows(comparison: RunComparison): { all: number; changed: number } {
  const rows = [...comparison.rows, ...busyFigures(comparison).rows];
  return { all: rows.length, changed: rows.filter((row) => differs(row, comparison.margin)).length };
}

/**
 * Returns the comparison without its unchanged rows. In an unchanged row, the runs differ by less than the smallest relevant difference
 * (`margin`).
 */
export const onlyChanges = (comparison: RunComparison): RunComparison => ({
  ...comparison,
  rows: comparison.rows.filter((row) => differs(row, comparison.margin)),
  cluster: comparison.cluster.filter((row) => differs(row, comparison.margin)),
});

/**
 * Creates a table of cluster metrics with a column group for each run. If there are several combinations of factor levels, each has its
 * rows. Null if no metric was ever above 0.
 */
export function clusterSideBySide(comparison: RunComparison): Table | null {
  const { runs, unfair } = comparison;
  const { rows } = busyFigures(comparison);
  if (rows.length === 0) return null;
  const several = new Set(rows.map((row) => row.cell)).size > 1;
  return {
    title: CLUSTER_TITLE,
    note: clusterNote(comparison),
    columns: [
      left('figure'),
      ...(several ? [left('cell')] : []),
      ...runs.flatMap((_, at) => [
        right(`${letter(at)}: mean`),
        right(`${letter(at)}: 95% interval`),
        left(`${letter(at)}: by`),
        ...(at === 0 ? [] : [left(`${letter(at)} against ${letter(0)}`)]),
      ]),
    ],
    rows: rows.map(({ cell: name, metric, better, runs: figures }, row) => [
      cell(rows[row - 1]?.metric === metric ? '' : metric),
      ...(several ? [cell(name)] : []),
      ...figures.flatMap((run, at) => {
        if (run === null)
          return [cell('not measured', 'quiet'), cell(''), cell(''), ...(at === 0 ? [] : [cell('')])];
        const { mean, interval } = run.summary;
        const value = (of: number | null): string => formatClusterFigure({ metric }, of);
        return [
          cell(value(mean)),
          cell(interval === null ? '–' : `${value(interval.low)} to ${value(interval.high)}`),
          cell(run.source),
          ...(at === 0 ? [] : [found(run, unfair[at]!, better)]),
        ];
      }),
    ]),
  };
}

/** Returns the runs that are not comparable with the first run, with the reasons for each run. Empty if all runs are comparable. */
export const unfairRuns = ({ unfair }: RunComparison): { run: string; reasons: string }[] =>
  unfair.flatMap((reasons, at) =>
    reasons.length === 0 ? [] : [{ run: letter(at), reasons: listed(reasons, 6) }],
  );
