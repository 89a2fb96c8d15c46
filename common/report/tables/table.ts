/** Tables whose cells are plain text, so that all output formats show the same rounded numbers. */
import type { Report, ReportCell, ReportRequest, ReportTask } from '../model/report';

/** Meaning of a table cell, which determines its colour. The text of the cell must express the meaning too. */
export type Tone = 'good' | 'bad' | 'warning' | 'quiet';

export interface TableCell {
  text: string;
  tone?: Tone;
}

export interface Column {
  /** Name of the column with the unit of its values. It has no unit if each value has a different one. */
  name: string;
  align: 'left' | 'right';
  /** The column may be left out if it is empty in every row. */
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

/** Returns the table with only the columns that `keep` accepts. */
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

/**
 * Returns the table without columns of numbers that are zero or empty in every row. Also returns the names of the columns that are zero
 * (`idle`).
 */
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

/** Sentences that replace a table in terminals without space for its columns. */
export interface Sentences {
  /** Title; '' without a title. */
  title: string;
  lines: string[];
  /** Notes on how to read the lines. */
  notes: string[];
}

export type CsvValue = string | number | boolean | null;

/** A column of the report as CSV, in full precision. The rows are cells and tasks, and the requests of each task. */
export interface CsvColumn {
  /** Name of the column, with its unit. */
  name: string;
  read: (cell: ReportCell, task: ReportTask) => CsvValue;
  /** Reads the value of a named request for its row. Without this function, the field is empty in such rows. */
  request?: (request: ReportRequest) => CsvValue;
}

/** One table of a report, for all output formats. */
export interface ReportTable {
  /** Id by which charts and pages find the table. */
  id: string;
  /** Section of the report that contains the table. A table of the section `task` is built for each task. */
  group: 'thresholds' | 'task' | 'published' | 'cluster' | 'run';
  /** Builds the full table. Null if there is nothing to show. `task`: name of the task; '' for tables of other sections. */
  build: (report: Report, task: string) => Table | Table[] | null;
  /**
   * Builds a shorter form of the table for terminals. Null if terminals do not show the table. Without this function, terminals show the
   * full table.
   */
  terminal?: (report: Report, task: string) => Table | Sentences | null;
  csv?: readonly CsvColumn[] | ((report: Report) => readonly CsvColumn[]);
}
