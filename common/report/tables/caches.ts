/**
 * Builds the table of the state of the caches at the beginning of the load. Each row covers the trials of one combination of factor levels.
 */
import { mean } from '../../analysis/interval';
import { listed } from '../../analysis/wording';
import type { CachesSummary } from '../../measurement/caches';
import { formatBytes, plural } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report } from '../model/report';
import { cell, left, type Table, type TableCell } from './table';

const LEFT_AS_IT_WAS = 'not changed';

/**
 * Returns the size of the data files in the page cache before and after it was emptied, as text. The sizes are means over the trials that
 * emptied the page cache.
 */
function pageCacheText(cold: readonly CachesSummary[]): string {
  const known = cold.flatMap(({ pageCache }) => pageCache ?? []);
  if (known.length === 0) return LEFT_AS_IT_WAS;
  const [files, before, after] = (['files', 'before', 'after'] as const).map((key) =>
    formatBytes(mean(known.map((one) => one[key]))),
  );
  const missing = cold.length - known.length;
  return (
    `${before} to ${after}, of ${files}` +
    (known.some(({ reopened }) => reopened) ? '; closed and opened' : '') +
    (missing === 0 ? '' : `; ${LEFT_AS_IT_WAS} in ${plural(missing, 'trial')}`)
  );
}

function rowOf(name: string, own: readonly CachesSummary[]): TableCell[] {
  const cold = own.filter(({ start }) => start === 'cold');
  if (cold.length === 0)
    return [cell(name), cell('warm'), cell('as the warm-up left them'), cell(LEFT_AS_IT_WAS), cell('')];
  const kept = [...new Set(cold.map((one) => one.kept))].filter(Boolean);
  return [
    cell(name),
    cell('cold'),
    cell('emptied'),
    cell(pageCacheText(cold)),
    kept.length === 0 ? cell('') : cell(listed(kept, 2), 'warning'),
  ];
}

/** Returns the table of the caches. Null if `measure.caches` is not set for any combination of factor levels. */
export function cachesTable(report: Report): Table | null {
  const { heading, names } = cellNames(report);
  const rows = report.cells.flatMap(({ index }, at) => {
    const own = report.trials.flatMap(({ cellIndex, state, caches }) =>
      cellIndex === index && state === 'completed' && caches !== undefined ? [caches] : [],
    );
    return own.length === 0 ? [] : [rowOf(names[at]!, own)];
  });
  if (rows.length === 0) return null;
  return {
    title: 'Caches when the load began',
    note:
      'Caches of Elasticsearch: query, request and field data caches of the indices. Page cache: data files of the indices that the ' +
      'operating system held in memory before and after the cache was emptied, means over trials.',
    columns: [
      left(heading),
      left('start'),
      left('caches of Elasticsearch'),
      left('page cache'),
      left('not done'),
    ],
    rows,
  };
}
