/**
 * Writes the result table as a CSV file: the columns that the user selected, with values in full precision and both ends of each interval.
 */
import { csvLine } from '../../../common/report/render/csv';
import type { CsvValue } from '../../../common/report/tables/table';
import { nameInFile, unitInFile, type CellColumn } from './cell-columns';
import type { CellRow } from './cell-rows';

export function cellsCsv(heading: string, columns: readonly CellColumn[], rows: readonly CellRow[]): string {
  const names = columns.flatMap((own) =>
    own.ends === undefined
      ? [nameInFile(own)]
      : ['low', 'high'].map((end) => `${own.file} 95% ${end}${unitInFile(own)}`),
  );
  const lines = rows.map(({ name, cell, task }) => [
    name,
    ...columns.flatMap(({ raw, ends }): CsvValue[] => {
      if (ends === undefined) return [task === null ? null : raw(cell, task)];
      const interval = task === null ? null : ends(cell, task);
      return [interval?.low ?? null, interval?.high ?? null];
    }),
  ]);
  return [[heading, ...names], ...lines].map(csvLine).join('');
}
