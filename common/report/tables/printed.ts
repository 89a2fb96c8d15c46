/**
 * Builds the content of the page about a published benchmark: its tables and charts, and warnings about its values. The table also contains
 * the number of clients that a published rate and time imply by Little's law.
 */
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
  /** Address of the published article. Null without an article. */
  url: string | null;
  /** True for Dyno's own presets, which have no published benchmark. */
  own: boolean;
  presets: readonly Preset[];
}

/** Returns the published benchmarks of these presets, in the order of the presets. */
export const accountsOf = (presets: readonly Preset[]): Account[] =>
  [...new Set(presets.map(({ published }) => published.seed))].map((seed) => {
    const own = presets.filter(({ published }) => published.seed === seed);
    const { title, url = null, own: isOwn } = own[0]!.published;
    return { seed, title, url, own: isOwn === true, presets: own };
  });

/** Returns a name for each row, such as `30s` or `standard, machine: DS4`. */
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

/** Returns the warning about the published value of a row in the column `column`. Undefined without a warning. */
export const warningAbout = ({ doubts }: PublishedRow, column: string): string | undefined =>
  doubts?.[column];

/**
 * Builds the table of the published values. It also contains the number of clients that follows from each row by Little's law. Null if
 * nothing was published. Also null for a variant of another preset, because that other preset shows the same values.
 */
export function printedTable(preset: Preset): Table | null {
  const { units, rows, variantOf } = preset.published;
  if (rows.length === 0 || variantOf !== undefined) return null;
  const { heading, names } = rowNames(preset.published);
  const columns = Object.keys(units);
  const implied = rows.map((row) => impliedClients(preset, row));
  return {
    title: `As published: ${preset.summary}`,
    note: implied.some(({ length }) => length > 0)
      ? "The number of clients follows from Little's law: rate of requests times their duration. The publication gives no times of rejected requests."
      : '',
    columns: [
      left(heading),
      ...columns.map((column) => right(`${readable(column)}, ${units[column]!}`)),
      optional(right('clients, implied')),
      optional(left('computed from')),
    ],
    rows: rows.map((row, at) => [
      cell(names[at]!),
      ...columns.map((column) => {
        const text = figureText(row.figures[column]);
        return warningAbout(row, column) === undefined ? cell(text) : cell(`${text} (flagged)`, 'warning');
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

/** Splits a name into words: `diskWait` becomes `disk wait`. */
const readable = (column: string): string =>
  column
    .replaceAll('-', ' ')
    .replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);

/**
 * Returns the published values as one line for the card of a preset, such as `throughput in docs/s: 2,000 (1s), 2,500 (5s), 3,400 (30s)`.
 * Returns '' if there are no values.
 */
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
  // Some units contain the name of the metric already, such as `queries in 90 minutes`.
  return `${unit.startsWith(what) ? unit : `${what} in ${unit}`}: ${listed(shown, MOST_SHOWN)}`;
}

const MOST_SHOWN = 4;

/**
 * Returns the warnings about single values as sentences. Empty for a variant of another preset, because that other preset shows the same
 * warnings.
 */
export function valueWarnings({ published }: Preset): string[] {
  if (published.variantOf !== undefined) return [];
  const { names } = rowNames(published);
  return published.rows.flatMap((row, at) =>
    Object.entries(row.doubts ?? {}).map(([column, why]) => `${readable(column)} at ${names[at]!}: ${why}`),
  );
}

export interface PrintedSeries {
  /** Name of the metric, such as `throughput`. */
  name: string;
  /** One bar for each row. */
  bars: { row: string; value: number; warning: string | undefined }[];
}

export interface PrintedChart {
  unit: string;
  /** Names of the rows in the published order. */
  rows: string[];
  series: PrintedSeries[];
}

/**
 * Returns a chart for each unit. A chart contains the published metrics that are compared with runs. If none is compared, it contains all
 * published metrics.
 */
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
      return typeof value === 'number'
        ? [{ row: names[at]!, value, warning: warningAbout(row, column) }]
        : [];
    });
    if (bars.length === 0) continue;
    const unit = units[column]!.replace(/^ms of .*/, 'ms');
    const chart = charts.get(unit) ?? { unit, rows: [...new Set(names)], series: [] };
    chart.series.push({ name: readable(column), bars });
    charts.set(unit, chart);
  }
  return [...charts.values()];
}
