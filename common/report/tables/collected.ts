/** CSV columns about dynobeat, the process that reads metrics of nodes, and a hint to install it. */
import type { Report } from '../model/report';
import type { CsvColumn } from './table';

/** Returns whether dynobeat sent metrics for any trial of the run. */
export const isCollected = ({ cells }: Report): boolean => cells.some(({ collected }) => collected !== null);

/** Hint for runs without dynobeat. */
export const COLLECTOR_HINT =
  'With the collector (dynobeat) on the nodes’ machines, the report also shows disk wait, queues, network and other processes.';

/** CSV columns for runs with metrics from dynobeat. */
export const COVERED_COLUMNS: readonly CsvColumn[] = [
  { name: 'collector: least covered share', read: (cell) => cell.collected?.covered ?? null },
];
