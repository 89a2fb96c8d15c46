/** Counts the outcomes of a task's documents (or searches, or transactions), in numbers that add up. */
import { ENDS, ERRORS, forOutcomes, sumOf, type LaterOutcome, type OutcomeCounts } from './outcomes';

/**
 * Counts of a task. Unless the name says otherwise, they count documents. For a search task, a *document* is one search. For a transaction
 * task, it is one transaction, which is accepted if all its requests are accepted. `requests` counts the requests of transactions one by
 * one.
 *
 * There is also a count for each outcome (`outcomes.ts`). When no request is in flight, the counts of all final outcomes add up to
 * `attempted`. All sent requests together contained `attempted + retried` documents.
 */
export interface Counts extends OutcomeCounts {
  /** Number of requests that were answered or failed, retries included. */
  requests: number;
  /** Number of requests that ended without a usable response: they were rejected as a whole, timed out, or lost their connection. */
  failedRequests: number;
  /**
   * Number of documents with a final outcome. A document counts once, even if it was sent several times. It counts even if it was never
   * sent, because no connection could be made.
   */
  attempted: number;
  /** Bytes of the request bodies that were sent, retries included. */
  bytes: number;
}

/** Counts as they are stored. Results of older versions of Dyno lack outcomes that were added later. */
export type StoredCounts = Omit<Counts, LaterOutcome> & Partial<Pick<Counts, LaterOutcome>>;

const NOTHING: Counts = {
  requests: 0,
  failedRequests: 0,
  attempted: 0,
  ...forOutcomes(() => 0),
  bytes: 0,
};
const KEYS = Object.keys(NOTHING) as (keyof Counts)[];

/** Returns counts that are all 0. */
export const noCounts = (): Counts => ({ ...NOTHING });

/** Sets all counts in `counts` to 0, and returns `counts`. */
export const clearCounts = (counts: Counts): Counts => Object.assign(counts, NOTHING);

/** Adds the counts in `more` to those in `into`, and returns `into`. */
export function addCounts(into: Counts, more: StoredCounts): Counts {
  for (const key of KEYS) into[key] += more[key] ?? 0;
  return into;
}

/** Returns the sum of all final outcomes. It must equal `attempted`, because each document has exactly one final outcome. */
export const endedOf = (counts: StoredCounts): number => sumOf(ENDS, counts);

/** Share of the attempted documents that were rejected, in [0, 1]; null if no document was attempted. */
export const rejectionRate = ({
  attempted,
  rejected,
}: Pick<Counts, 'attempted' | 'rejected'>): number | null => (attempted === 0 ? null : rejected / attempted);

/**
 * Share of the attempted documents that count as errors, in [0, 1]; null if no document was attempted. `outcomes.ts` says which outcomes
 * are errors.
 */
export const errorRate = (counts: StoredCounts): number | null =>
  counts.attempted === 0 ? null : sumOf(ERRORS, counts) / counts.attempted;
