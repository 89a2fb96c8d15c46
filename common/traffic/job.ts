/** Types of plain data about a replay of traffic: the input of a load thread, and the facts that Dyno reads from a file before the load. */
import type { Engine } from '../elasticsearch/engine';
import type { IndexPlace, IndexRule } from './index-map';
import type { TimeField } from './time-shift';

/** Formats of files with traffic that a replay reads. `traffic`: the format of Dyno's recordings. */
export const TRAFFIC_FORMATS = ['traffic', 'har', 'gor', 'audit-log'] as const;
export type TrafficFormat = (typeof TRAFFIC_FORMATS)[number];

export const isTrafficFormat = (format: string | null | undefined): format is TrafficFormat =>
  (TRAFFIC_FORMATS as readonly (string | null | undefined)[]).includes(format);

/** Facts about a file on which all load threads must agree. Dyno reads the whole file before the load to find them. */
export interface TrafficFound {
  /** Names of indices that match no rule of the definition, in the order of their first occurrence, with their new indices. */
  indices: IndexRule[];
  /** Start of the recording, in ms since the epoch. */
  startedAt: number;
  /** Time of the first request that is sent, and of the last request of the file, in µs after the start of the recording. */
  firstAt: number;
  lastAt: number;
  /**
   * Groups of connections. The connections of a group share ids of scrolls, points in time, documents or versions, so one load thread sends
   * all their requests. Null if there are too many connections for a list. In this case, one load thread sends all requests.
   */
  groups: number[][] | null;
}

export interface TrafficJob {
  source: { kind: 'file'; file: string };
  traffic: TrafficFormat;
  /** Kinds of the requests to send. Null for all kinds. */
  types: string[] | null;
  /** Rules of the definition for the names of indices. */
  indices: IndexRule[];
  /** New indices of all names that match no rule and are not in {@link TrafficFound.indices}. Null if requests to them are left out. */
  rest: IndexPlace | null;
  mayWriteOwn: boolean;
  mayWriteExisting: boolean;
  /** Engine of the target. */
  engine: Engine;
  repeat: boolean;
  /**
   * Time before and after a search, in ms. The search may or may not find documents that are written in this time, so its number of hits
   * may differ from the recording. Absent if every difference counts.
   */
  refreshWindowMs?: number;
  /** Change of dates in requests: the values of `fields` move by `seconds`. Absent if all dates stay as recorded. */
  times?: { fields: readonly TimeField[]; seconds: number };
  found: TrafficFound;
}

/**
 * Returns a function that returns the key of a connection. If two connections have the same key, the same load thread sends their requests.
 */
export function groupKeys({ groups }: Pick<TrafficFound, 'groups'>): (connection: number) => number {
  if (groups === null) return () => 0;
  const keys = new Map(
    groups.flatMap((group) => group.map((connection) => [connection, group[0]!] as const)),
  );
  return (connection) => keys.get(connection) ?? connection;
}
