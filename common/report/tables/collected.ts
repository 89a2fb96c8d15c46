/** Coverage by the collector, and a hint to install the collector. */
import type { Report } from '../model/report';
import type { CsvColumn } from './table';

/** Returns whether a collector read any trial of the run. */
export const isCollected = ({ cells }: Report): boolean => cells.some(({ collected }) => collected !== null);

/** Hint for runs without a collector. */
export const COLLECTOR_HINT =
  'With the collector (dynobeat) on the nodes’ machines, the report also shows disk wait, queues, network and other processes.';

/** Columns for runs that a collector read. */
export const COVERED_COLUMNS: readonly CsvColumn[] = [
  { name: 'collector: least covered share', read: (cell) => cell.collected?.covered ?? null },
];
