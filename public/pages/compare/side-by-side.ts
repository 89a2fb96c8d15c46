/** Cells against runs: each run's throughput with its interval, and its change to the first run in the comparison's words. */
import { formatChange, formatChanges, listed } from '../../../common/analysis/wording';
import type { ComparisonRow, RunComparison } from '../../../common/report/model/comparison';
import { letter } from '../../../common/report/tables/comparison';
import { cell, left, right, type Table, type TableCell } from '../../../common/report/tables/table';
import { formatInterval, rateName, toneOf } from '../../../common/report/tables/wording';
import { formatMs, formatNumber } from '../../../common/units/format';

type Run = NonNullable<ComparisonRow['runs'][number]>;

export const tasksOf = ({ rows }: RunComparison): string[] => [...new Set(rows.map(({ task }) => task))];

export const rowsOf = ({ rows }: RunComparison, task: string): ComparisonRow[] =>
  rows.filter((row) => row.task === task);

const MISSING = cell('no completed trial', 'quiet');

/** A word is said only where the runs may be compared. */
function found({ comparison }: Run, reasons: readonly string[]): TableCell {
  if (comparison === null) return cell('–', 'quiet');
  const change = formatChange(comparison.ratio);
  const interval = comparison.interval === null ? '' : ` (${formatChanges(comparison.interval)})`;
  if (comparison.method === 'none' && reasons.length === 0)
    return cell(`${change}: difference only`, 'quiet');
  return reasons.length > 0
    ? cell(`${change}${interval}`, 'quiet')
    : cell(`${change}${interval}: ${comparison.word}`, toneOf(comparison, 'higher'));
}

export function sideBySide(comparison: RunComparison, task: string): Table {
  const { runs, unfair } = comparison;
  const own = rowsOf(comparison, task);
  return {
    title: `Throughput of ${task}, ${rateName(own[0]!.unit)}`,
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

/** Why runs may not be compared with the first one; empty where all may. */
export const unfairRuns = ({ unfair }: RunComparison): { run: string; reasons: string }[] =>
  unfair.flatMap((reasons, at) =>
    reasons.length === 0 ? [] : [{ run: letter(at), reasons: listed(reasons, 6) }],
  );
