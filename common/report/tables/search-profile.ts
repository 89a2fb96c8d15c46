/** Builds the table of profiled searches: on which parts of a search the nodes spent their time, for each request. */
import { mean, meanInterval } from '../../analysis/interval';
import { OTHER_PARTS, type SearchShares } from '../../profile/search-profile';
import { formatNumber, formatPercent } from '../../units/format';
import { rowsOf } from '../model/cell-names';
import type { Report } from '../model/report';
import { cell, left, optional, right, withoutColumns, type Table, type TableCell } from './table';

/** Parts with a smaller share in every cell are added up in one row. */
const LEAST_SHARE = 0.01;

/** Maximum number of combinations of factor levels that a terminal shows as columns. */
const MOST_CELLS = 5;

/** Name of the columns with intervals. */
const INTERVAL = '95% interval';

interface Row {
  part: string;
  name: string;
  /** Shares of the part in the trials of each cell, in [0, 1]. Undefined for cells in which the request was not profiled. */
  cells: readonly (readonly number[] | undefined)[];
}

/** Returns a row for each part of a request. `profiles`: the request's profile in each cell. */
function rowsIn(profiles: readonly (SearchShares | undefined)[]): Row[] {
  const parts = new Map(
    profiles.flatMap((profile) =>
      (profile?.shares ?? []).map(({ part, name }) => [`${part} ${name}`, { part, name }] as const),
    ),
  );
  return [...parts.values()].map(({ part, name }) => ({
    part,
    name,
    cells: profiles.map((profile) => {
      const [first] = profile?.shares ?? [];
      const own = profile?.shares.find((share) => share.part === part && share.name === name);
      return own?.values ?? first?.values.map(() => 0);
    }),
  }));
}

const largest = ({ cells }: Row): number =>
  Math.max(...cells.map((values) => (values === undefined ? 0 : mean(values))));

/** Returns the parts with the largest share first. Small parts become one row at the end. */
function inOrder(rows: readonly Row[]): Row[] {
  const shown = rows.filter((row) => largest(row) >= LEAST_SHARE);
  const small = rows.filter((row) => largest(row) < LEAST_SHARE);
  const sorted = shown.sort((a, b) => largest(b) - largest(a));
  if (small.length === 0) return sorted;
  const cells = small[0]!.cells.map((values, at) =>
    values?.map((_, trial) => small.reduce((sum, row) => sum + row.cells[at]![trial]!, 0)),
  );
  return [...sorted, { part: OTHER_PARTS, name: `each below ${formatPercent(LEAST_SHARE)}`, cells }];
}

/** Returns the mean share of a part with its interval. */
function shareCells(values: readonly number[] | undefined): TableCell[] {
  if (values === undefined) return [cell('–'), cell('–')];
  const interval = meanInterval(values);
  return [
    cell(formatPercent(mean(values))),
    cell(
      interval === null
        ? '–'
        : `${formatPercent(interval.low)} to ${formatPercent(Math.min(1, interval.high))}`,
    ),
  ];
}

/** Returns the table of profiled searches. Null without `measure.profile-searches`. */
export function searchProfileTable(report: Report, task: string): Table | null {
  const all = rowsOf(report, task).rows;
  const cells = all.filter(({ own }) => own.requests.some(({ profile }) => profile !== undefined));
  if (cells.length === 0) return null;
  const names = [...new Set(cells.flatMap(({ own }) => own.requests.map(({ name }) => name)))];
  const rows = names.flatMap((request): TableCell[][] => {
    const profiles = cells.map(({ own }) => own.requests.find(({ name }) => name === request)?.profile);
    return inOrder(rowsIn(profiles)).map(({ part, name, cells: shares }) => [
      cell(request),
      cell(part),
      cell(name),
      ...shares.flatMap(shareCells),
    ]);
  });
  const counts = cells.flatMap(({ own }) => own.requests.flatMap(({ profile }) => profile?.searches ?? []));
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)].map((count) => formatNumber(count));
  return {
    title: 'Where the time of a search goes',
    note:
      `Shares of the time on all shards: means over the trials, from ${fewest === most ? fewest : `${fewest} to ${most}`} profiled searches of each request in each cell. ` +
      'Dyno sent them outside of the load. A profiled search is slower than others, so compare the shares and not times.',
    columns: [
      left('request'),
      left('part'),
      left('name'),
      ...cells.flatMap(({ name }) => [right(name), optional(right(INTERVAL))]),
    ],
    rows,
  };
}

/** Returns the same table without intervals for terminals. Null if it would have too many columns. */
export function shortSearchProfileTable(report: Report, task: string): Table | null {
  const table = searchProfileTable(report, task);
  if (table === null) return null;
  const short = withoutColumns(table, [INTERVAL]);
  return short.columns.length - 3 > MOST_CELLS ? null : short;
}
