/** Checks whether the time of a transaction is the sum of the times of its requests and of the planned pauses between them. */
import type { LatencySummary } from '../measurement/histogram';

/** Means over transactions, in ms. */
export interface TransactionTimes {
  /** Mean time of each request of the transaction, in the order of the requests; 0 if unknown. */
  partsMs: number[];
  /** Sum of the planned pauses between the requests, from the definition. */
  gapsMs: number;
  /** Time from the first request to the last response, in ms. */
  wholeMs: number;
  /** `wholeMs` minus the requests and the pauses. Negative if requests and pauses together are longer. */
  differenceMs: number;
  /**
   * Whether requests and pauses explain the whole time of a transaction. This is the case if `differenceMs` is at most the time that the
   * load generator itself needs between a response and the next request.
   */
  addsUp: boolean;
}

/** Tolerated difference as a share of the whole time. It is needed because histograms have only three significant digits. */
const LITTLE_SHARE = 0.01;
/** Time that the load generator needs to process a response and to send the next request, in ms. */
const HANDLING_MS = 0.1;
/** Time by which the load generator may end a pause too late, in ms. */
const LATE_MS = 0.5;

/**
 * Compares the time of transactions with the times of their requests. Returns null if no times are available. `whole`: times of the
 * transactions. `parts`: for each request of the transaction, its service times; null if unknown. `parts` must not include requests of
 * interrupted transactions, because `whole` does not include these transactions.
 */
export function transactionTimes(
  parts: readonly (LatencySummary | null)[],
  whole: LatencySummary,
  gapsMs: number,
): TransactionTimes | null {
  if (whole.mean === null || parts.length === 0 || parts.every((part) => part === null)) return null;
  const wholeMs = whole.mean;
  const partsMs = parts.map((part) => ((part?.mean ?? 0) * (part?.count ?? 0)) / whole.count);
  const differenceMs = wholeMs - partsMs.reduce((sum, ms) => sum + ms, 0) - gapsMs;
  const own = HANDLING_MS * parts.length + (gapsMs === 0 ? 0 : LATE_MS * (parts.length - 1));
  return {
    partsMs,
    gapsMs,
    wholeMs,
    differenceMs,
    addsUp: Math.abs(differenceMs) <= Math.max(LITTLE_SHARE * wholeMs, own),
  };
}
