/** The table of cells as a file: the chosen columns, figures in full precision, an interval as its two ends. */
import { csvLine, type CsvValue } from '../../../common/report/render/csv';
import type { CellColumn } from './cell-columns';
import type { CellRow } from './cell-rows';

const ENDS: Partial<Record<string, (row: CellRow) => CsvValue[]>> = {
  interval: ({ task }) => [task?.throughput.interval?.low ?? null, task?.throughput.interval?.high ?? null],
  changes: ({ task }) => [task?.comparison?.interval?.low ?? null, task?.comparison?.interval?.high ?? null],
};

const UNITS: Partial<Record<CellColumn['group'], string>> = {
  'response times': ' (ms)',
  throughput: ' (/s)',
};
const UNITLESS: readonly string[] = ['cv', 'trials', 'p99found'];

export function cellsCsv(heading: string, columns: readonly CellColumn[], rows: readonly CellRow[]): string {
  const names = columns.flatMap(({ id, name, group }) => {
    if (id === 'changes') return ['ratio 95% low', 'ratio 95% high'];
    if (id === 'change') return ['ratio to baseline'];
    if (id === 'interval') return ['throughput 95% low (/s)', 'throughput 95% high (/s)'];
    if (id === 'store') return ['primary store (bytes)'];
    const full =
      group === 'throughput'
        ? `throughput ${name}`
        : group === 'response times'
          ? `response time ${name}`
          : name;
    return [`${full}${UNITLESS.includes(id) ? '' : (UNITS[group] ?? '')}`];
  });
  const lines = rows.map((row) => [
    row.name,
    ...columns.flatMap(({ id, raw }): CsvValue[] => {
      const ends = ENDS[id];
      if (ends) return ends(row);
      return [row.task === null ? null : raw(row.cell, row.task)];
    }),
  ]);
  return [[heading, ...names], ...lines].map(csvLine).join('');
}
