/** How much of a measured phase the collector's events cover. */
import type { TrialDocument } from './trial';

/** Figures that cover less of the measured phase may miss what limited the rest of it, and are not relied on. */
export const COVERED_FROM = 0.5;

/** Length of the measured phase, ms: of its longest task. */
export const elapsedOf = ({ tasks }: Pick<TrialDocument, 'tasks'>): number =>
  Math.max(0, ...tasks.map(({ elapsedMs }) => elapsedMs));

/** In [0, 1]; times and clocks do not end at the same millisecond, so a little more is all. Null without a whole. */
export const share = (part: number | null, whole: number): number | null =>
  part === null || whole <= 0 ? null : Math.min(1, part / whole);

/** Share of the measured phase that `coveredMs` of events cover, in [0, 1]. */
export const coverage = (coveredMs: number, document: Pick<TrialDocument, 'tasks'>): number =>
  share(coveredMs, elapsedOf(document)) ?? 0;
