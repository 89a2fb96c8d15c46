import { lacksItems, readBulkHead } from './bulk-answer';

/** Decisions of a reader of growing heads, for every position at which the answer may be split. */
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
  // Items as Elasticsearch writes them take some 160 bytes.
  expect(lacksItems(27 + 10 * 160, 1000)).toBe(true);
});
