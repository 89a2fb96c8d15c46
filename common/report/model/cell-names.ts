/** Short names of a report's cells: the levels alone, under a heading that names the factors once; and a task in all of them. */
import { kindNamed, rateUnitOf, type RateUnit } from '../../tasks/registry';
import { factorPaths, shortNames, showLevel } from '../../experiment/cells';
import type { Report, ReportCell, ReportTask } from './report';

export interface CellNames {
  /** `number_of_shards, refresh_interval`; `cell` where nothing is varied. */
  heading: string;
  /** In the order of the report's cells: `5, 30s`. */
  names: string[];
}

export function cellNames({
  definition,
  cells,
}: Pick<Report, 'definition'> & { cells: readonly Pick<ReportCell, 'label' | 'levels'>[] }): CellNames {
  const paths = factorPaths(definition);
  if (paths.length === 0) return { heading: 'cell', names: cells.map(({ label }) => label) };
  const short = shortNames(paths);
  return {
    heading: paths.map((path) => short.get(path)!).join(', '),
    names: cells.map(({ levels }) =>
      paths.map((path) => (path in levels ? showLevel(levels[path]) : '–')).join(', '),
    ),
  };
}

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

/** What `task` does, by the cells that have figures of it: a factor may give them a task that the definition itself has not. */
export const kindIn = ({ definition, cells }: Report, task: string): string =>
  cells.flatMap(({ tasks }) => tasks).find((own) => own.task === task)?.kind ?? kindNamed(definition, task);

/** What the throughput of `task` counts. */
export const unitOf = (report: Report, task: string): RateUnit => rateUnitOf(kindIn(report, task));
