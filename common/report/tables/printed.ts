/** An account as its own page shows it before any run: the tables that it printed, what is doubtful, what its figures imply. */
import { shortNames, showLevel } from '../../experiment/cells';
import { listed } from '../../analysis/wording';
import { environmentLabel } from '../../experiment/environment';
import { formatNumber } from '../../units/format';
import { cell, left, optional, right, type Table } from './table';
import { impliedClients } from '../../presets/implied';
import type { Preset } from '../../presets/preset';
import type { PrintedFigure, PublishedRow } from '../../presets/published';

export interface Account {
  seed: string;
  title: string;
  /** Address of the published article; null if nothing was published. */
  url: string | null;
  /** Comes with Dyno, and follows no account. */
  own: boolean;
  presets: readonly Preset[];
}

/** In the order of the presets. */
export const accountsOf = (presets: readonly Preset[]): Account[] =>
  [...new Set(presets.map(({ published }) => published.seed))].map((seed) => {
    const own = presets.filter(({ published }) => published.seed === seed);
    const { title, url = null, own: isOwn } = own[0]!.published;
    return { seed, title, url, own: isOwn === true, presets: own };
  });

/** `30s`, `standard, machine: DS4`: what tells the row from the others. */
export function rowNames({ rows }: Preset['published']): { heading: string; names: string[] } {
  const short = shortNames([...new Set(rows.flatMap(({ levels }) => Object.keys(levels)))]);
  return {
    heading: [...short.values()].join(', ') || 'cell',
    names: rows.map(({ levels, labels = {} }) =>
      [...Object.values(levels).map(showLevel), environmentLabel(labels)]
        .filter((part) => part !== '')
        .join(', '),
    ),
  };
}

const figureText = (figure: PrintedFigure | undefined): string =>
  typeof figure === 'number' ? formatNumber(figure) : (figure ?? '–');

/** What is doubtful in a figure, where the account's file says so. */
export const doubtOf = ({ doubts }: PublishedRow, column: string): string | undefined => doubts?.[column];

/** As printed, with the clients that each row implies; null where the account prints nothing, or it stands with another preset. */
export function printedTable(preset: Preset): Table | null {
  const { units, rows, variantOf } = preset.published;
  if (rows.length === 0 || variantOf !== undefined) return null;
  const { heading, names } = rowNames(preset.published);
  const columns = Object.keys(units);
  const implied = rows.map((row) => impliedClients(preset, row));
  return {
    title: `As printed: ${preset.summary}`,
    note: implied.some(({ length }) => length > 0)
      ? "Clients are implied by Little's law: how often a request was sent times how long it took. Of requests that were refused, the account gives no time."
      : '',
    columns: [
      left(heading),
      ...columns.map((column) => right(`${readable(column)}, ${units[column]!}`)),
      optional(right('clients, implied')),
      optional(left('reckoned from')),
    ],
    rows: rows.map((row, at) => [
      cell(names[at]!),
      ...columns.map((column) => {
        const text = figureText(row.figures[column]);
        return doubtOf(row, column) === undefined ? cell(text) : cell(`${text} (doubtful)`, 'doubt');
      }),
      cell(
        implied[at]!.map(
          ({ of, clients }) => `${formatNumber(clients)}${implied[at]!.length > 1 ? ` (${of})` : ''}`,
        ).join(', '),
      ),
      cell(implied[at]!.map(({ from }) => from).join('; '), 'quiet'),
    ]),
  };
}

/** `disk wait` of `diskWait`. */
const readable = (column: string): string =>
  column
    .replaceAll('-', ' ')
    .replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);

/** The printed figures of a card, in a line: `throughput in docs/s: 2,000 (1s), 2,500 (5s), 3,400 (30s)`; '' for none. */
export function figuresLine({ published }: Preset): string {
  const { units, rows, compared } = published;
  const column = compared[0]?.figure;
  if (column === undefined) return '';
  const { names } = rowNames(published);
  const shown = rows.flatMap((row, at) => {
    const figure = row.figures[column];
    return typeof figure === 'number' ? [`${formatNumber(figure)} (${names[at]!})`] : [];
  });
  const [what, unit] = [readable(column), units[column]!];
  // Some units say what they count: `queries in 90 minutes`.
  return `${unit.startsWith(what) ? unit : `${what} in ${unit}`}: ${listed(shown, MOST_SHOWN)}`;
}

const MOST_SHOWN = 4;

/** Doubts of single figures in sentences, each with what it is about; a variant's stand with the figures. */
export function figureDoubts({ published }: Preset): string[] {
  if (published.variantOf !== undefined) return [];
  const { names } = rowNames(published);
  return published.rows.flatMap((row, at) =>
    Object.entries(row.doubts ?? {}).map(([column, why]) => `${readable(column)} at ${names[at]!}: ${why}`),
  );
}

export interface PrintedSeries {
  /** `throughput`; one bar of each row. */
  name: string;
  bars: { row: string; value: number; doubt: string | undefined }[];
}

export interface PrintedChart {
  unit: string;
  /** Names of rows, as the account orders them. */
  rows: string[];
  series: PrintedSeries[];
}

/** Columns of one unit stand in one chart; those that a run has figures of its own for, or all where there is none. */
export function printedCharts({ published }: Preset): PrintedChart[] {
  const { units, rows, compared, variantOf } = published;
  if (variantOf !== undefined) return [];
  const { names } = rowNames(published);
  const named = compared.map(({ figure }) => figure);
  const columns = named.length === 0 ? Object.keys(units) : named;
  const charts = new Map<string, PrintedChart>();
  for (const column of columns) {
    const bars = rows.flatMap((row, at) => {
      const value = row.figures[column];
      return typeof value === 'number' ? [{ row: names[at]!, value, doubt: doubtOf(row, column) }] : [];
    });
    if (bars.length === 0) continue;
    const unit = units[column]!.replace(/^ms of .*/, 'ms');
    const chart = charts.get(unit) ?? { unit, rows: [...new Set(names)], series: [] };
    chart.series.push({ name: readable(column), bars });
    charts.set(unit, chart);
  }
  return [...charts.values()];
}
