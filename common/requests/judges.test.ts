import { requestKind } from './registry';

const { head, failure } = requestKind('search').judges['']!;

function decideSplit(answer: string): Set<string> {
  const decisions = new Set<string>();
  for (let split = 1; split <= answer.length; split += 1) {
    const first = head(answer.slice(0, split));
    decisions.add(first === 'more' ? head(answer) : first);
  }
  return decisions;
}

const shards = (failed: number): string =>
  `"_shards":{"total":5,"successful":5,"skipped":0,"failed":${failed}}`;

test.each([
  [`{"took":3,"timed_out":false,${shards(0)},"hits":{"hits":[]}}`, 'well'],
  [`{"took":3,"timed_out":false,"num_reduce_phases":2,${shards(0)},"hits":{}}`, 'well'],
  [` {\n "took" : 3, "timed_out" : false, "_shards" : { "total" : 1, "failed" : 0 }, "hits" : {} }`, 'well'],
  [`{"took":3,"timed_out":true,${shards(0)},"hits":{}}`, 'keep'],
  [`{"took":3,"timed_out":false,${shards(1)},"hits":{}}`, 'keep'],
  [`{"took":3,"timed_out":false,${shards(10)},"hits":{}}`, 'keep'],
  ['{"hits":{"hits":[{"_source":{"timed_out":false,"_shards":{"failed":0}}}]}}', 'keep'],
  ['{"took":3,"timed_out":false,"hits":{"_shards":{"failed":0}}}', 'keep'],
  ['{"error":{"type":"x"}}', 'keep'],
  ['no JSON', 'keep'],
])('%s is read as %s, wherever it is split', (answer, verdict) => {
  expect(decideSplit(answer)).toEqual(new Set([verdict]));
});

test('a search that lost shards, timed out or has an invalid answer has failed, with the reason', () => {
  const read = (answer: string): string | undefined => failure(JSON.parse(answer))?.type;
  expect(read(`{"timed_out":false,${shards(0)}}`)).toBeUndefined();
  expect(read(`{"timed_out":true,${shards(0)}}`)).toBe('search-timed-out');
  expect(read(`{"timed_out":false,${shards(2)}}`)).toBe('shard-failure');
  expect(
    read(
      '{"timed_out":false,"_shards":{"failed":1,"failures":[{"reason":{"type":"query_shard_exception"}}]}}',
    ),
  ).toBe('query_shard_exception');
  expect(read('{"hits":{}}')).toBe('bad-answer');
});
