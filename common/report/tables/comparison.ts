/** Several runs side by side as data and tables: what differs between them, then each cell's throughput against the first run's. */
import { compareFamily, type Comparison } from '../../analysis/comparison';
import { formatChange, formatChanges, listed, plural } from '../../analysis/wording';
import type { RateUnit } from '../../experiment/task-kind';
import { formatMs, formatNumber, formatPercent } from '../../units/format';
import { factorPaths } from '../../experiment/cells';
import { inputError } from '../../problem';
import { differences, unfairness, type Difference } from '../model/comparability';
import { answerAndRest, formatTime } from '../model/facts';
import type { Report, ReportTask } from '../model/report';
import { cell, left, right, type Table, type TableCell } from './table';
import { formatInterval, rateName, toneOf } from './wording';

export interface RunComparison {
  runs: { id: string; name: string; started: string; state: Report['run']['state']; verdict: string }[];
  differences: Difference[];
  /** By run: why it may not be compared with the first; empty where it may. The first run's is empty. */
  unfair: string[][];
  /** One per cell and task that any run has. */
  rows: ComparisonRow[];
  /** Relative; that of the first run's definition. */
  margin: number;
}

export interface ComparisonRow {
  cell: string;
  task: string;
  unit: RateUnit;
  /** By run; null where the run has no completed trial of it. */
  runs: ({
    throughput: ReportTask['throughput'];
    latency: ReportTask['latency'];
    /** With the first run; null for the first itself or where that has none. */
    comparison: Comparison | null;
  } | null)[];
}

/** Throws a DynoError (`input`) for fewer than two runs. All comparisons of one task are one family. */
export function compareReports(reports: readonly Report[]): RunComparison {
  const [first] = reports;
  if (!first || reports.length < 2) throw inputError('compare.runs', 'runs', 'at least two runs are needed');
  const margin = first.definition.margin;
  const keys = rowKeys(reports);
  const tasks = [...new Set(keys.map(({ task }) => task))];
  const rows = tasks.flatMap((task) => {
    const own = keys.filter((key) => key.task === task);
    const found = own.map(({ find }) => reports.map((report) => find(report)));
    const pairs = found.flatMap(([base, ...others], row) =>
      others.flatMap((other, at) =>
        base && other
          ? [{ row, run: at + 1, values: other.throughput.values, against: base.throughput.values }]
          : [],
      ),
    );
    const comparisons = compareFamily(pairs, margin);
    return own.map(({ cell: name, unit }, row): ComparisonRow => ({
      cell: name,
      task,
      unit,
      runs: found[row]!.map((task, run) => {
        if (!task) return null;
        const pair = pairs.findIndex((candidate) => candidate.row === row && candidate.run === run);
        return { throughput: task.throughput, latency: task.latency, comparison: comparisons[pair] ?? null };
      }),
    }));
  });
  return {
    runs: reports.map((report) => ({
      id: report.run.id,
      name: report.experiment.name,
      started: report.run.started,
      state: report.run.state,
      verdict: answerAndRest(report)[0].toLowerCase(),
    })),
    differences: differences(reports),
    unfair: reports.map((report) => (report === first ? [] : unfairness(first, report))),
    rows,
    margin,
  };
}

interface RowKey {
  cell: string;
  task: string;
  unit: RateUnit;
  find: (report: Report) => ReportTask | undefined;
}

/** Cells meet by their levels; runs of one cell each meet in that cell, whatever its levels: those are then the difference. */
function rowKeys(reports: readonly Report[]): RowKey[] {
  const single = reports.every(({ cells }) => cells.length === 1);
  // `refresh_interval=30s` is `30s` where every run varies that alone.
  const varied = new Set(reports.flatMap(({ definition }) => factorPaths(definition)));
  const short = (label: string): string => (varied.size === 1 ? label.slice(label.indexOf('=') + 1) : label);
  const keys = new Map<string, RowKey>();
  for (const { cells } of reports) {
    for (const { id, label, tasks } of cells) {
      for (const { task, unit } of tasks) {
        const key = JSON.stringify([single ? '' : id, task]);
        if (keys.has(key)) continue;
        const find = (report: Report): ReportTask | undefined =>
          report.cells
            .find((candidate) => single || candidate.id === id)
            ?.tasks.find((own) => own.task === task);
        keys.set(key, { cell: single ? 'the run' : short(label), task, unit, find });
      }
    }
  }
  return [...keys.values()];
}

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
  title: found.length === 0 ? 'What differs: nothing that is known' : 'What differs',
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
  const family = own.flatMap(({ runs }) => runs.map((run) => run?.comparison?.family ?? 0));
  return {
    title: `Throughput of ${task}, ${rateName(own[0]!.unit)}`,
    note:
      `n: completed trials. Margin ±${formatPercent(margin)}. Runs are made at different times: unlike the ` +
      'trials within a run they are not interleaved, so whatever changed in between ' +
      `counts as a difference. The words come from intervals widened for ${plural(Math.max(...family), 'comparison')} (Holm).`,
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
  return reasons.length === 0
    ? cell(comparison.word, toneOf(comparison, 'higher'))
    : cell(`not comparable: ${listed(reasons, 2)}`, 'doubt');
}

/** A, B, ... Z, then 27, 28. */
export const letter = (at: number): string => (at < 26 ? String.fromCharCode(65 + at) : String(at + 1));
