import { noWrites } from '../../../common/measurement/writes';
import { Batch } from '../sources/batch';
import { addAllPerhaps, readWrites, type WriteFates } from './write-answer';

const SHARDS = { total: 2, successful: 1, failed: 0 };
const PLAIN = { upserts: false, scripted: false };

const done = (action: string, result: string, version: number, status = 200): object => ({
  [action]: {
    _index: 'i',
    _id: '{"status":7,"x',
    _version: version,
    result,
    _shards: SHARDS,
    _seq_no: 3,
    status,
  },
});
const error = (action: string, status: number, type: string): object => ({
  [action]: {
    _index: 'i',
    _id: 'b',
    status,
    error: { type, reason: 'why "it" {[', caused_by: { status: 1 } },
  },
});

const read = (items: object[], update = PLAIN, space?: number): WriteFates | null =>
  readWrites(
    Buffer.from(JSON.stringify({ errors: true, took: 3, items }, null, space)),
    items.length,
    update,
  );

test.each([undefined, 2])('every result of every action (indented by %s)', (space) => {
  const fates = read(
    [
      done('index', 'created', 1, 201),
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
    ],
    PLAIN,
    space,
  )!;
  expect(fates).toMatchObject({ accepted: 6, conflicted: 2, missing: 2, refused: [10, 12] });
  expect(fates.refusal).toEqual({ type: 'es_rejected_execution_exception', reason: 'why "it" {[' });
  expect(fates.failures.map(({ type }) => type)).toEqual([
    ...['document_parsing_exception', 'index_not_found_exception'],
  ]);
  expect(fates.account).toEqual({
    ...{ created: 2, updated: 2, deleted: 1, unchanged: 1 },
    // Of a new document, of one that had been deleted, two changes, and what a deleted one had before.
    versions: 1 + 3 + 2 - 4,
    ...{ perhapsAdded: 2, perhapsRemoved: 0, existed: 1, absent: 1 },
  });
});

test('a document that the pipeline dropped is unchanged', () => {
  expect(read([done('index', 'noop', -3)])!.account).toEqual({ ...noWrites(), unchanged: 1 });
});

test.each([
  ['a page', '<html>'],
  ['nothing', ''],
  ['an answer that was cut', '{"errors":false,"items":[{"index":{"_id":"a","result":"created","sta'],
  ['an item without a status', '{"errors":false,"items":[{"index":{"result":"created"}}]}'],
  ['an item without a result', '{"errors":false,"items":[{"index":{"status":201}}]}'],
  ['other results', '{"errors":false,"items":[{"index":{"status":201,"result":"x"}}]}'],
  ['no items', '{"errors":false,"took":1}'],
  ['too few items', '{"errors":false,"items":[]}'],
  ['an error that is none', '{"items":[{"index":{"status":400,"error":{x}}}]}'],
  ['items that are none', '{"items":{"a":1}}'],
])('%s is no answer of the bulk API', (_, body) => {
  expect(readWrites(Buffer.from(body), 1, PLAIN)).toBeNull();
});

test('what was never answered may have added documents or taken them away, each action as it can', () => {
  const batch = new Batch();
  for (const line of [
    '{"index":{}}\n{}\n',
    '{"create":{}}\n{}\n',
    '{"update":{}}\n{}\n',
    '{"delete":{}}\n',
  ]) {
    batch.reserve(line.length);
    batch.begin();
    batch.append(Buffer.from(line));
  }
  const perhaps = (upserts: boolean, scripted: boolean): number[] => {
    const account = noWrites();
    addAllPerhaps(account, batch, { upserts, scripted });
    return [account.perhapsAdded, account.perhapsRemoved];
  };
  expect(perhaps(false, false)).toEqual([2, 1]);
  expect(perhaps(true, false)).toEqual([3, 1]);
  expect(perhaps(true, true)).toEqual([3, 2]);
});
