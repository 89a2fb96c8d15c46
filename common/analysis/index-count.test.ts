import { noCounts } from '../measurement/counts';
import type { TrialDocument } from '../measurement/trial';
import { noWrites } from '../measurement/writes';
import { indexCount, indexMismatch, unknownSentence, type IndexCount } from './index-count';
import { makeRun, REFRESH } from './testing/made-run';

const MISSING =
  'possible causes: an ingest pipeline that was added during the load or gives several documents one _id, something between Dyno and the cluster that answers instead of it, somebody who deletes documents, or a cluster that lost them';
const MORE = 'possible causes: somebody else who writes to it, or requests that were sent twice on the way';

/**
 * Returns a count of 30,000 documents, of which 27,800 were acknowledged and 2,200 unanswered. Unanswered and failed documents may or may
 * not be stored. `given`: replaces numbers.
 */
const count = (given: Partial<IndexCount>): IndexCount => {
  const own = { docs: 30_000, before: 0, acknowledged: 27_800, unknown: 2200, failed: 0, ...given };
  return { more: own.unknown + own.failed, fewer: 0, ...own };
};

test('the index shows how many unanswered documents were stored', () => {
  expect(unknownSentence(count({}))).toBe(
    'the index holds 30,000, 27,800 were acknowledged, 2,200 unknown: all of the unknown were stored',
  );
  expect(unknownSentence(count({ docs: 28_000 }))).toMatch(/200 of the unknown were stored$/);
  expect(unknownSentence(count({ docs: 27_801 }))).toMatch(/: 1 of the unknown was stored$/);
  expect(unknownSentence(count({ docs: 27_800 }))).toMatch(/none of the unknown was stored$/);
  expect(unknownSentence(count({ before: 1000, docs: 31_000 }))).toBe(
    'the index holds 31,000, 1,000 were there before and 27,800 were acknowledged, 2,200 unknown: all of the unknown were stored',
  );
  expect(unknownSentence(count({ docs: 27_800, unknown: 0 }))).toBe('');
});

test('an index that lost acknowledged documents, or has more than were sent, disagrees', () => {
  expect(indexMismatch(count({}))).toBe('');
  expect(indexMismatch(count({ docs: 27_800 }))).toBe('');
  expect(indexMismatch(count({ docs: 27_799 }))).toBe(
    `the index holds 27,799 documents, but 27,800 were acknowledged; ${MISSING}`,
  );
  expect(indexMismatch(count({ docs: 30_001 }))).toBe(
    `the index holds 30,001 documents, but 27,800 were acknowledged, and only 2,200 more may be there; ${MORE}`,
  );
  expect(indexMismatch(count({ docs: 30_001, failed: 1 }))).toBe('');
  expect(unknownSentence(count({ docs: 27_799 }))).toBe('');
});

const [MADE] = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 10 } } })).trials;

test('documents stored in bulks that count as failed must be in the index, too', () => {
  const trial = structuredClone(MADE!);
  trial.tasks[0]!.total = {
    ...noCounts(),
    attempted: 3000,
    accepted: 1000,
    rejected: 100,
    disregarded: 1900,
  };
  const agree = [2899, 2900, 2901].map((docs) => indexMismatch(indexCount(trial, docs)) === '');
  expect(agree).toEqual([false, true, false]);
  // Results of earlier versions lack this field.
  delete (trial.tasks[0]!.total as Partial<(typeof trial.tasks)[0]['total']>).disregarded;
  expect(indexMismatch(indexCount(trial, 1000))).toBe('');
});

/** Returns the count for a trial that created 100 documents, deleted 10, and received no response to 5 creations and 3 deletions. */
function changed(docs: number, more: Partial<TrialDocument> = {}): IndexCount {
  const trial = structuredClone(MADE!);
  trial.tasks[0]!.total = { ...noCounts(), attempted: 148, accepted: 140, unknown: 8 };
  trial.tasks[0]!.writes = {
    ...noWrites(),
    ...{ created: 100, updated: 30, deleted: 10, versions: 120 },
    ...{ perhapsAdded: 5, perhapsRemoved: 3, existed: 7, absent: 2 },
  };
  return indexCount({ ...trial, ...more }, docs);
}

test('with updates and deletes the index must contain the documents that were created and not deleted', () => {
  expect([86, 87, 90, 95, 96].map((docs) => indexMismatch(changed(docs)) === '')).toEqual([
    ...[false, true, true, true, false],
  ]);
  expect(indexMismatch(changed(86))).toBe(
    `the index holds 86 documents, but 87 to 95 must be there: 100 were created and 10 deleted, 8 unknown; ${MISSING}`,
  );
  expect(unknownSentence(changed(92))).toBe(
    'the index holds 92, 87 to 95 must be there: 100 were created and 10 deleted, 8 unknown',
  );
});

test('after the loss of a node, a conflict or a missing document may be the answer to a retried operation', () => {
  const disturbances = [{ kind: 'node-left' as const, detail: 'n2 left' }];
  const agree = [84, 85, 102, 103].map((docs) => indexMismatch(changed(docs, { disturbances })) === '');
  expect(agree).toEqual([false, true, true, false]);
});
