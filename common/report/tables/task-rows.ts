/** A task over the cells of a report. */
import { cellNames } from '../model/cell-names';
import type { Report, ReportCell, ReportTask } from '../model/report';

export interface TaskRow {
  name: string;
  of: ReportCell;
  own: ReportTask;
}

/** The cells that have figures of `task`, and those that have none. */
export function rowsOf(report: Report, task: string): { heading: string; rows: TaskRow[]; silent: string[] } {
  const { heading, names } = cellNames(report);
  const rows: TaskRow[] = [];
  const silent: string[] = [];
  report.cells.forEach((of, at) => {
    const own = of.tasks.find((candidate) => candidate.task === task);
    if (own) rows.push({ name: names[at]!, of, own });
    else silent.push(names[at]!);
  });
  return { heading, rows, silent };
}
