import { factsOf } from './facts';
import { trafficKind } from './kind';
import type { AnswerFacts } from './record';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const read = (request: string, status: number, answer: string, body?: string): AnswerFacts | null => {
  const [method, path] = request.split(' ') as [string, string];
  return factsOf(trafficKind(method, path), status, bytes(answer), body === undefined ? null : bytes(body));
};

const SHARDS = '"_shards":{"total":2,"successful":2,"skipped":0,"failed":0}';

test.each([
  [
    'a search',
    `{"took":3,"timed_out":false,${SHARDS},"hits":{"total":{"value":10000,"relation":"gte"},"max_score":1.0,"hits":[{"_index":"shop","_id":"1","_score":1.0,"_source":{"hits":{"total":5},"a":"\\"]}"}},{"_index":"shop","_id":"2","_score":1.0,"_source":{}}]},"aggregations":{"a":{"buckets":[{"key":"hits","doc_count":3}]}}}`,
    { total: 10_000, isLowerBound: true, hits: 2, failedShards: 0 },
  ],
  [
    'a search of version 6, with spaces',
    `{ "took" : 3, "timed_out" : false, ${SHARDS}, "hits" : { "total" : 7, "hits" : [ ] } }`,
    { total: 7, hits: 0, failedShards: 0 },
  ],
  [
    'a search without counting',
    `{"took":3,"timed_out":false,${SHARDS},"hits":{"total":-1,"max_score":null,"hits":[]}}`,
    { hits: 0, failedShards: 0 },
  ],
  [
    'a search that lost a shard and timed out',
    `{"took":3,"timed_out":true,"_shards":{"total":2,"successful":1,"skipped":0,"failed":1,"failures":[{"shard":0,"index":"shop","node":"a","reason":{"type":"query_shard_exception","reason":"failed"}}]},"hits":{"total":{"value":1,"relation":"eq"},"max_score":null,"hits":[]}}`,
    { total: 1, hits: 0, timedOut: true, failedShards: 1 },
  ],
  [
    'a search with a scroll, a point in time and versions of documents',
    `{"_scroll_id":"FGlu","pit_id":"46To","took":0,"timed_out":false,${SHARDS},"hits":{"total":{"value":1,"relation":"eq"},"max_score":1.0,"hits":[{"_index":"shop","_id":"1","_seq_no":9007199254740991,"_primary_term":1,"_score":1.0}]}}`,
    {
      scrollId: 'FGlu',
      pitId: '46To',
      total: 1,
      hits: 1,
      failedShards: 0,
      versions: [{ index: 'shop', id: '1', seqNo: 9_007_199_254_740_991, primaryTerm: 1 }],
    },
  ],
])('reads %s', (_name, answer, facts) => {
  expect(read('POST /shop/_search', 200, answer)).toEqual(facts);
});

test('adds up the searches of an msearch and counts those with an error', () => {
  const found = `{"took":1,"timed_out":false,${SHARDS},"hits":{"total":{"value":2,"relation":"eq"},"max_score":1.0,"hits":[{"_index":"a","_id":"1"}]},"status":200}`;
  const more = `{"took":1,"timed_out":false,${SHARDS},"hits":{"total":{"value":10000,"relation":"gte"},"max_score":1.0,"hits":[{"_index":"a","_id":"1"},{"_index":"a","_id":"2"}]},"status":200}`;
  const failed =
    '{"error":{"root_cause":[{"type":"index_not_found_exception","reason":"no such index [x]"}],"type":"index_not_found_exception","reason":"no such index [x]"},"status":404}';
  expect(read('POST /_msearch', 200, `{"took":5,"responses":[${found},${failed},${more}]}`)).toEqual({
    items: 3,
    failedItems: 1,
    hits: 3,
    total: 10_002,
    isLowerBound: true,
    failedShards: 0,
    error: 'index_not_found_exception',
  });
});

test.each([
  [
    'POST /_search/scroll',
    `{"_scroll_id":"x","took":1,"timed_out":false,${SHARDS},"hits":{"total":{"value":9,"relation":"eq"},"max_score":1.0,"hits":[{"_id":"9"}]}}`,
    { scrollId: 'x', total: 9, hits: 1, failedShards: 0 },
  ],
  ['DELETE /_search/scroll', '{"succeeded":true,"num_freed":2}', { items: 2 }],
  ['GET /shop/_count', `{"count":12,${SHARDS}}`, { total: 12, failedShards: 0 }],
  [
    'POST /shop/_pit',
    '{"id":"46To","_shards":{"total":1,"successful":1,"skipped":0,"failed":0}}',
    { pitId: '46To', failedShards: 0 },
  ],
  [
    'POST /shop/_search/point_in_time',
    `{"pit_id":"o463",${SHARDS},"creation_time":1658146050064}`,
    { pitId: 'o463', failedShards: 0 },
  ],
  ['DELETE /_search/point_in_time', '{"pits":[{"successful":true,"pit_id":"o463"}]}', { items: 1 }],
  [
    'POST /_query',
    '{"took":2,"is_partial":false,"columns":[{"name":"a","type":"long"}],"values":[[1],[2]]}',
    { hits: 2 },
  ],
  ['POST /_plugins/_sql', '{"schema":[],"datarows":[["a"]],"total":1,"size":1,"status":200}', { hits: 1 }],
  [
    'POST /logs/_eql/search',
    '{"is_partial":false,"took":5,"timed_out":false,"hits":{"total":{"value":1,"relation":"eq"},"events":[{"_index":"logs","_id":"a"}]}}',
    { total: 1, hits: 1 },
  ],
  ['POST /shop/_terms_enum', `{${SHARDS},"terms":["a","b"],"complete":true}`, { hits: 2, failedShards: 0 }],
  [
    'POST /shop/_update_by_query',
    '{"took":147,"timed_out":false,"total":5,"updated":3,"deleted":1,"batches":1,"version_conflicts":1,"noops":0,"retries":{"bulk":0,"search":0},"failures":[]}',
    { total: 5, items: 4, failedItems: 1 },
  ],
  [
    'POST /shop/_delete_by_query',
    '{"took":1,"timed_out":false,"total":2,"deleted":2,"batches":1,"version_conflicts":0,"failures":[]}',
    { total: 2, items: 2, failedItems: 0 },
  ],
  ['POST /shop/_refresh', '{"_shards":{"total":2,"successful":1,"failed":0}}', { failedShards: 0 }],
  [
    'GET /',
    '{"name":"node","cluster_name":"c","version":{"number":"9.5.3"},"tagline":"You Know, for Search"}',
    {},
  ],
] as const)('reads the answer to %s', (request, answer, facts) => {
  expect(read(request, 200, answer)).toEqual(facts);
});

const VERSION = { index: 'shop', id: '1', seqNo: 5, primaryTerm: 1 };

test('reads whether a get found its document, and its version', () => {
  const found =
    '{"_index":"shop","_id":"1","_version":6,"_seq_no":5,"_primary_term":1,"found":true,"_source":{"found":false,"_id":"x"}}';
  expect(read('GET /shop/_doc/1', 200, found)).toEqual({ found: true, versions: [VERSION] });
  expect(read('GET /shop/_doc/2', 404, '{"_index":"shop","_id":"2","found":false}')).toEqual({
    found: false,
  });
  expect(read('HEAD /shop/_doc/2', 404, '')).toEqual({ found: false });
  expect(read('HEAD /shop/_doc/1', 200, '')).toEqual({ found: true });
  expect(read('GET /shop/_source/1', 200, '{"found":false,"error":{"type":"mine"}}')).toEqual({
    found: true,
  });
  expect(
    read(
      'GET /shop/_source/2',
      404,
      '{"error":{"type":"resource_not_found_exception","reason":"x"},"status":404}',
    ),
  ).toEqual({ found: false, error: 'resource_not_found_exception' });
});

test('counts the found and the failed documents of an mget', () => {
  const answer =
    '{"docs":[{"_index":"shop","_id":"1","_version":6,"_seq_no":5,"_primary_term":1,"found":true,"_source":{}},{"_index":"shop","_id":"2","found":false},{"_index":"x","_id":"3","error":{"type":"index_not_found_exception","reason":"no such index [x]"}}]}';
  expect(read('POST /_mget', 200, answer)).toEqual({
    items: 3,
    failedItems: 1,
    hits: 1,
    error: 'index_not_found_exception',
    versions: [VERSION],
  });
});

test('reads the result and the version of a write, and the id that the cluster generated', () => {
  const created = `{"_index":"shop","_id":"1","_version":1,"result":"created",${SHARDS},"_seq_no":5,"_primary_term":1}`;
  const facts = { result: 'created', failedShards: 0, versions: [VERSION] };
  expect(read('PUT /shop/_doc/1', 201, created)).toEqual(facts);
  expect(read('POST /shop/_doc', 201, created)).toEqual({ ...facts, generatedIds: ['1'] });
  expect(read('POST /shop/_update/1', 200, created.replace('created', 'noop'))).toEqual({
    ...facts,
    result: 'noop',
  });
  const missing =
    '{"_index":"shop","_id":"7","_version":1,"result":"not_found","_shards":{"total":2,"successful":1,"failed":0},"_seq_no":-2,"_primary_term":0}';
  expect(read('DELETE /shop/_doc/7', 404, missing)).toEqual({ result: 'not_found', failedShards: 0 });
});

const BULK =
  '{"took":30,"errors":true,"items":[{"index":{"_index":"shop","_id":"aaa","_version":1,"result":"created","_shards":{"total":2,"successful":1,"failed":0},"_seq_no":3,"_primary_term":1,"status":201}},{"delete":{"_index":"shop","_id":"2","_version":1,"result":"not_found","status":404}},{"create":{"_index":"shop","_id":"bbb","status":409,"error":{"type":"version_conflict_engine_exception","reason":"[bbb]: version conflict"}}}]}';
const BULK_FACTS = {
  items: 3,
  failedItems: 1,
  error: 'version_conflict_engine_exception',
  versions: [{ index: 'shop', id: 'aaa', seqNo: 3, primaryTerm: 1 }],
};

test('counts the items of a bulk and those with an error', () => {
  expect(read('POST /_bulk', 200, BULK)).toEqual(BULK_FACTS);
});

test('finds the generated ids of a bulk with the request', () => {
  const request = `{"index":{"_index":"shop"}}\n{"a":"\\n","delete":{}}\r\n{"delete":{"_index":"shop","_id":"2"}}\n{"create":{ "_id" : "bbb"}}\n{}\n`;
  expect(read('POST /_bulk', 200, BULK, request)).toEqual({ ...BULK_FACTS, generatedIds: ['aaa'] });
  expect(read('POST /_bulk', 200, BULK, '{"index":{}}\n{}\n')).toEqual(BULK_FACTS);
  expect(read('POST /_bulk', 200, BULK, 'no bulk')).toEqual(BULK_FACTS);
});

test('reads the type of an error', () => {
  const missing =
    '{"error":{"root_cause":[{"type":"index_not_found_exception","reason":"no such index [x]"}],"type":"index_not_found_exception","reason":"no such index [x]"},"status":404}';
  expect(read('POST /x/_search', 404, missing)).toEqual({ error: 'index_not_found_exception' });
  expect(read('GET /_nothing', 405, '{"error":"Incorrect HTTP method for uri","status":405}')).toEqual({
    error: 'http-405',
  });
});

test.each([
  ['text', 'green open shop\n'],
  ['a list', '[{"index":"shop"}]'],
  ['CBOR', '\u00bf\u0064took'],
  ['an incomplete answer', '{"took":3,"hits":{"hits":[{"_id":"1'],
  ['JSON with a fault', '{"took":3 "timed_out":false}'],
  ['text after the JSON', '{"took":3} {"took":4}'],
])('returns null for %s', (_name, answer) => {
  expect(read('POST /shop/_search', 200, answer)).toBeNull();
});

test('an answer without a body has no facts', () => {
  expect(read('HEAD /shop', 200, '')).toEqual({});
});
