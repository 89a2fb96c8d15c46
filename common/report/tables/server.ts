/** The tables of what the nodes did: their work, how busy they were, their thread pools. */
import { formatNumber, formatPercent } from '../../units/format';
import { cellNames } from '../model/cell-names';
import type { Report } from '../model/report';
import { cell, left, optional, right, type Table } from './table';

/** Seconds, for sums over threads that may be longer than the trial. */
const seconds = (ms: number | null): string => (ms === null ? '–' : formatNumber(ms / 1000));

/** Null where no trial has both snapshots. */
export function serverTable(report: Report): Table | null {
  const { heading, names } = cellNames(report);
  const rows = report.cells.flatMap(({ server }, at) =>
    server === null ? [] : [{ name: names[at]!, server }],
  );
  if (rows.length === 0) return null;
  return {
    title: 'Server side, means per trial over the measured phase',
    note:
      'Times are summed over threads and nodes and may exceed the elapsed time. Shares are those of the busiest node: ' +
      'of all its cores, of the time in GC pauses, of the time in which its busiest disk was busy. Request cache hits: of ' +
      'all that was looked up in it, shard by shard; nothing is where it is off, or the requests cannot be cached.',
    columns: [
      left(heading),
      right('merges'),
      right('merge s'),
      right('throttled s'),
      right('refreshes'),
      right('refresh s'),
      right('flushes'),
      optional(right('request cache hits')),
      right('GC s'),
      optional(right('GC share')),
      optional(right('CPU s')),
      optional(right('CPU share')),
      right('write completed'),
      right('write rejected'),
      right('pressure rejected'),
      optional(right('disk busy s')),
      optional(right('disk busy share')),
    ],
    rows: rows.map(({ name, server }) => {
      const { merges, refresh, flush, gc, threadPools, indexing, pressureRejections, busiest } = server;
      const write = threadPools.write;
      return [
        cell(name),
        cell(formatNumber(merges.count)),
        cell(seconds(merges.timeMs)),
        cell(seconds(merges.throttledMs + indexing.throttledMs)),
        cell(formatNumber(refresh.count)),
        cell(seconds(refresh.timeMs)),
        cell(formatNumber(flush.count)),
        cell(formatPercent(server.requestCache?.share ?? null)),
        cell(seconds(gc.timeMs)),
        cell(formatPercent(busiest.gcShare)),
        cell(seconds(server.cpuMs)),
        cell(formatPercent(busiest.cpuShare)),
        cell(formatNumber(write?.completed)),
        cell(write ? formatPercent(write.ratio) : '–', write && write.rejected > 0 ? 'bad' : undefined),
        cell(formatNumber(pressureRejections), pressureRejections > 0 ? 'bad' : undefined),
        cell(seconds(server.diskBusyMs)),
        cell(formatPercent(busiest.diskBusyShare)),
      ];
    }),
  };
}

/** Completed and rejected work of every pool, or of those only that refused any; null where there is none. */
export function poolsTable(report: Report, { refusing = false } = {}): Table | null {
  const { heading, names } = cellNames(report);
  const rows = report.cells.flatMap(({ server }, at) =>
    Object.entries(server?.threadPools ?? {})
      .filter(([, { rejected }]) => !refusing || rejected > 0)
      .map(([pool, delta]) => ({ name: names[at]!, pool, ...delta })),
  );
  if (rows.length === 0) return null;
  return {
    title: refusing ? 'Thread pools that refused work, means per trial' : 'Thread pools, means per trial',
    note: 'Ratio: rejected / (rejected + completed).',
    columns: [left(heading), left('pool'), right('completed'), right('rejected'), right('ratio')],
    rows: rows.map(({ name, pool, completed, rejected, ratio }) => [
      cell(name),
      cell(pool),
      cell(formatNumber(completed)),
      cell(formatNumber(rejected), rejected > 0 ? 'bad' : undefined),
      cell(formatPercent(ratio)),
    ]),
  };
}
