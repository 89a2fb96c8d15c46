import type { Engine } from '../elasticsearch/engine';
import { IndexMap, type IndexMapSetting } from './index-map';
import { trafficKind } from './kind';
import { rewriteRequest, type RewriteSetting } from './rewrite';

interface Given extends Partial<Omit<RewriteSetting, 'indices'>> {
  map?: Partial<IndexMapSetting>;
  contentType?: string;
  engine?: Engine;
}

/** Returns the rewritten request as text, or the reason why it is left out. Slots are in angle brackets. */
function rewritten(request: string, body: string | null = null, given: Given = {}): string {
  const [method, url] = request.split(' ') as [string, string];
  const [path, query = ''] = url.split('?') as [string, string?];
  const { map, contentType = 'application/json', ...more } = given;
  const result = rewriteRequest(
    trafficKind(method, path),
    { method, path, query, contentType, body, hasBody: body !== null },
    {
      indices: new IndexMap({
        rules: [
          { pattern: 'shop', to: { trial: 1 } },
          { pattern: 'logs-*', to: { trial: 2 } },
          { pattern: 'users', to: { existing: 'people' } },
        ],
        found: [],
        rest: null,
        own: ['t1', 't2'],
        mayWriteOwn: true,
        mayWriteExisting: false,
        ...map,
      }),
      engine: 'elasticsearch',
      mayUsePipelines: false,
      idOf: (id) => id,
      ...more,
    },
  );
  if ('why' in result) return result.why;
  const text = (pieces: readonly (string | { part: string; id: string })[]): string =>
    pieces.map((piece) => (typeof piece === 'string' ? piece : `<${piece.part} of ${piece.id}>`)).join('');
  const own = result.body === 'unchanged' ? '' : ` ${text(result.body)}`;
  return `${result.path}${result.query.length === 0 ? '' : `?${text(result.query)}`}${own}${result.isPartial ? ' (partial)' : ''}`;
}

test.each([
  ['POST /shop/_search?scroll=1m', '/t1/_search?scroll=1m'],
  ['POST /shop,logs-1/_search', '/t1%2Ct2/_search'],
  ['GET /users/_doc/a%2Fb', '/people/_doc/a%2Fb'],
  ['POST /_search', '/t1%2Cpeople%2Ct2/_search'],
  ['GET /_count', '/t1%2Cpeople%2Ct2/_count'],
  ['POST /shop/_doc?pipeline=_none&require_alias=true', '/t1/_doc?pipeline=_none'],
  [
    'PUT /shop/_doc/1?if_seq_no=5&if_primary_term=1',
    '/t1/_doc/1?if_seq_no=<seqNo of 1>&if_primary_term=<primaryTerm of 1>',
  ],
  ['POST /_refresh', '/t1%2Ct2/_refresh'],
  ['POST /shop/_refresh', '/t1/_refresh'],
  ['POST /other/_search', 'its index is mapped to no index'],
  ['PUT /users/_doc/1', 'it would change an existing index, and `allow-writes` is not set'],
  [
    'POST /shop/_doc?pipeline=reroute',
    'its ingest pipeline could write to other indices, and `allow-writes` is not set',
  ],
  ['DELETE /_search/scroll/_all', 'it would close scrolls or points in time of other clients'],
  ['GET /', '/'],
])('%s becomes %s', (request, expected) => {
  expect(rewritten(request)).toBe(expected);
});

test('a search in a point in time keeps its path', () => {
  expect(rewritten('POST /_search', '{"pit":{"id":"abc"},"size":1}')).toBe('/_search');
});

test('the actions of a bulk get the indices of the trial, also with escaped keys and without an index in the action', () => {
  expect(
    rewritten(
      'POST /shop/_bulk',
      '{"index":{"_\\u0069ndex":"logs-7","_id":"a"}}\r\n{"_index":"users"}\n{ "create" : {} }\n{"a":1}\n{"delete":{"_index":"shop","_id":7,"if_seq_no":3,"if_primary_term":1}}\n{"update":{"_id":"x","require_alias":true,"retry_on_conflict":2}}\n{"doc":{}}',
    ),
  ).toBe(
    '/t1/_bulk {"index":{"_index":"t2","_id":"a"}}\n{"_index":"users"}\n{"create":{"_index":"t1"}}\n{"a":1}\n{"delete":{"_index":"t1","_id":7,"if_seq_no":<seqNo of 7>,"if_primary_term":<primaryTerm of 7>}}\n{"update":{"_index":"t1","_id":"x","retry_on_conflict":2}}\n{"doc":{}}\n',
  );
});

test('an action on an index without a place, or on an existing one without permission, is left out of its bulk', () => {
  expect(
    rewritten(
      'POST /_bulk',
      '{"index":{"_index":"shop"}}\n{}\n{"index":{"_index":"users"}}\n{}\n{"delete":{"_index":"secret","_id":"1"}}\n',
    ),
  ).toBe('/_bulk {"index":{"_index":"t1"}}\n{}\n (partial)');
  expect(rewritten('POST /_bulk', '{"delete":{"_index":"secret","_id":"1"}}\n')).toBe(
    'its index is mapped to no index',
  );
});

test.each([
  [
    'two actions in a line',
    '{"index":{"_index":"shop"},"delete":{"_index":"secret","_id":"1"}}\n{}\n',
    '{"index":{"_index":"t1"}}\n{}\n',
  ],
  [
    'two indices in an action',
    '{"index":{"_index":"shop","_index":"logs-1"}}\n{}\n',
    '{"index":{"_index":"t2"}}\n{}\n',
  ],
  [
    'text after an action',
    '{"index":{"_index":"shop"}} {"delete":{"_index":"secret"}}\n{}\n',
    '{"index":{"_index":"t1"}}\n{}\n',
  ],
])('a bulk with %s reaches no other index', (_name, body, expected) => {
  expect(rewritten('POST /_bulk', body)).toBe(`/_bulk ${expected}`);
});

test.each([
  ['no JSON', 'a\n{}\n'],
  ['an action without an index', '{"index":{}}\n{}\n'],
  ['an action that is no object', '{"index":"shop"}\n{}\n'],
  ['a missing source', '{"index":{"_index":"shop"}}\n'],
])('a bulk with %s is left out', (_name, body) => {
  expect(rewritten('POST /_bulk', body)).toBe('its body is malformed');
});

test('binary bodies are left out', () => {
  expect(rewritten('POST /shop/_bulk', 'x', { contentType: 'application/smile' })).toBe(
    'its body is in another format than JSON',
  );
});

test('an msearch gets its indices in its headers', () => {
  expect(
    rewritten(
      'POST /shop/_msearch',
      '{"index":"logs-1,shop","preference":"_local"}\n{"query":{"term":{"_index":"shop"}}}\n\n{}\n{"index":["secret"]}\n{}\n',
    ),
  ).toBe(
    '/t1/_msearch {"index":["t2","t1"],"preference":"_local"}\n{"query":{"term":{"_index":"t1"}}}\n{}\n{}\n (partial)',
  );
  expect(rewritten('POST /_msearch', '{}\n{"pit":{"id":"a"}}\n{}\n{}\n')).toBe(
    '/_msearch {}\n{"pit":{"id":"a"}}\n{"index":["t1","people","t2"]}\n{}\n',
  );
});

test('names of indices in queries are replaced, and other values that look like them are not', () => {
  expect(
    rewritten(
      'POST /shop/_search',
      '{"query":{"bool":{"must":[{"terms":{"_index":["shop","logs-1","gone"]}},{"term":{"index":"shop"}},{"terms":{"user":{"index":"users","id":"1","path":"a"}}},{"match":{"a":"_index"}}]}},"indices_boost":[{"shop":2.0}]}',
    ),
  ).toBe(
    '/t1/_search {"query":{"bool":{"must":[{"terms":{"_index":["t1","t2","gone"]}},{"term":{"index":"shop"}},{"terms":{"user":{"index":"people","id":"1","path":"a"}}},{"match":{"a":"_index"}}]}},"indices_boost":[{"t1":2.0}]}',
  );
});

test('an mget gets the indices of its documents', () => {
  expect(
    rewritten('POST /_mget', '{"docs":[{"_index":"shop","_id":"1"},{"_index":"logs-2","_id":"2"}]}'),
  ).toBe('/_mget {"docs":[{"_index":"t1","_id":"1"},{"_index":"t2","_id":"2"}]}');
  expect(rewritten('POST /_mget', '{"docs":[{"_index":"secret","_id":"1"}]}')).toBe(
    'its index is mapped to no index',
  );
});

test('documents keep a field that is called like the name of an index', () => {
  expect(rewritten('PUT /shop/_doc/1', '{"_index":"shop","index":"users","id":1}')).toBe('/t1/_doc/1');
});

test.each([
  ['FROM shop, logs-7 METADATA _id | LIMIT 1', 'FROM "t1","t2" METADATA _id | LIMIT 1'],
  ['from "shop"|limit 1', 'from "t1"|limit 1'],
  ['ROW a = 1', ''],
])('the query in ES|QL `%s` becomes `%s`', (query, expected) => {
  const own = rewritten('POST /_query', JSON.stringify({ query }));
  expect(own).toBe(expected === '' ? '/_query' : `/_query ${JSON.stringify({ query: expected })}`);
});

test('a query in SQL gets its index, and a page of an earlier one is left out', () => {
  expect(rewritten('POST /_sql', '{"query":"SELECT * FROM shop WHERE a = 1"}')).toBe(
    '/_sql {"query":"SELECT * FROM \\"t1\\" WHERE a = 1"}',
  );
  expect(rewritten('POST /_sql', '{"cursor":"abc"}')).toBe('its cursor belongs to the recorded cluster');
});

test('points in time use the API of the engine', () => {
  expect(
    rewritten('POST /shop/_pit?keep_alive=1m&ignore_unavailable=true', null, { engine: 'opensearch' }),
  ).toBe('/t1/_search/point_in_time?keep_alive=1m');
  expect(rewritten('DELETE /_pit', '{"id":"abc"}', { engine: 'opensearch' })).toBe(
    '/_search/point_in_time {"pit_id":["abc"]}',
  );
  expect(rewritten('POST /shop/_search/point_in_time?keep_alive=1m')).toBe('/t1/_pit?keep_alive=1m');
  expect(rewritten('DELETE /_search/point_in_time', '{"pit_id":["abc"]}')).toBe('/_pit {"id":"abc"}');
  expect(rewritten('POST /shop/_pit?keep_alive=1m')).toBe('/t1/_pit?keep_alive=1m');
});

test('in a later pass, documents that a client creates get new ids', () => {
  const idOf = (id: string): string => `${id}-2`;
  expect(rewritten('PUT /shop/_create/a', '{}', { idOf })).toBe('/t1/_create/a-2');
  expect(rewritten('POST /shop/_bulk', '{"create":{"_id":"a"}}\n{}\n', { idOf })).toBe(
    '/t1/_bulk {"create":{"_index":"t1","_id":"a-2"}}\n{}\n',
  );
  expect(rewritten('POST /shop/_mget', '{"ids":["a","b"]}', { idOf })).toBe(
    '/t1/_mget {"ids":["a-2","b-2"]}',
  );
});
