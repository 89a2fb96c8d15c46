/** Types of tables whose contents are plain text. All output formats therefore show the same rounded numbers. */
import type { Report, ReportCell, ReportRequest, ReportTask } from '../model/report';

/** Meaning of a table cell, which determines its colour. The text of the cell must express the meaning too. */
export type Tone = 'good' | 'bad' | 'warning' | 'quiet';

export interface TableCell {
  text: string;
  tone?: Tone;
}

export interface Column {
  /** Name of the column, with the unit of its values. If the values have different units, the name contains no unit. */
  name: string;
  align: 'left' | 'right';
  /** Set if the column is left out when it is empty in every row. */
  optional?: true;
}

export interface Table {
  title: string;
  /** Text that explains how to read the table; '' without a note. */
  note: string;
  columns: Column[];
  rows: TableCell[][];
  /** Set if the table is collapsed to its title at first, in output formats that can expand it. */
  folded?: true;
}

export const left = (name: string): Column => ({ name, align: 'left' });
export const right = (name: string): Column => ({ name, align: 'right' });
export const cell = (text: string, tone?: Tone): TableCell =>
  tone === undefined ? { text } : { text, tone };
export const optional = (column: Column): Column => ({ ...column, optional: true });

/** Returns the table with only those columns for which `keep` returns true. */
export function keepColumns(table: Table, keep: (column: Column, at: number) => boolean): Table {
  const kept = table.columns.map(keep);
  return {
    ...table,
    columns: table.columns.filter((_, at) => kept[at]),
    rows: table.rows.map((row) => row.filter((_, at) => kept[at])),
  };
}

/** Returns the table without optional columns that are empty in every row. */
export const withoutEmptyColumns = (table: Table): Table =>
  keepColumns(
    table,
    (column, at) => column.optional !== true || table.rows.some((row) => !['', '–'].includes(row[at]!.text)),
  );

/** Returns whether a text is empty, a dash, or zero in any unit, such as `–`, `0`, `0%`, `0 ms` or `0 B/s`. */
export const isIdle = (text: string): boolean => /^(–|[±−]?0(\.0+)?( ?[a-zA-Z%/]+)?)?$/.test(text.trim());

/** Returns the table without columns of numbers that are zero or empty in every row. `idle`: names of the columns that contain zeros. */
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

/** Returns the table without the columns that have these names. */
export const withoutColumns = (table: Table, names: readonly string[]): Table =>
  keepColumns(table, ({ name }) => !names.includes(name));

/** Sentences that replace a table in terminals, if these have no space for its columns. */
export interface Sentences {
  /** Title; '' without a title. */
  title: string;
  lines: string[];
  /** Notes on how to read the lines. */
  notes: string[];
}

export type CsvValue = string | number | boolean | null;

/**
 * A column of the report's CSV, in full precision. The CSV has a row for each task and combination of factor levels, and rows for the named
 * requests of each task.
 */
export interface CsvColumn {
  /** Name of the column, with its unit. */
  name: string;
  read: (cell: ReportCell, task: ReportTask) => CsvValue;
  /** Reads the value for the row of a named request. Without this function, the column is empty in these rows. */
  request?: (request: ReportRequest) => CsvValue;
}

/** One table of a report, for all output formats. */
export interface ReportTable {
  /** Id by which charts and pages find the table. */
  id: string;
  /** Section of the report that contains the table. A table of the section `task` is built for each task. */
  group: 'thresholds' | 'task' | 'published' | 'cluster' | 'run';
  /** Builds the full table. Null if the table would be empty. `task`: name of the task; '' for tables of other sections. */
  build: (report: Report, task: string) => Table | Table[] | null;
  /**
   * Builds a shorter form of the table for terminals. If the function is missing, terminals show the full table. If it returns null, they
   * do not show the table.
   */
  terminal?: (report: Report, task: string) => Table | Sentences | null;
  csv?: readonly CsvColumn[] | ((report: Report) => readonly CsvColumn[]);
}
