/** Which two cells' response times stand side by side, and their percentiles as a table. */
import type { Distribution } from '../../../common/api/runs';
import { cell, left, right, type Table } from '../../../common/report/tables/table';
import { formatMs, formatNumber } from '../../../common/units/format';

type Cells = Distribution['cells'];

/** Indices of cells as a link carries them: `0,2`; by default the baseline and the last other one. */
export function chosenCells(text: string, cells: Cells, baseline: number): number[] {
  const known = cells.map(({ cell: index }) => index);
  const wanted = text.split(',').filter(Boolean).map(Number);
  const first = known.includes(wanted[0] ?? NaN)
    ? wanted[0]!
    : known.includes(baseline)
      ? baseline
      : known[0];
  const others = known.filter((index) => index !== first);
  const second = others.includes(wanted[1] ?? NaN) ? wanted[1]! : others.at(-1);
  return [first, second].filter((index) => index !== undefined);
}

/** Of these only those that enough values stand behind are there. */
const SHOWN = [50, 75, 90, 95, 99, 99.9, 99.99];

/** `names`: of the rows; `of`: what they are names of. */
export function percentilesTable(title: string, cells: Cells, names: readonly string[], of = 'cell'): Table {
  const at = (one: Cells[number], percentile: number): number | null =>
    one.percentiles.find((own) => Math.abs(own.percentile - percentile) < 1e-6)?.ms ?? null;
  const told = SHOWN.filter((percentile) => cells.some((one) => at(one, percentile) !== null));
  return {
    title,
    note: '',
    columns: [left(of), right('answers'), ...told.map((percentile) => right(`p${percentile}`))],
    rows: cells.map((one, row) => [
      cell(names[row]!),
      cell(formatNumber(one.count)),
      ...told.map((percentile) => cell(formatMs(at(one, percentile)))),
    ]),
  };
}
