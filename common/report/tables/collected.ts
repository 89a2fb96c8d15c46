/** The table of what the collector saw, and how to get one where there was none. */
import { COVERED_FROM } from '../../measurement/coverage';
import { formatBytes, formatNumber, formatPercent } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { CollectedMeans, Report, Worst } from '../model/report';
import {
  cell,
  left,
  optional,
  right,
  withoutColumns,
  type CsvColumn,
  type Table,
  type TableCell,
} from './table';

/** A smaller share of the measured phase is worth a word: the rest was not seen. */
const WHOLE_FROM = 0.9;

/** Whether there is anything of a collector in the run. */
export const isCollected = ({ cells }: Report): boolean => cells.some(({ collected }) => collected !== null);

/** For runs without. */
export const COLLECTOR_HINT =
  'With the collector (dynobeat) on the nodes’ machines, the report also shows disk wait, queues, network and other processes.';

/** Null where there was no collector. */
export function collectedTable(report: Report): Table | null {
  const { heading, names } = cellNames(report);
  const rows = report.cells.flatMap(({ collected }, at) =>
    collected === null ? [] : [{ name: names[at]!, collected }],
  );
  if (rows.length === 0) return null;
  return {
    title: 'Nodes and machines (collector), means per trial',
    note:
      'Shares are of the node or machine with the highest value; "on" names it for the CPU. CPU and iowait include ' +
      'all processes. Queue is a share of its capacity, pressure of its memory limit. "Most" is the highest of all ' +
      'trials. Times are summed over threads and nodes.',
    columns: [
      left(heading),
      optional(right('CPU busy')),
      optional(left('on')),
      optional(right('iowait')),
      optional(right('disk busy')),
      optional(left('disk')),
      optional(right('I/O stalled')),
      optional(right('write queue')),
      optional(right('queue most')),
      optional(right('GC pauses')),
      right('merge s'),
      right('throttled s'),
      right('stopped s'),
      optional(right('pressure most')),
      optional(right('received/s')),
      optional(right('sent/s')),
      optional(right('covered')),
    ],
    rows: rows.map(({ name, collected }) => [cell(name), ...figures(collected)]),
  };
}

const seconds = (ms: number): TableCell => cell(formatNumber(ms / 1000));
const share = (worst: Worst | null): TableCell => cell(formatPercent(worst?.mean));
const bytes = (worst: Worst | null): TableCell => cell(formatBytes(worst?.mean));

function figures(collected: CollectedMeans): TableCell[] {
  const { cpuBusy, diskBusy, merges, covered } = collected;
  return [
    share(cpuBusy),
    cell(cpuBusy?.on ?? ''),
    share(collected.iowait),
    share(diskBusy),
    cell(diskBusy?.on ?? ''),
    share(collected.ioStalled),
    share(collected.writeQueue),
    cell(formatPercent(collected.writeQueueHighest)),
    share(collected.gcPause),
    seconds(merges.timeMs),
    seconds(merges.throttledMs),
    seconds(merges.stoppedMs),
    cell(formatPercent(collected.pressureHighest)),
    bytes(collected.networkRx),
    bytes(collected.networkTx),
    covered >= WHOLE_FROM
      ? cell('')
      : cell(formatPercent(covered), covered < COVERED_FROM ? 'doubt' : undefined),
  ];
}

/** What is left out here is in every file, or says much the same. */
export function shortCollectedTable(report: Report): Table | null {
  const table = collectedTable(report);
  return table && withoutColumns(table, ['I/O stalled', 'merge s', 'throttled s', 'stopped s', 'sent/s']);
}

/** Only of runs that a collector saw. */
export const COLLECTED_COLUMNS: readonly CsvColumn[] = [
  ...(
    [
      ['collector: CPU busy share (worst machine)', 'cpuBusy'],
      ['collector: iowait share (worst machine)', 'iowait'],
      ['collector: disk busy share (worst disk)', 'diskBusy'],
      ['collector: I/O stalled share (worst machine)', 'ioStalled'],
      ['collector: write queue share (worst node)', 'writeQueue'],
      ['collector: GC pause share (worst node)', 'gcPause'],
      ['collector: received of the worst machine (bytes/s)', 'networkRx'],
      ['collector: sent of the worst machine (bytes/s)', 'networkTx'],
    ] as const
  ).map(([name, key]): CsvColumn => ({ name, read: (cell) => cell.collected?.[key]?.mean ?? null })),
  {
    name: 'collector: write queue highest share',
    read: (cell) => cell.collected?.writeQueueHighest ?? null,
  },
  {
    name: 'collector: indexing pressure highest share',
    read: (cell) => cell.collected?.pressureHighest ?? null,
  },
  ...(
    [
      ['collector: merge time (ms per trial)', 'timeMs'],
      ['collector: merges throttled (ms per trial)', 'throttledMs'],
      ['collector: merges stopped (ms per trial)', 'stoppedMs'],
    ] as const
  ).map(([name, key]): CsvColumn => ({ name, read: (cell) => cell.collected?.merges[key] ?? null })),
  { name: 'collector: least covered share', read: (cell) => cell.collected?.covered ?? null },
];
