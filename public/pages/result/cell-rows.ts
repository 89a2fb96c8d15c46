/** The rows of the result table (one for each combination of factor levels), and their order. */
import { cellNames } from '../../../common/report/model/cell-names';
import type { Report, ReportCell, ReportTask } from '../../../common/report/model/report';
import { isIdle } from '../../../common/report/tables/table';
import { METRIC_COLUMN, type CellColumn, type Raw } from './cell-columns';

export interface CellRow {
  name: string;
  cell: ReportCell;
  /** Values of the task for this combination of factor levels; null if no trial has completed. */
  task: ReportTask | null;
}

export function cellRows(report: Report, task: string): CellRow[] {
  const { names } = cellNames(report);
  return report.cells.map((of, at) => ({
    name: names[at]!,
    cell: of,
    task: of.tasks.find((own) => own.task === task) ?? null,
  }));
}

/** Returns whether all values of a column are zero or empty. Such a column can be hidden, except the column of the main metric. */
export const isIdleColumn = ({ id, show }: CellColumn, rows: readonly CellRow[]): boolean =>
  id !== METRIC_COLUMN && rows.every(({ cell, task }) => task === null || isIdle(show(cell, task).text));

/** Sorts rows by the column `by`. For '', returns them in the order in which they were planned. Rows without a value are always last. */
export function sortedRows(
  rows: readonly CellRow[],
  columns: readonly CellColumn[],
  by: string,
  falling: boolean,
): CellRow[] {
  const own = columns.find(({ id }) => id === by);
  if (by === 'name') {
    const sorted = [...rows].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    return falling ? sorted.reverse() : sorted;
  }
  if (own === undefined) return [...rows];
  const value = ({ cell: of, task }: CellRow): Raw => (task === null ? null : own.raw(of, task));
  return [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    const order =
      typeof x === 'number' && typeof y === 'number'
        ? x - y
        : String(x).localeCompare(String(y), 'en', { numeric: true });
    return falling ? -order : order;
  });
}
