/** Builds the table of the 95% intervals of percentiles. They show by how much a percentile may vary by chance. */
import { PERCENTILES } from '../../measurement/histogram';
import { formatMs } from '../../units/format';
import { rowsOf } from '../model/cell-names';
import type { Report, ReportTask } from '../model/report';
import { cell, left, right, type CsvColumn, type Table, type TableCell } from './table';

const KINDS = ['latency', 'service'] as const;

const intervals = (own: ReportTask, kind: (typeof KINDS)[number]): TableCell[] =>
  PERCENTILES.map(({ key }) => {
    const interval = own.intervals[kind][key];
    return cell(interval === null ? '–' : `${formatMs(interval.low)} to ${formatMs(interval.high)}`);
  });

/** Returns the table of the intervals of percentiles. Null if there are too few values for every percentile. */
export function percentilesTable(report: Report, task: string): Table | null {
  const { heading, rows } = rowsOf(report, task);
  const isOpen = rows.some(({ own }) => own.offered !== null);
  const known = rows.filter(({ own }) => own.intervals.latency.p50 !== null);
  if (known.length === 0) return null;
  return {
    title: `Percentiles of ${task}: 95% intervals`,
    note:
      "Computed from the ranks of all requests of a cell's trials. Requests of one trial depend on each other, so the true values may " +
      'be outside more often.',
    columns: [
      left(heading),
      ...(isOpen ? [left('time')] : []),
      ...PERCENTILES.map(({ percentile }) => right(`p${percentile}`)),
    ],
    rows: known.flatMap(({ name, own }) =>
      isOpen
        ? KINDS.map((kind) => [cell(name), cell(kind), ...intervals(own, kind)])
        : [[cell(name), ...intervals(own, 'latency')]],
    ),
  };
}

export const PERCENTILE_COLUMNS: readonly CsvColumn[] = [...KINDS].reverse().flatMap((kind) =>
  PERCENTILES.flatMap(({ key, percentile }) =>
    (['low', 'high'] as const).map((side): CsvColumn => ({
      name: `${kind} p${percentile} 95% ${side} (ms)`,
      read: (_, task) => task.intervals[kind][key]?.[side] ?? null,
    })),
  ),
);
