/**
 * Builds the table of numbers that `figures` in the definition reads from responses, such as `took`. The numbers have the same names as in
 * the definition.
 */
import { formatNumber } from '../../units/format';
import { rowsOf } from '../model/cell-names';
import type { Report } from '../model/report';
import { cell, left, right, type Table } from './table';

/** Returns the table of numbers that were read from responses. Null for tasks without `figures`. */
export function answersTable(report: Report, task: string): Table | null {
  const { heading, rows } = rowsOf(report, task);
  const lines = rows.flatMap(({ name: where, own }) =>
    own.requests.flatMap(({ name, count, figures = {} }) =>
      Object.entries(figures).map(([figure, summary]) => ({
        where,
        name,
        requests: count,
        figure,
        ...summary,
      })),
    ),
  );
  if (lines.length === 0) return null;
  return {
    title: `Numbers in the answers to ${task}`,
    note: 'Over all trials of a cell, of the answers that were a success and have the number.',
    columns: [
      left(heading),
      left('request'),
      left('figure'),
      right('answers'),
      right('mean'),
      right('min'),
      right('max'),
    ],
    rows: lines.map(({ where, name, figure, count, mean, min, max }) => [
      cell(where),
      cell(name),
      cell(figure),
      cell(formatNumber(count)),
      cell(formatNumber(mean)),
      cell(formatNumber(min)),
      cell(formatNumber(max)),
    ]),
  };
}
