import { readBulkHead, readItems } from './bulk-answer';

/** What a reader of growing heads decides, for every place at which the answer may be split. */
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
  // Nothing of a document may be taken for the answer's own word.
  ['{"took":3,"items":[{"index":{"error":{"reason":"\\"errors\\":false"}}}],"errors":true}', 'keep'],
  ['{"items":[{"errors":false}]}', 'keep'],
  ['{"error":{"errors":false},"status":400}', 'keep'],
  ['{"took":3,"text":"errors","errors":true}', 'keep'],
  ['<html>"errors":false</html>', 'keep'],
  ['[{"errors":false}]', 'keep'],
])('%s is read as %s, wherever it is split', (answer, verdict) => {
  expect(decideSplit(answer, readBulkHead)).toEqual(new Set([verdict]));
});

describe('items', () => {
  const item = (status: number, type?: string): object => ({
    index: { status, ...(type === undefined ? {} : { error: { type, reason: `because of ${type}` } }) },
  });
  const answer = (...items: object[]): Buffer =>
    Buffer.from(JSON.stringify({ took: 1, errors: true, items }));

  test('are accepted, refused for load or failed for another reason', () => {
    const body = answer(
      item(201),
      item(429, 'es_rejected_execution_exception'),
      item(400, 'document_parsing_exception'),
      item(200),
      item(429, 'circuit_breaking_exception'),
      item(503, 'unavailable_shards_exception'),
    );
    expect(readItems(body, 6)).toEqual({
      accepted: 2,
      refused: [1, 4],
      refusal: {
        type: 'es_rejected_execution_exception',
        reason: 'because of es_rejected_execution_exception',
      },
      failures: [
        { type: 'document_parsing_exception', reason: 'because of document_parsing_exception' },
        { type: 'unavailable_shards_exception', reason: 'because of unavailable_shards_exception' },
      ],
    });
  });

  test('an answer for another number of documents, or none at all, is no answer', () => {
    expect(readItems(answer(item(201)), 2)).toBeNull();
    expect(readItems(Buffer.from('{"took":1}'), 1)).toBeNull();
    expect(readItems(Buffer.from('null'), 1)).toBeNull();
    expect(readItems(Buffer.from('<html>'), 1)).toBeNull();
    expect(readItems(Buffer.from(''), 1)).toBeNull();
    for (const odd of ['null', '1', '{}', '{"index":null}', '{"index":{"status":"201"}}'])
      expect(readItems(Buffer.from(`{"errors":true,"items":[${odd}]}`), 1)).toBeNull();
  });
});
