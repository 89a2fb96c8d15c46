/** Computes how much of a measured phase dynobeat's events cover. */
import type { TrialDocument } from './trial';

/**
 * Minimum share of the measured phase that dynobeat's events must cover. If they cover less, Dyno does not use their values, because these
 * may miss what limited the phase.
 */
export const COVERED_FROM = 0.5;

/** Returns the length of the measured phase in ms, which is that of its longest task. */
export const elapsedOf = ({ tasks }: Pick<TrialDocument, 'tasks'>): number =>
  Math.max(0, ...tasks.map(({ elapsedMs }) => elapsedMs));

/**
 * Returns `part / whole`, but at most 1. The two are times from different clocks, so `part` may seem slightly larger than `whole`. Returns
 * null if `part` is null or `whole` is 0.
 */
export const share = (part: number | null, whole: number): number | null =>
  part === null || whole <= 0 ? null : Math.min(1, part / whole);

/**
 * Returns the share of the measured phase that dynobeat's events cover, in [0, 1]. `coveredMs`: sum of the intervals of the events, in ms.
 */
export const coverage = (coveredMs: number, document: Pick<TrialDocument, 'tasks'>): number =>
  share(coveredMs, elapsedOf(document)) ?? 0;
