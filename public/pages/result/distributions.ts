/** The two combinations of factor levels whose response times are compared, and a table of their percentiles. */
import type { Distribution } from '../../../common/api/runs';
import { cell, left, right, type Table } from '../../../common/report/tables/table';
import { formatMs, formatNumber } from '../../../common/units/format';

type Cells = Distribution['cells'];

/**
 * Returns the indices of the two compared combinations of factor levels. `text`: indices from a link, such as `0,2`. By default, the
 * baseline is compared with the last combination.
 */
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

/** Percentiles in the table, if there were enough responses for them. */
const SHOWN = [50, 75, 90, 95, 99, 99.9, 99.99];

/**
 * Returns a table of percentiles with a row for each entry of `cells`. `names`: names of the rows. `of`: heading of the column with these
 * names.
 */
export function percentilesTable(title: string, cells: Cells, names: readonly string[], of = 'cell'): Table {
  const at = (one: Cells[number], percentile: number): number | null =>
    one.percentiles.find((own) => Math.abs(own.percentile - percentile) < 1e-6)?.ms ?? null;
  const known = SHOWN.filter((percentile) => cells.some((one) => at(one, percentile) !== null));
  return {
    title,
    note: '',
    columns: [left(of), right('answers'), ...known.map((percentile) => right(`p${percentile}`))],
    rows: cells.map((one, row) => [
      cell(names[row]!),
      cell(formatNumber(one.count)),
      ...known.map((percentile) => cell(formatMs(at(one, percentile)))),
    ]),
  };
}
