/** What happened to the documents (or searches, or transactions) of a task, in numbers that add up. */

/**
 * All in documents unless the name says otherwise; for a search task a "document" is one
 * search, for a transaction task one transaction, of which `requests` are the parts. It is accepted when all its parts are.
 * `attempted = accepted + rejected + failed` once nothing is in flight, and `attempted + retried` were sent over the wire.
 */
export interface Counts {
  /** Requests that ended, retries included. */
  requests: number;
  /** Requests that ended without any usable answer: refused whole, timed out, connection lost. */
  failedRequests: number;
  /** Distinct documents whose fate is known: sent at least once. */
  attempted: number;
  /** Stored (bulk item status 2xx), or searches answered 2xx without failed shards. */
  accepted: number;
  /** Refused for load (429) after the last retry. */
  rejected: number;
  /** Refused for another reason, or unknown because the connection or the time ran out. */
  failed: number;
  /** Sent again after a 429; a document sent three times counts two. */
  retried: number;
  /** Bytes of the request bodies that were sent, retries included. */
  bytes: number;
}

/** Zero everywhere. */
export const noCounts = (): Counts => ({
  requests: 0,
  failedRequests: 0,
  attempted: 0,
  accepted: 0,
  rejected: 0,
  failed: 0,
  retried: 0,
  bytes: 0,
});

/** Adds `more` to `into`, in place. */
export function addCounts(into: Counts, more: Counts): Counts {
  for (const key of Object.keys(into) as (keyof Counts)[]) into[key] += more[key];
  return into;
}

/** Share of the attempted documents that were rejected, in [0, 1]; 0 when nothing was attempted. */
export const rejectionRate = ({ attempted, rejected }: Counts): number =>
  attempted === 0 ? 0 : rejected / attempted;

/** Share of the attempted documents that were not stored, in [0, 1]. */
export const errorRate = ({ attempted, rejected, failed }: Counts): number =>
  attempted === 0 ? 0 : (rejected + failed) / attempted;
