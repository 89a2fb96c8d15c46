/** Builds the table of profiled searches: on which parts of a search the nodes spent their time, for each request. */
import { OTHER_PARTS, SEARCH_PARTS, type SearchProfile } from '../../profile/search-profile';
import { formatNumber, formatPercent } from '../../units/format';
import { rowsOf } from '../model/cell-names';
import type { Report } from '../model/report';
import { cell, left, right, type Table, type TableCell } from './table';

/** Parts with a smaller share in every cell are added up in one row. */
const LEAST_SHARE = 0.01;

/** Maximum number of combinations of factor levels that a terminal shows as columns. */
const MOST_CELLS = 5;

interface Share {
  kind: string;
  name: string;
  /** Share of the request's time by cell, in [0, 1]. Undefined for cells in which the request was not profiled. */
  shares: readonly (number | undefined)[];
}

/** Returns the share of each part of a request. `profiles`: the request's profile in each cell. */
function sharesOf(profiles: readonly (SearchProfile | undefined)[]): Share[] {
  const timeOf = (profile: SearchProfile): number =>
    Object.values(profile.parts).reduce((sum, own) => sum + Object.values(own).reduce((a, b) => a + b, 0), 0);
  const wholes = profiles.map((profile) => (profile === undefined ? 0 : timeOf(profile)));
  return SEARCH_PARTS.flatMap((kind) => {
    const names = new Set(profiles.flatMap((profile) => Object.keys(profile?.parts[kind] ?? {})));
    return [...names].map((name) => ({
      kind,
      name,
      shares: profiles.map((profile, at) =>
        wholes[at] === 0 ? undefined : (profile!.parts[kind]?.[name] ?? 0) / wholes[at]!,
      ),
    }));
  });
}

const largest = ({ shares }: Share): number => Math.max(...shares.map((share) => share ?? 0));

/** Returns the parts with the largest share first. Small parts become one row at the end. */
function inOrder(shares: readonly Share[]): Share[] {
  const shown = shares.filter((share) => largest(share) >= LEAST_SHARE);
  const small = shares.filter((share) => largest(share) < LEAST_SHARE);
  const sorted = shown.sort((a, b) => largest(b) - largest(a));
  if (small.length === 0) return sorted;
  const added = small[0]!.shares.map((first, at) =>
    first === undefined ? undefined : small.reduce((sum, one) => sum + one.shares[at]!, 0),
  );
  return [...sorted, { kind: OTHER_PARTS, name: `each below ${formatPercent(LEAST_SHARE)}`, shares: added }];
}

/** Returns the table of profiled searches. Null without `measure.profile-searches`. */
export function searchProfileTable(report: Report, task: string): Table | null {
  const all = rowsOf(report, task).rows;
  const cells = all.filter(({ own }) => own.requests.some(({ profile }) => profile !== undefined));
  if (cells.length === 0) return null;
  const names = [...new Set(cells.flatMap(({ own }) => own.requests.map(({ name }) => name)))];
  const rows = names.flatMap((request): TableCell[][] => {
    const profiles = cells.map(({ own }) => own.requests.find(({ name }) => name === request)?.profile);
    return inOrder(sharesOf(profiles)).map(({ kind, name, shares }) => [
      cell(request),
      cell(kind),
      cell(name),
      ...shares.map((share) => cell(share === undefined ? '–' : formatPercent(share))),
    ]);
  });
  const counts = cells.flatMap(({ own }) => own.requests.flatMap(({ profile }) => profile?.searches ?? []));
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)].map((count) => formatNumber(count));
  return {
    title: 'Where the time of a search goes',
    note:
      `Shares of the time on all shards, of ${fewest === most ? fewest : `${fewest} to ${most}`} profiled searches of each request in each cell, over all trials. ` +
      'Dyno sent them outside of the load. A profiled search is slower than others, so compare the shares and not times.',
    columns: [left('request'), left('part'), left('name'), ...cells.map(({ name }) => right(name))],
    rows,
  };
}

/** Returns the same table for terminals. Null if it would have too many columns. */
export function shortSearchProfileTable(report: Report, task: string): Table | null {
  const table = searchProfileTable(report, task);
  return table === null || table.columns.length - 3 > MOST_CELLS ? null : table;
}
