/** Short names of a report's cells: the levels alone, under a heading that names the factors once. */
import { factorPaths, shortNames, showLevel } from '../../experiment/cells';
import type { Report, ReportCell } from './report';

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
