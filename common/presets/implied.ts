/**
 * Calculates the number of clients from published figures by Little's law (1961): the number of requests in flight is the rate of requests
 * times the duration of a request. Published benchmarks often do not state the number of clients, but their figures imply it.
 */
import { parseDuration } from '../units/duration';
import { formatNumber } from '../units/format';
import type { Preset } from './preset';
import type { PublishedRow } from './published';

export interface Implied {
  /** Kind of requests: `bulks`, `queries`. */
  of: string;
  clients: number;
  /** The calculation: `9.3 bulks/s × 636 ms`. */
  from: string;
}

const MS = 1000;

const isTime = (unit: string | undefined): boolean => unit !== undefined && /^ms(?: |$)/.test(unit);

/** Names of columns that can contain the mean time of a bulk request. */
const TIMES_OF_BULKS = ['response', 'ingestion'];
/** Names of columns that can contain the number of bulk requests. */
const COUNTS_OF_BULKS = ['samples', 'bulks'];

/**
 * Returns the numbers of clients that follow from one row of published figures. Empty if the row does not contain both a rate and a time.
 */
export function impliedClients(
  preset: Pick<Preset, 'definition' | 'published'>,
  row: PublishedRow,
): Implied[] {
  const { units } = preset.published;
  const figure = (column: string): number | null => {
    const found = row.figures[column];
    return typeof found === 'number' ? found : null;
  };
  const windowMs = parseDuration(preset.definition.measure?.duration ?? '') ?? null;
  return [bulksOf(units, figure, windowMs), queriesOf(units, figure, windowMs)].filter((one) => one !== null);
}

type Units = Readonly<Record<string, string>>;
type Figure = (column: string) => number | null;

function bulksOf(units: Units, figure: Figure, windowMs: number | null): Implied | null {
  const time = TIMES_OF_BULKS.find((column) => isTime(units[column]) && figure(column) !== null);
  if (time === undefined) return null;
  const ms = figure(time)!;
  const rate = units['throughput'] === 'bulks/s' ? figure('throughput') : null;
  if (rate !== null) {
    return { of: 'bulks', clients: (rate * ms) / MS, from: `${rate} bulks/s × ${formatNumber(ms)} ms` };
  }
  const counted = COUNTS_OF_BULKS.find((column) => figure(column) !== null);
  if (counted === undefined || windowMs === null) return null;
  const count = figure(counted)!;
  return {
    of: 'bulks',
    clients: (count * ms) / windowMs,
    from: `${formatNumber(count)} bulks × ${formatNumber(ms)} ms in ${minutes(windowMs)}`,
  };
}

/**
 * Returns the number of clients, calculated from queries that each client executes one after the other. Each kind of query has a column
 * with its mean time and a column with its number. `windowMs`: duration of the measurement, in ms. Returns null if a figure or the duration
 * is missing.
 */
function queriesOf(units: Units, figure: Figure, windowMs: number | null): Implied | null {
  const timed = Object.keys(units).filter((column) => `${column}-count` in units && isTime(units[column]));
  const sums = timed.map((column) => {
    const [ms, count] = [figure(column), figure(`${column}-count`)];
    return ms === null || count === null ? null : ms * count;
  });
  // If the time or count of one kind is missing, the sum would cover only a part of the clients' time.
  if (windowMs === null || sums.length === 0 || sums.includes(null)) return null;
  const total = sums.reduce<number>((sum, one) => sum + one!, 0);
  return {
    of: 'queries',
    clients: total / windowMs,
    from: `sum of number × time over ${sums.length} kinds of queries, in ${minutes(windowMs)}`,
  };
}

const minutes = (ms: number): string => `${formatNumber(ms / 60_000)} minutes`;
