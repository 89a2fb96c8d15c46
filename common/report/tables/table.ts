/** A table as plain text cells, before any rendering: the same figures, equally rounded, in every format. */

/** What a cell's content means, for colour: never the only way in which it is said. */
export type Tone = 'good' | 'bad' | 'doubt' | 'quiet';

export interface TableCell {
  text: string;
  tone?: Tone;
}

export interface Column {
  /** With the unit of its figures, unless each figure carries its own. */
  name: string;
  align: 'left' | 'right';
  /** May be left out where no row has anything in it. */
  optional?: true;
}

export interface Table {
  title: string;
  /** How to read it; '' for nothing to say. */
  note: string;
  columns: Column[];
  rows: TableCell[][];
}

export const left = (name: string): Column => ({ name, align: 'left' });
export const right = (name: string): Column => ({ name, align: 'right' });
export const cell = (text: string, tone?: Tone): TableCell =>
  tone === undefined ? { text } : { text, tone };
export const optional = (column: Column): Column => ({ ...column, optional: true });

/** The table without the columns that `keep` turns down. */
export function keepColumns(table: Table, keep: (column: Column, at: number) => boolean): Table {
  const kept = table.columns.map(keep);
  return {
    ...table,
    columns: table.columns.filter((_, at) => kept[at]),
    rows: table.rows.map((row) => row.filter((_, at) => kept[at])),
  };
}

/** The table without optional columns in which no row has anything. */
export const telling = (table: Table): Table =>
  keepColumns(
    table,
    (column, at) => column.optional !== true || table.rows.some((row) => !['', '–'].includes(row[at]!.text)),
  );
