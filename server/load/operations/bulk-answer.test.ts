import { noWrites } from '../../../common/measurement/writes';
import { Batch } from '../sources/batch';
import { OwnIndices } from './own-indices';
import { addAllPerhaps, lacksItems, readBulkHead, readItems, type ItemFates } from './bulk-answer';

const SHARDS = { total: 2, successful: 1, failed: 0 };
const PLAIN = { upserts: false, scripted: false };
const OWN = new OwnIndices({ names: ['i'], series: [] });

const done = (action: string, result: string, version: number, status = 200, more: object = {}): object => ({
  [action]: {
    _index: 'i',
    _id: '{"status":7,"x',
    _version: version,
    result,
    _shards: SHARDS,
    _seq_no: 3,
    status,
    ...more,
  },
});
const error = (action: string, status: number, type: string, more: object = {}): object => ({
  [action]: {
    _index: 'i',
    _id: 'b',
    status,
    error: { type, reason: 'why "it" {[', caused_by: { status: 1 } },
    ...more,
  },
});
const created = (more: object = {}): object => done('index', 'created', 1, 201, more);

function batchOf(lines: readonly string[]): Batch {
  const batch = new Batch();
  for (const line of lines) {
    batch.reserve(line.length);
    batch.begin();
    batch.append(Buffer.from(line));
  }
  return batch;
}
const actions = (count: number): Batch => batchOf(Array.from({ length: count }, () => '{"index":{}}\n{}\n'));

const read = (items: unknown[], of = items.length, space?: number, own: OwnIndices | null = OWN) =>
  readItems(
    Buffer.from(JSON.stringify({ errors: true, took: 3, items }, null, space)),
    actions(of),
    PLAIN,
    own,
  );

/** Returns the counts that are not 0. */
const countsOf = (fates: ItemFates | null): object | null => {
  if (fates === null) return null;
  const { accepted, conflicted, missing, dropped, redirected, failed, unknown, refused } = fates;
  const all = {
    accepted,
    conflicted,
    missing,
    dropped,
    redirected,
    failed,
    unknown,
    refused: refused.length,
  };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
};

test.each([undefined, 2])('every result of every action is counted (indented by %s)', (space) => {
  const items = [
    created(),
    done('index', 'updated', 4),
    done('create', 'created', 3, 201),
    error('create', 409, 'version_conflict_engine_exception'),
    done('update', 'updated', 7),
    done('update', 'noop', 7),
    error('update', 404, 'document_missing_exception'),
    error('update', 409, 'version_conflict_engine_exception'),
    done('delete', 'deleted', 5),
    done('delete', 'not_found', 1, 404),
    error('index', 429, 'es_rejected_execution_exception'),
    error('index', 400, 'document_parsing_exception'),
    error('delete', 429, 'circuit_breaking_exception'),
    error('index', 404, 'index_not_found_exception'),
  ];
  const fates = read(items, items.length, space)!;
  expect(countsOf(fates)).toEqual({ accepted: 6, conflicted: 2, missing: 2, refused: 2, failed: 2 });
  expect(fates.refused).toEqual([10, 12]);
  expect(fates.rejections.take()).toEqual({
    es_rejected_execution_exception: { count: 1, example: 'why "it" {[' },
    circuit_breaking_exception: { count: 1, example: 'why "it" {[' },
  });
  expect(Object.keys(fates.failures.take())).toEqual([
    'document_parsing_exception',
    'index_not_found_exception',
  ]);
  expect(fates.account).toEqual({
    ...{ created: 2, updated: 2, deleted: 1, unchanged: 1 },
    // The versions of a new document, of a document that had been deleted, and of two changes, minus the versions of a deleted document.
    versions: 1 + 3 + 2 - 4,
    ...{ perhapsAdded: 2, perhapsRemoved: 0, existed: 1, absent: 1 },
  });
});

describe('a document that an ingest pipeline drops', () => {
  test.each(['index', 'create', 'update'])(
    'is dropped, and not accepted, where its action is %s',
    (action) => {
      const fates = read([done(action, 'noop', -3), created()])!;
      expect(countsOf(fates)).toEqual({ accepted: 1, dropped: 1 });
      expect(fates.account).toEqual({ ...noWrites(), created: 1, versions: 1 });
      expect(fates.failures.take()['dropped']).toMatchObject({ count: 1 });
    },
  );

  test('is not taken for an update that changes nothing', () => {
    const fates = read([done('update', 'noop', 1), done('update', 'noop', -3)])!;
    expect(countsOf(fates)).toEqual({ accepted: 1, dropped: 1 });
    expect(fates.account.unchanged).toBe(1);
  });
});

describe('a document that is stored elsewhere', () => {
  const used = { _index: '.fs-i-2026.11.26-000001', failure_store: 'used' };

  test('is redirected, with a reason for each place', () => {
    const other = { _index: 'other-1' };
    const fates = read([
      created(other),
      created(),
      created(used),
      created(other),
      created(used),
      created(used),
    ])!;
    expect(countsOf(fates)).toEqual({ accepted: 1, redirected: 5 });
    expect(fates.account).toMatchObject({ created: 1, perhapsAdded: 0 });
    const { count, reasons } = fates.failures.take()['redirected']!;
    expect(count).toBe(5);
    expect(reasons).toEqual([
      { count: 2, example: 'stored in index [other-1]' },
      { count: 3, example: 'stored in the failure store, index [.fs-i-2026.11.26-000001]' },
    ]);
  });

  test('is noticed in a failure store though the indices under test are not known', () => {
    expect(countsOf(read([created(used), created({ _index: 'x' })], 2, undefined, null))).toEqual({
      accepted: 1,
      redirected: 1,
    });
  });

  test('has failed where the failure store did not take it', () => {
    const failed = { failure_store: 'failed' };
    expect(countsOf(read([error('create', 400, 'document_parsing_exception', failed)]))).toEqual({
      failed: 1,
    });
    expect(countsOf(read([created({ failure_store: 'not_enabled' })]))).toEqual({ accepted: 1 });
  });
});

test.each<[string, unknown, object]>([
  ['without a status', { index: { _index: 'i', result: 'created' } }, { unknown: 1 }],
  ['with a status that is a text', { index: { status: '201' } }, { unknown: 1 }],
  ['that is null', null, { unknown: 1 }],
  ['that is a number', 7, { unknown: 1 }],
  ['that is empty', {}, { unknown: 1 }],
  ['whose action is null', { index: null }, { unknown: 1 }],
  ['that has two actions', { index: { status: 201 }, create: { status: 201 } }, { unknown: 1 }],
  ['of status 200 without a result', { index: { status: 200 } }, { unknown: 1 }],
  ['with a result that is not known', { index: { status: 200, result: 'x' } }, { unknown: 1 }],
  ['that says created by its status alone', { index: { status: 201 } }, { accepted: 1 }],
  ['that failed though the answer says no errors', error('index', 400, 'x'), { failed: 1 }],
])('an item %s concerns its own document alone', (_, item, counts) => {
  const fates = read([created(), item, created()])!;
  const { accepted = 0, ...others } = counts as { accepted?: number };
  expect(countsOf(fates)).toEqual({ accepted: 2 + accepted, ...others });
  expect(fates.failures.isEmpty).toBe(accepted > 0);
});

test('documents without an item in the answer are unknown, and the others are counted by their items', () => {
  const fates = read([created(), error('index', 429, 'full')], 5)!;
  expect(countsOf(fates)).toEqual({ accepted: 1, refused: 1, unknown: 3 });
  expect(fates.items).toBe(2);
  expect(fates.account.perhapsAdded).toBe(3);
  expect(fates.failures.take()).toEqual({
    'bad-answer': { count: 3, example: 'the answer has 2 items for 5 documents' },
  });
});

test.each([
  ['a page', '<html>'],
  ['nothing', ''],
  ['null', 'null'],
  ['an answer that was cut', '{"errors":false,"items":[{"index":{"_id":"a","result":"created","sta'],
  ['an answer without items', '{"errors":false,"took":1}'],
  ['an empty list of items', '{"errors":false,"items":[]}'],
  ['an invalid error', '{"items":[{"index":{"status":400,"error":{x}}}]}'],
  ['items that are not a list', '{"items":{"a":1}}'],
  ['more items than documents', '{"items":[{"index":{"status":201}},{"index":{"status":201}}]}'],
])('%s says nothing of a bulk', (_, body) => {
  expect(readItems(Buffer.from(body), actions(1), PLAIN, OWN)).toBeNull();
});

test('reasons of one type are counted one by one, with the cause of each', () => {
  const bad = (id: string, field: string, cause: string): object => ({
    index: {
      status: 400,
      error: {
        type: 'document_parsing_exception',
        reason: `[1:2] failed to parse field [${field}] in document with id '${id}'`,
        caused_by: { type: 'illegal_argument_exception', reason: cause },
      },
    },
  });
  const fates = read([bad('a', 'x', 'no number'), bad('b', 'y', 'no date'), bad('c', 'x', 'no number')])!;
  expect(fates.failures.take()['document_parsing_exception']!.reasons).toEqual([
    { count: 2, example: "[1:2] failed to parse field [x] in document with id 'a': no number" },
    { count: 1, example: "[1:2] failed to parse field [y] in document with id 'b': no date" },
  ]);
});

test('what was never answered may have added documents or taken them away, each action as it can', () => {
  const batch = batchOf([
    '{"index":{}}\n{}\n',
    '{"create":{}}\n{}\n',
    '{"update":{}}\n{}\n',
    '{"delete":{}}\n',
  ]);
  const perhaps = (upserts: boolean, scripted: boolean): number[] => {
    const account = noWrites();
    addAllPerhaps(account, batch, { upserts, scripted });
    return [account.perhapsAdded, account.perhapsRemoved];
  };
  expect(perhaps(false, false)).toEqual([2, 1]);
  expect(perhaps(true, false)).toEqual([3, 1]);
  expect(perhaps(true, true)).toEqual([3, 2]);
});

/**
 * Splits the answer at every position, and returns the set of decisions of `read`. `read` gets the first part, and then the whole answer if
 * it asks for more.
 */
function decideSplit(answer: string, read: typeof readBulkHead): Set<string> {
  const decisions = new Set<string>();
  for (let split = 1; split <= answer.length; split += 1) {
    const first = read(answer.slice(0, split));
    decisions.add(first === 'more' ? read(answer) : first);
  }
  return decisions;
}

test.each([
  ['{"errors":false,"took":3,"items":[{"index":{"status":201}}]}', 'well'],
  ['{"took":3,"errors":false,"items":[]}', 'well'],
  ['{"took":3,"ingest_took":2,"errors":false,"items":[]}', 'well'],
  [' {\n  "took" : 3,\n  "errors" : false,\n  "items" : [ ]\n}', 'well'],
  ['{"took":3,"errors":true,"items":[{"index":{"status":429}}]}', 'keep'],
  ['{"errors":true,"took":3,"items":[]}', 'keep'],
  // Text that the answer quotes from a document must not count as part of the answer.
  ['{"took":3,"items":[{"index":{"error":{"reason":"\\"errors\\":false"}}}],"errors":true}', 'keep'],
  ['{"items":[{"errors":false}]}', 'keep'],
  ['{"error":{"errors":false},"status":400}', 'keep'],
  ['{"took":3,"text":"errors","errors":true}', 'keep'],
  ['<html>"errors":false</html>', 'keep'],
  ['[{"errors":false}]', 'keep'],
])('%s is read as %s, wherever it is split', (answer, verdict) => {
  expect(decideSplit(answer, readBulkHead)).toEqual(new Set([verdict]));
});

test('an answer with an item for each document is never too short, and one without items is', () => {
  const answer = (items: number): number =>
    JSON.stringify({
      errors: false,
      items: Array.from({ length: items }, () => ({ index: { status: 201 } })),
    }).length;
  for (const documents of [1, 2, 1000]) {
    expect(lacksItems(answer(documents), documents)).toBe(false);
    expect(lacksItems('{"errors":false,"took":1,"items":[]}'.length, documents)).toBe(true);
  }
  // Elasticsearch writes an item in about 160 bytes.
  expect(lacksItems(27 + 10 * 160, 1000)).toBe(true);
});
