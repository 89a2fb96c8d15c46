/** Whether a transaction's time is the sum of its parts' times and the stated gaps between them. */
import type { LatencySummary } from '../measurement/histogram';

/** Of one transaction, means in ms. */
export interface TransactionTimes {
  /** Of each part, in their order; 0 where it has no time. */
  partsMs: number[];
  /** As the definition states them. */
  gapsMs: number;
  /** From the first request to the last answer. */
  wholeMs: number;
  /** What of the whole neither parts nor gaps account for; below 0 where they are longer than it. */
  differenceMs: number;
  /** The difference is what the generator itself takes between an answer and the next request, and no more. */
  addsUp: boolean;
}

/** Of the whole: histograms keep three digits. */
const LITTLE_SHARE = 0.01;
/** To take an answer and send the next request, ms. */
const HANDLING_MS = 0.1;
/** How late a gap may end, ms. */
const LATE_MS = 0.5;

/**
 * `parts`: service times of the parts of the transactions that `whole` is made of; null where they are not known. A part
 * of a transaction that was cut short is missing from both. Null where so there is no result.
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
