/**
 * Short names of a report's cells (combinations of factor levels), and the rows of one task. A short name contains only the levels. A
 * heading contains the names of the factors.
 */
import { kindNamed, rateUnitOf, type RateUnit } from '../../tasks/registry';
import { factorPaths, levelTexts, shortNames } from '../../experiment/cells';
import type { Report, ReportCell, ReportTask } from './report';

export interface CellNames {
  /** Heading, such as `number_of_shards, refresh_interval`; `cell` if the experiment has no factors. */
  heading: string;
  /** Names in the order of the report's cells, such as `5, 30s`. */
  names: string[];
}

export function cellNames({
  definition,
  cells,
}: Pick<Report, 'definition'> & { cells: readonly Pick<ReportCell, 'label' | 'levels'>[] }): CellNames {
  const paths = factorPaths(definition);
  if (paths.length === 0) return { heading: 'cell', names: cells.map(({ label }) => label) };
  const short = shortNames(paths);
  const text = levelTexts(definition);
  return {
    heading: paths.map((path) => short.get(path)!).join(', '),
    names: cells.map(({ levels }) =>
      paths.map((path) => (path in levels ? text(path, levels[path]) : '–')).join(', '),
    ),
  };
}

export interface TaskRow {
  name: string;
  of: ReportCell;
  own: ReportTask;
}

/** Returns the cells (combinations of factor levels) in which `task` has data. `silent`: names of the cells in which `task` has none. */
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

/**
 * Returns the kind of `task`, such as `ingest`. It is read from the results, because a factor may add a task that the definition itself
 * does not contain.
 */
export const kindIn = ({ definition, cells }: Report, task: string): string =>
  cells.flatMap(({ tasks }) => tasks).find((own) => own.task === task)?.kind ?? kindNamed(definition, task);

/** Returns the unit of the throughput of `task`. */
export const unitOf = (report: Report, task: string): RateUnit => rateUnitOf(kindIn(report, task));
