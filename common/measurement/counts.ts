/** What happened to the documents (or searches, or transactions) of a task, in numbers that add up. */
import { ENDS, ERRORS, forOutcomes, sumOf, type LaterOutcome, type OutcomeCounts } from './outcomes';

/**
 * All in documents unless the name says otherwise; for a search task a "document" is one
 * search, for a transaction task one transaction, of which `requests` are the parts. It is accepted when all its parts are.
 * Beside what is listed here there is a count for each outcome (`outcomes.ts`): `attempted` is the sum of those that are
 * ends once nothing is in flight, and `attempted + retried` were sent over the wire.
 */
export interface Counts extends OutcomeCounts {
  /** Requests that ended, retries included. */
  requests: number;
  /** Requests that ended without any usable answer: refused whole, timed out, connection lost. */
  failedRequests: number;
  /** Distinct documents that came to an end: sent at least once, or given up for want of a connection. */
  attempted: number;
  /** Bytes of the request bodies that were sent, retries included. */
  bytes: number;
}

/** As they are kept: results of older versions of Dyno lack outcomes that came later. */
export type StoredCounts = Omit<Counts, LaterOutcome> & Partial<Pick<Counts, LaterOutcome>>;

const NOTHING: Counts = {
  requests: 0,
  failedRequests: 0,
  attempted: 0,
  ...forOutcomes(() => 0),
  bytes: 0,
};
const KEYS = Object.keys(NOTHING) as (keyof Counts)[];

/** Zero everywhere. */
export const noCounts = (): Counts => ({ ...NOTHING });

/** Zero everywhere, in place. */
export const clearCounts = (counts: Counts): Counts => Object.assign(counts, NOTHING);

/** Adds `more` to `into`, in place. */
export function addCounts(into: Counts, more: StoredCounts): Counts {
  for (const key of KEYS) into[key] += more[key] ?? 0;
  return into;
}

/** What `attempted` must be: each document that ended has exactly one outcome. */
export const endedOf = (counts: StoredCounts): number => sumOf(ENDS, counts);

/** Share of the attempted documents that were rejected, in [0, 1]; null if none was attempted: a share of nothing is not 0. */
export const rejectionRate = ({
  attempted,
  rejected,
}: Pick<Counts, 'attempted' | 'rejected'>): number | null => (attempted === 0 ? null : rejected / attempted);

/**
 * Share of the attempted documents that nobody knows to be stored, or whose client takes them for lost, in [0, 1]; null if none
 * was attempted.
 */
export const errorRate = (counts: StoredCounts): number | null =>
  counts.attempted === 0 ? null : sumOf(ERRORS, counts) / counts.attempted;
