/** Checks whether the number of documents in an index agrees with the documents that a trial sent. */
import { addCounts, noCounts, type Counts } from '../measurement/counts';
import type { TaskSummary, TrialDocument } from '../measurement/trial';
import { addWrites, noWrites } from '../measurement/writes';
import { formatNumber } from '../units/format';

/** Numbers of documents that are compared after a trial. */
export interface IndexCount {
  /** Documents in the index now. */
  docs: number;
  /** Documents that were in the index before the load. */
  before: number;
  /**
   * Number of documents by which the load must have changed the index: those acknowledged as created, minus those acknowledged as deleted.
   */
  acknowledged: number;
  /** Documents that were sent, but got no response. */
  unknown: number;
  /**
   * Number of documents for which the response reports a failure. Some of them may be stored nevertheless: if only a replica shard or the
   * master failed, the primary shard has stored the document.
   */
  failed: number;
  /** Maximum number of documents that may be in the index in addition to `before` and `acknowledged`. */
  more: number;
  /** Maximum number of `acknowledged` documents that may be missing in the index. */
  fewer: number;
  /** How `acknowledged` is calculated: `created` minus `deleted`. Present only if the load updates or deletes documents. */
  changes?: { created: number; deleted: number };
}

const LOST_NODE = ['node-left', 'node-restarted'];

/** Compares the documents in the indices with those that the trial sent. `docs`: number of documents in the indices now. */
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

/**
 * Returns the number of acknowledged documents. It includes those that the client counts as failed because another document of their bulk
 * request failed.
 */
const storedOf = ({ accepted, disregarded }: Counts): number => accepted + disregarded;

/**
 * Returns the number of documents that a search must find once all documents are searchable. It includes documents from before the load.
 */
export function acknowledgedDocuments(document: TrialDocument): number {
  const { before, acknowledged, fewer } = indexCount(document, 0);
  return before + acknowledged - fewer;
}

function documentsBefore({ preload, existing }: TrialDocument, docs: number): number {
  if (existing === undefined) return preload?.documents ?? 0;
  // If the trial does not write to the existing index, any change comes from somebody else. All documents then count as there before,
  // because the counts of the trial cannot explain the change.
  return existing.written ? existing.documents : docs;
}

/**
 * Returns the number of documents in the index that somebody else has added: they were not there before the load, and the load cannot have
 * added them.
 */
export const documentsOfOthers = ({ docs, before, acknowledged, more }: IndexCount): number =>
  Math.max(0, docs - before - acknowledged - more);

const loaded = (before: number): string =>
  before > 0 ? `${formatNumber(before)} were there before and ` : '';

/**
 * Possible reasons why acknowledged documents are missing in the index. Documents that a pipeline dropped or redirected do not count as
 * missing, because the responses report them.
 */
const MISSING_BECAUSE =
  'possible causes: an ingest pipeline that was added during the load or gives several documents one _id, something between ' +
  'Dyno and the cluster that answers instead of it, somebody who deletes documents, or a cluster that lost them';

/** Possible reasons for documents in the index that were not acknowledged. */
const MORE_BECAUSE =
  'possible causes: somebody else who writes to it, or requests that were sent twice on the way';

/**
 * Describes a contradiction between the index and the counts. Either acknowledged documents are missing, or the index contains more
 * documents than the trial can have stored. '' if there is no contradiction.
 */
export function indexMismatch(count: IndexCount): string {
  const { docs, before, acknowledged, more, fewer, changes } = count;
  const added = docs - before;
  if (added >= acknowledged - fewer && added <= acknowledged + more) return '';
  const because = added < acknowledged - fewer ? MISSING_BECAUSE : MORE_BECAUSE;
  if (changes !== undefined)
    return `the index holds ${formatNumber(docs)} documents, but ${expectedCount(count)} must be there: ${madeOf(count, changes)}; ${because}`;
  const beyond = more === 0 ? '' : `, and only ${formatNumber(more)} more may be there`;
  return (
    `the index holds ${formatNumber(docs)} documents, but ${loaded(before)}${formatNumber(acknowledged)} were ` +
    `acknowledged${added < acknowledged ? '' : beyond}; ${because}`
  );
}

/**
 * Describes how many of the documents without a response are in the index. '' if every document got a response, or if the index and the
 * counts disagree.
 */
export function unknownSentence(count: IndexCount): string {
  const { docs, before, acknowledged, unknown, changes } = count;
  if (unknown === 0 || indexMismatch(count) !== '') return '';
  // If the load also deletes documents, their number in the index cannot show this: a stored and a deleted document cancel out.
  if (changes !== undefined)
    return `the index holds ${formatNumber(docs)}, ${expectedCount(count)} must be there: ${madeOf(count, changes)}`;
  const stored = Math.min(unknown, docs - before - acknowledged);
  const found = stored === unknown ? 'all' : stored === 0 ? 'none' : formatNumber(stored);
  return (
    `the index holds ${formatNumber(docs)}, ${loaded(before)}${formatNumber(acknowledged)} were acknowledged, ` +
    `${formatNumber(unknown)} unknown: ${found} of the unknown ${stored === 1 || stored === 0 ? 'was' : 'were'} stored`
  );
}

/** Formats the number of documents that must be in the index: `90`, or `88 to 95` if some outcomes are unknown. */
function expectedCount({ before, acknowledged, more, fewer }: IndexCount): string {
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
