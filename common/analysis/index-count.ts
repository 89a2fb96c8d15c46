/** Whether an index holds what the counts of a trial say, in both directions. */
import { addCounts, noCounts } from '../measurement/counts';
import type { TrialDocument } from '../measurement/trial';
import { formatNumber } from '../units/format';

/** All in documents. */
export interface IndexCount {
  docs: number;
  /** Of `docs`, those that were there before the load. */
  before: number;
  acknowledged: number;
  /** Sent, and never answered. */
  unknown: number;
  /** Answered with a failure: one of a replica or a master leaves the document where the primary has stored it. */
  failed: number;
}

/** `docs`: what the indices of the trial hold. */
export function indexCount({ tasks, preload }: TrialDocument, docs: number): IndexCount {
  const ingests = tasks.filter(({ kind }) => kind === 'ingest');
  const { accepted, unknown, failed } = ingests.reduce((sum, { total }) => addCounts(sum, total), noCounts());
  return { docs, before: preload?.documents ?? 0, acknowledged: accepted, unknown, failed };
}

const loaded = (before: number): string => (before > 0 ? `${formatNumber(before)} had been loaded and ` : '');

/** How the index and the counts disagree: what was acknowledged is missing, or more is there than was sent; '' where they agree. */
export function indexMismatch({ docs, before, acknowledged, unknown, failed }: IndexCount): string {
  const added = docs - before;
  if (added >= acknowledged && added <= acknowledged + unknown + failed) return '';
  const more = unknown + failed === 0 ? '' : `, and only ${formatNumber(unknown + failed)} more may be there`;
  return (
    `the index holds ${formatNumber(docs)} documents, but ${loaded(before)}${formatNumber(acknowledged)} were ` +
    `acknowledged${added < acknowledged ? '' : more}`
  );
}

/** What the index tells of the documents whose answer never came; '' where there are none, or the index disagrees. */
export function unknownSentence(count: IndexCount): string {
  const { docs, before, acknowledged, unknown } = count;
  if (unknown === 0 || indexMismatch(count) !== '') return '';
  const stored = Math.min(unknown, docs - before - acknowledged);
  const found = stored === unknown ? 'all' : stored === 0 ? 'none' : formatNumber(stored);
  return (
    `the index holds ${formatNumber(docs)}, ${loaded(before)}${formatNumber(acknowledged)} were acknowledged, ` +
    `${formatNumber(unknown)} unknown: ${found} of the unknown ${stored === 1 || stored === 0 ? 'was' : 'were'} stored`
  );
}
