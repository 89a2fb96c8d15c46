/** Whether an index holds what the counts of a trial say, in both directions. */
import { addCounts, noCounts, type Counts } from '../measurement/counts';
import type { TaskSummary, TrialDocument } from '../measurement/trial';
import { addWrites, noWrites } from '../measurement/writes';
import { formatNumber } from '../units/format';

/** All in documents. */
export interface IndexCount {
  docs: number;
  /** Of `docs`, those that were there before the load. */
  before: number;
  /** That must stand there beside: what was created, but for what was deleted again. */
  acknowledged: number;
  /** Sent, and never answered. */
  unknown: number;
  /** Answered with a failure: one of a replica or a master leaves the document where the primary has stored it. */
  failed: number;
  /** What may stand there beyond that, and what may be missing of it. */
  more: number;
  fewer: number;
  /** Where documents were updated or deleted: what `acknowledged` is made of. */
  changes?: { created: number; deleted: number };
}

const LOST_NODE = ['node-left', 'node-restarted'];

/** `docs`: what the indices of the trial hold. */
export function indexCount(document: TrialDocument, docs: number): IndexCount {
  const { tasks, disturbances } = document;
  const ingests = tasks.filter(({ kind }) => kind === 'ingest');
  const totalOf = (own: readonly TaskSummary[]) =>
    own.reduce((sum, { total }) => addCounts(sum, total), noCounts());
  const { unknown, failed } = totalOf(ingests);
  const plain = totalOf(ingests.filter(({ writes }) => !writes));
  const count = {
    docs,
    before: documentsBefore(document, docs),
    acknowledged: storedOf(plain),
    unknown,
    failed,
    more: plain.unknown + plain.failed,
    fewer: 0,
  };
  if (ingests.every(({ writes }) => !writes)) return count;
  const own = ingests.reduce((sum, { writes }) => (writes ? addWrites(sum, writes) : sum), noWrites());
  const isAgain = (disturbances ?? []).some(({ kind }) => LOST_NODE.includes(kind));
  const created = storedOf(plain) + own.created;
  return {
    ...count,
    acknowledged: created - own.deleted,
    more: count.more + own.perhapsAdded + (isAgain ? own.existed : 0),
    fewer: own.perhapsRemoved + (isAgain ? own.absent : 0),
    changes: { created, deleted: own.deleted },
  };
}

/** What the target has acknowledged, whether or not a client takes a bulk as a whole for failed. */
const storedOf = ({ accepted, disregarded }: Counts): number => accepted + disregarded;

/** That must be found once all of them are searchable, those of before the load included. */
export function acknowledgedDocuments(document: TrialDocument): number {
  const { before, acknowledged, fewer } = indexCount(document, 0);
  return before + acknowledged - fewer;
}

function documentsBefore({ preload, existing }: TrialDocument, docs: number): number {
  if (existing === undefined) return preload?.documents ?? 0;
  // What others do to data that a trial does not write to is not for its counts to explain.
  return existing.written ? existing.documents : docs;
}

/** Documents that are there beyond all that were sent: of data that others may write to, these are theirs. */
export const documentsOfOthers = ({ docs, before, acknowledged, more }: IndexCount): number =>
  Math.max(0, docs - before - acknowledged - more);

const loaded = (before: number): string =>
  before > 0 ? `${formatNumber(before)} were there before and ` : '';

/**
 * What may have happened to documents that were acknowledged and are missing. Bulk answers that were read item by item name
 * dropped and redirected documents, so those are not missing.
 */
const MISSING_BECAUSE =
  'possible causes: an ingest pipeline that was added during the load or gives several documents one _id, something between ' +
  'Dyno and the cluster that answers in its place, somebody who deletes documents, or a cluster that lost them';

/** What may have stored documents that were not acknowledged. */
const MORE_BECAUSE =
  'possible causes: somebody else who writes to it, or requests that were sent twice on the way';

/** How the index and the counts disagree: what was acknowledged is missing, or more is there than was sent; '' where they agree. */
export function indexMismatch(count: IndexCount): string {
  const { docs, before, acknowledged, more, fewer, changes } = count;
  const added = docs - before;
  if (added >= acknowledged - fewer && added <= acknowledged + more) return '';
  const because = added < acknowledged - fewer ? MISSING_BECAUSE : MORE_BECAUSE;
  if (changes !== undefined)
    return `the index holds ${formatNumber(docs)} documents, but ${mustStand(count)} must be there: ${madeOf(count, changes)}; ${because}`;
  const beyond = more === 0 ? '' : `, and only ${formatNumber(more)} more may be there`;
  return (
    `the index holds ${formatNumber(docs)} documents, but ${loaded(before)}${formatNumber(acknowledged)} were ` +
    `acknowledged${added < acknowledged ? '' : beyond}; ${because}`
  );
}

/** What the index tells of the documents whose answer never came; '' where there are none, or the index disagrees. */
export function unknownSentence(count: IndexCount): string {
  const { docs, before, acknowledged, unknown, changes } = count;
  if (unknown === 0 || indexMismatch(count) !== '') return '';
  // One that was stored and one that was deleted look like none.
  if (changes !== undefined)
    return `the index holds ${formatNumber(docs)}, ${mustStand(count)} must be there: ${madeOf(count, changes)}`;
  const stored = Math.min(unknown, docs - before - acknowledged);
  const found = stored === unknown ? 'all' : stored === 0 ? 'none' : formatNumber(stored);
  return (
    `the index holds ${formatNumber(docs)}, ${loaded(before)}${formatNumber(acknowledged)} were acknowledged, ` +
    `${formatNumber(unknown)} unknown: ${found} of the unknown ${stored === 1 || stored === 0 ? 'was' : 'were'} stored`
  );
}

/** `90`, or `88 to 95` where some outcomes are not known. */
function mustStand({ before, acknowledged, more, fewer }: IndexCount): string {
  const least = before + acknowledged - fewer;
  const most = before + acknowledged + more;
  return least === most ? formatNumber(least) : `${formatNumber(least)} to ${formatNumber(most)}`;
}

const madeOf = (
  { before, unknown, failed }: IndexCount,
  { created, deleted }: { created: number; deleted: number },
): string =>
  `${loaded(before)}${formatNumber(created)} were created and ${formatNumber(deleted)} deleted` +
  (unknown === 0 ? '' : `, ${formatNumber(unknown)} unknown`) +
  (failed === 0 ? '' : `, ${formatNumber(failed)} failed`);
