/** Plain data about a replay of traffic: what a load thread needs, and what Dyno finds out about a file before the load. */
import type { Engine } from '../elasticsearch/engine';
import type { IndexPlace, IndexRule } from './index-map';

/** Formats of files with traffic that a replay reads. `traffic`: Dyno's own form. */
export const TRAFFIC_FORMATS = ['traffic', 'har', 'gor', 'audit-log'] as const;
export type TrafficFormat = (typeof TRAFFIC_FORMATS)[number];

export const isTrafficFormat = (format: string | null | undefined): format is TrafficFormat =>
  (TRAFFIC_FORMATS as readonly (string | null | undefined)[]).includes(format);

/** Facts about a file that all load threads must agree on. A pass over the file before the load finds them. */
export interface TrafficFound {
  /** Names without a rule, in the order of their first appearance, with their places. */
  indices: IndexRule[];
  /** Time of the first request that is sent, and of the last request of the file, in µs after the start of the recording. */
  firstAt: number;
  lastAt: number;
  /**
   * Groups of connections that share ids of scrolls, points in time, documents or versions. One load thread sends the requests of a group.
   * Null if there are too many connections for a list: then one load thread sends all requests.
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
  /** Place of names without a rule that the file does not contain; see {@link TrafficFound.indices}. */
  rest: IndexPlace | null;
  mayWriteOwn: boolean;
  mayWriteExisting: boolean;
  /** Engine of the target. */
  engine: Engine;
  repeat: boolean;
  /** Time before and after a search in which writes may be visible or not, in ms. Absent for a strict comparison of answers. */
  refreshWindowMs?: number;
  found: TrafficFound;
}

/** Places in the file that belong to the same load thread have the same key. Returns the key of a connection. */
export function groupKeys({ groups }: Pick<TrafficFound, 'groups'>): (connection: number) => number {
  if (groups === null) return () => 0;
  const keys = new Map(
    groups.flatMap((group) => group.map((connection) => [connection, group[0]!] as const)),
  );
  return (connection) => keys.get(connection) ?? connection;
}
