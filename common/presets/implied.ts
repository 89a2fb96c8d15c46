/**
 * How many clients printed figures imply, by Little's law (1961): requests in flight are the rate at which they come times the
 * time that each takes. What an account does not tell of its load, its figures often do.
 */
import { parseDuration } from '../units/duration';
import { formatNumber } from '../units/format';
import type { Preset } from './preset';
import type { PublishedRow } from './published';

export interface Implied {
  /** What the clients send: `bulks`, `queries`. */
  of: string;
  clients: number;
  /** How it was reckoned: `9.3 bulks/s × 636 ms`. */
  from: string;
}

const MS = 1000;

const isTime = (unit: string | undefined): boolean => unit !== undefined && /^ms(?: |$)/.test(unit);

/** Columns of the mean time of a bulk, and of how many there were. */
const TIMES_OF_BULKS = ['response', 'ingestion'];
const COUNTS_OF_BULKS = ['samples', 'bulks'];

/** Of one row; empty where it prints no rate with the time of each. */
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

/** The requests of a client come one after the other, each with a time and a count of its own. */
function queriesOf(units: Units, figure: Figure, windowMs: number | null): Implied | null {
  const timed = Object.keys(units).filter((column) => `${column}-count` in units && isTime(units[column]));
  const sums = timed.map((column) => {
    const [ms, count] = [figure(column), figure(`${column}-count`)];
    return ms === null || count === null ? null : ms * count;
  });
  // With one of them missing, the sum would be of some of the clients' time.
  if (windowMs === null || sums.length === 0 || sums.includes(null)) return null;
  const total = sums.reduce<number>((sum, one) => sum + one!, 0);
  return {
    of: 'queries',
    clients: total / windowMs,
    from: `${sums.length} kinds of queries, each its number × its time, in ${minutes(windowMs)}`,
  };
}

const minutes = (ms: number): string => `${formatNumber(ms / 60_000)} minutes`;
