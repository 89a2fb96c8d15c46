/** A table as plain text cells, before any rendering: the same figures, equally rounded, in every format. */
import type { Report, ReportCell, ReportRequest, ReportTask } from '../model/report';

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
  /** Shown by its title alone until somebody asks for it, where a rendering can do that. */
  folded?: true;
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

/** Nothing, or zero in any unit: `–`, `0`, `0%`, `0 ms`, `0 B/s`. */
export const isIdle = (text: string): boolean => /^(–|[±−]?0(\.0+)?( ?[a-zA-Z%/]+)?)?$/.test(text.trim());

/** The table without columns of numbers that are zero or empty in every row, and the names of those that are zero. */
export function withoutIdleColumns(table: Table): { table: Table; idle: string[] } {
  const columns = table.columns.map(
    ({ align }, at) => align === 'right' && table.rows.every((row) => isIdle(row[at]!.text)),
  );
  const isNumber = (at: number): boolean => table.rows.some((row) => /0/.test(row[at]!.text));
  return {
    table: keepColumns(table, (_, at) => !columns[at]),
    idle: table.columns.flatMap(({ name }, at) => (columns[at] && isNumber(at) ? [name] : [])),
  };
}

/** The table without the columns called so. */
export const withoutColumns = (table: Table, names: readonly string[]): Table =>
  keepColumns(table, ({ name }) => !names.includes(name));

/** Sentences in place of a table, where a line has no room for columns. */
export interface Sentences {
  /** '' for none. */
  title: string;
  lines: string[];
  /** How to read them. */
  notes: string[];
}

export type CsvValue = string | number | boolean | null;

/** A figure of the report as CSV, in full precision: a row for each cell and task, and for each request of it. */
export interface CsvColumn {
  /** With its unit. */
  name: string;
  read: (cell: ReportCell, task: ReportTask) => CsvValue;
  /** The same of one of the task's requests; without it the field is empty there. */
  request?: (request: ReportRequest) => CsvValue;
}

/** One table of a report, for all renderings. */
export interface ReportTable {
  /** By this, charts and pages find it: titles are for people. */
  id: string;
  /** Where it stands: `task` once for each task. */
  group: 'thresholds' | 'task' | 'published' | 'cluster' | 'run';
  /** `task` is '' outside of the group of that name. Null where there is nothing to show. */
  build: (report: Report, task: string) => Table | Table[] | null;
  /** In a terminal, which has room for less; null leaves it out. Without it the whole table is shown. */
  terminal?: (report: Report, task: string) => Table | Sentences | null;
  csv?: readonly CsvColumn[] | ((report: Report) => readonly CsvColumn[]);
}
