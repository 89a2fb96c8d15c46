/**
 * Renders the report as CSV (RFC 4180, but with line feeds). There is a row for each task and each combination of factor levels. After this
 * row comes one row for each named request of a search or replay, or for each request of a transaction. Numbers have full precision.
 *
 * Dyno uses no package for this: writing CSV needs only one rule for quoting, and packages for CSV also contain parsers and streams.
 */
import { shownWhole } from '../../json/exact';
import { factorPaths } from '../../experiment/cells';
import type { Report } from '../model/report';
import { REPORT_TABLES } from '../tables';
import type { CsvColumn, CsvValue } from '../tables/table';

const COLUMNS: readonly CsvColumn[] = [
  { name: 'kind', read: (_, task) => task.kind },
  { name: 'request', read: () => null, request: ({ name }) => name },
  { name: 'trials', read: (_, task) => task.throughput.n },
  {
    name: 'with a time (requests)',
    read: (_, task) => task.service.count,
    request: ({ service }) => service?.count ?? null,
  },
  { name: 'failed (requests)', read: () => null, request: ({ failed }) => failed },
];

const UNVERIFIED: CsvColumn = { name: 'unverified (trials)', read: (cell) => cell.unverified ?? 0 };

/**
 * Ids of the tables whose columns come first, in this order. Programs may read columns by their position. The columns of all other tables
 * therefore come after these.
 */
const FIRST = [
  ...['throughput', 'comparison', 'documents', 'latency', 'offered', 'rates'],
  ...['limit', 'index', 'published'],
];

const tableColumns = (report: Report): CsvColumn[] =>
  [
    ...FIRST.map((id) => REPORT_TABLES.find((table) => table.id === id)!),
    ...REPORT_TABLES.filter(({ id }) => !FIRST.includes(id)),
  ].flatMap(({ csv = [] }) => (typeof csv === 'function' ? csv(report) : csv));

/** Formats a value of the CSV. A text that a spreadsheet would read as a formula gets an apostrophe in front. */
function field(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * Returns the report as CSV. The first columns are the run, the name of the combination of factor levels (`cell`), and the factors. A
 * missing value is an empty field.
 */
export function renderCsv(report: Report): string {
  const paths = factorPaths(report.definition);
  const columns = [...COLUMNS, ...tableColumns(report), UNVERIFIED];
  const level = (value: unknown): CsvValue => (value === undefined ? null : shownWhole(value));
  const header = [
    'run',
    'experiment',
    'cell',
    ...paths,
    'baseline',
    'task',
    ...columns.map(({ name }) => name),
  ];
  const rows = report.cells.flatMap((cell) =>
    cell.tasks.flatMap((task) => {
      const { id } = report.run;
      const levels = paths.map((path) => level(cell.levels[path]));
      const place = [id, report.experiment.name, cell.label, ...levels, cell.baseline, task.task];
      return [
        [...place, ...columns.map(({ read }) => read(cell, task))],
        ...task.requests.map((own) => [...place, ...columns.map(({ request }) => request?.(own) ?? null)]),
      ];
    }),
  );
  return [header, ...rows].map((row) => `${row.map(field).join(',')}\n`).join('');
}

/** Returns a line of CSV with its line feed. */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(field).join(',')}\n`;
