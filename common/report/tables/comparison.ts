/** Several runs side by side as tables: the runs, what differs between them, then each task's throughput against the first run's. */
import type { Comparison } from '../../analysis/comparison';
import { formatChange, formatChanges, listed } from '../../analysis/wording';
import { formatMs, formatNumber, formatPercent, plural } from '../../units/format';
import { ENOUGH_RUNS, type Difference, type RunComparison } from '../model/comparison';
import { formatTime } from '../model/facts';
import { cell, left, right, type Table, type TableCell } from './table';
import { formatInterval, rateName, toneOf } from './wording';

/** The comparison as tables, for any rendering: runs, what differs, then each task's throughput. */
export function comparisonTables(comparison: RunComparison): Table[] {
  const tasks = [...new Set(comparison.rows.map(({ task }) => task))];
  return [
    runsTable(comparison),
    differencesTable(comparison),
    ...tasks.map((task) => taskTable(comparison, task)),
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
    left('against A'),
  ],
  rows: runs.map(({ id, name, started, state, verdict }, at) => [
    cell(letter(at)),
    cell(id),
    cell(name),
    cell(formatTime(started)),
    cell(state),
    cell(verdict),
    at === 0
      ? cell('')
      : unfair[at]!.length === 0
        ? cell('comparable', 'good')
        : cell('not comparable', 'doubt'),
  ]),
});

const WEIGHT_CELLS: Record<Difference['weight'], TableCell> = {
  unfair: cell('not comparable', 'doubt'),
  studied: cell('what is compared'),
  aside: cell('aside', 'quiet'),
};

const differencesTable = ({ runs, differences: found }: RunComparison): Table => ({
  title: found.length === 0 ? 'What differs: nothing known' : 'What differs',
  note: '',
  columns: [left('what'), ...runs.map((_, at) => left(letter(at))), left('makes them')],
  rows: found.map(({ what, values, weight }) => [
    cell(what),
    ...values.map((value) => cell(value)),
    WEIGHT_CELLS[weight],
  ]),
});

function taskTable({ unfair, rows, margin }: RunComparison, task: string): Table {
  const own = rows.filter((row) => row.task === task);
  const compared = Math.max(...own.flatMap(({ runs }) => runs.map((run) => run?.comparison?.family ?? 0)));
  return {
    title: `Throughput of ${task}, ${rateName(own[0]!.unit)}`,
    note:
      `n: completed trials. Runs happen at different times: unlike the ` +
      'trials within a run they are not interleaved, so whatever changed in between ' +
      `counts as a difference. ${
        compared === 0
          ? `Two runs of one cell differ by more than their trials do, so words need ${ENOUGH_RUNS} runs of each kind; here differences are shown, and nothing is said about them.`
          : `Words compare the means of runs that were made alike, at least ${ENOUGH_RUNS} of each kind. Margin ±${formatPercent(margin)}; intervals widened for ${plural(compared, 'comparison')} (Holm).`
      }`,
    columns: [
      left('cell'),
      left('run'),
      right('mean'),
      right('95% interval'),
      right('n'),
      right('p99'),
      right('against A'),
      right('95% interval'),
      left('found'),
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

function foundCell(comparison: Comparison | null, reasons: readonly string[]): TableCell {
  if (comparison === null) return cell('');
  if (comparison.method === 'none' && reasons.length === 0) return cell('difference only', 'quiet');
  return reasons.length === 0
    ? cell(
        `${comparison.word} (${comparison.n} runs against ${comparison.nAgainst})`,
        toneOf(comparison, 'higher'),
      )
    : cell(`not comparable: ${listed(reasons, 2)}`, 'doubt');
}

/** A, B, ... Z, then 27, 28. */
export const letter = (at: number): string => (at < 26 ? String.fromCharCode(65 + at) : String(at + 1));
