import type { Engine } from '../elasticsearch/engine';
import { IndexMap, type IndexMapSetting } from './index-map';
import { trafficKind } from './kind';
import { rewriteRequest, type RewriteSetting } from './rewrite';

interface Given extends Partial<Omit<RewriteSetting, 'indices'>> {
  map?: Partial<IndexMapSetting>;
  contentType?: string;
  engine?: Engine;
}

/**
 * Returns the rewritten request as text, or the reason why it is left out. Numbers of versions that the replay replaces are in angle
 * brackets.
 */
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

const PIPELINE = 'its ingest pipeline could write to other indices, and `allow-writes` is not set';
const IN_QUERY = 'its query string names an index or contains the body';
const BACKGROUND = 'it would continue in the background, or store its result in the cluster';
const NOT_UNDERSTOOD = 'Dyno cannot find all indices in its query';
const ALL_CONTEXTS = 'it would close scrolls or points in time of other clients';
const NOT_MAPPED = 'its index is mapped to no index';

test.each([
  ['PUT /shop/_doc/1?pipeline=_none&pipeline=evil', PIPELINE],
  ['PUT /shop/_doc/1?refresh=true;pipeline=evil', PIPELINE],
  ['PUT /shop/_doc/1?pip%65line=evil', PIPELINE],
  ['PUT /shop/_doc/1?pipeline=_none&pipeline', PIPELINE],
  ['POST /shop/_update_by_query?pipeline=evil', PIPELINE],
  ['GET /_mget?index=secret', IN_QUERY],
  ['GET /_mget?a=1;index=secret', IN_QUERY],
  ['GET /_msearch?source=%7B%7D&source_content_type=application%2Fjson', IN_QUERY],
  ['POST /_refresh?index=secret', IN_QUERY],
  ['POST /shop/_update_by_query?wait_for_completion=false', BACKGROUND],
  ['POST /shop/_delete_by_query?wait_for_completion=true;wait_for_completion=false', BACKGROUND],
  ['GET /shop/_eql/search?keep_on_completion=true', BACKGROUND],
  ['DELETE /_search/scroll?scroll_id=_all', ALL_CONTEXTS],
  ['DELETE /_search/scroll/%5Fall', ALL_CONTEXTS],
  ['DELETE /_search/scroll/abc,_all', ALL_CONTEXTS],
  ['PUT /shop/_doc/1?refresh=č', 'its body is malformed'],
  ['PUT /shop/_doc/1?require_data_stream=true;refresh=true', '/t1/_doc/1?refresh=true'],
  ['PUT /shop/_doc/1?refresh=true;pipeline=_none', '/t1/_doc/1?refresh=true;pipeline=_none'],
])('the query string of %s is read as Elasticsearch reads it', (request, expected) => {
  expect(rewritten(request)).toBe(expected);
});

test.each([
  [
    'a lookup of terms',
    'POST /shop/_search',
    '{"query":{"terms":{"a":{"index":"secret","id":"1","path":"b"}}}}',
  ],
  ['a lookup without an id', 'POST /shop/_search', '{"query":{"terms":{"a":{"index":"secret","path":"b"}}}}'],
  [
    'a similar document',
    'POST /shop/_search',
    '{"query":{"more_like_this":{"like":{"_index":"secret","_id":"1"}}}}',
  ],
  [
    'a looked-up field',
    'POST /shop/_search',
    '{"runtime_mappings":{"a":{"type":"lookup","target_index":"secret"}}}',
  ],
  [
    'a lookup with escapes',
    'POST /shop/_search',
    '{"query":{"terms":{"a":{"\\u0069ndex":"secret","id":"1"}}}}',
  ],
  [
    'a document of an mget with escapes',
    'POST /_mget',
    '{"docs":[{"\\u005findex":"secret","\\u005fid":"1"}]}',
  ],
  [
    'a filter of a point in time',
    'POST /shop/_pit',
    '{"index_filter":{"terms":{"a":{"index":"secret","id":"1"}}}}',
  ],
])('%s in an index without a place is left out', (_name, request, body) => {
  expect(rewritten(request, body)).toBe(NOT_MAPPED);
});

test('an invalid point in time does not make a search reach all indices', () => {
  expect(rewritten('POST /_search', '{"pit":null}')).toBe('/t1%2Cpeople%2Ct2/_search');
  expect(rewritten('POST /_msearch', '{}\n{"pit":{}}\n')).toBe(
    '/_msearch {"index":["t1","people","t2"]}\n{"pit":{}}\n',
  );
});

test.each([
  ['comments', 'POST /_mget', '/* */{"docs":[{"_index":"secret","_id":"1"}]}', 'its body is malformed'],
  [
    'UTF-16',
    'POST /_mget',
    [...'{"docs":[]}'].map((one) => `${one}\0`).join(''),
    'its body is in another format than JSON',
  ],
  ['no UTF-8', 'POST /shop/_search', null, 'its body is in another format than JSON'],
])('a body with %s is left out', (_name, request, body, expected) => {
  const [method, path] = request.split(' ') as [string, string];
  const result = rewriteRequest(
    trafficKind(method, path),
    { method, path, query: '', contentType: 'application/json', body, hasBody: true },
    {
      indices: new IndexMap({
        ...{ rules: [], found: [], rest: { trial: null }, own: ['t1'] },
        ...{ mayWriteOwn: true, mayWriteExisting: false },
      }),
      engine: 'elasticsearch',
      mayUsePipelines: false,
      idOf: (id) => id,
    },
  );
  expect(result).toEqual({ why: expected });
});

test('a template that names an index is left out', () => {
  const source = '{"query":{"terms":{"a":{"index":"secret","id":"1"}}}}';
  expect(rewritten('POST /shop/_search/template', JSON.stringify({ source }))).toBe(NOT_UNDERSTOOD);
  expect(rewritten('POST /shop/_msearch/template', `{}\n${JSON.stringify({ source })}\n`)).toBe(
    NOT_UNDERSTOOD,
  );
  expect(rewritten('POST /shop/_search/template', '{"source":"{\\"size\\":{{n}}}"}')).toBe(
    '/t1/_search/template',
  );
  expect(rewritten('POST /_render/template', '{"id":"a"}')).toBe('/_render/template');
});

test.each([
  ['FROM shop | WHERE ts > 1 AND a == "| ENRICH b"', 'FROM "t1" | WHERE ts > 1 AND a == "| ENRICH b"'],
  ['FROM "shop,logs-1"', 'FROM "t1","t2"'],
  ['// a\nFROM secret', null],
  ['/* a */ FROM secret', null],
  ['FROM shop | LOOKUP JOIN secret ON a', null],
  ['FROM shop | ENRICH policy', null],
  ['FROM shop, (FROM secret)', null],
  ['FROM """secret"""', null],
  ['FROM ?name', null],
  ['SET a = b; FROM secret', null],
  ['FROM shop | FORK (WHERE a > 1) (LOOKUP JOIN secret ON a)', null],
  ['FROM secret', NOT_MAPPED],
  ['FROM far:shop', 'it searches another cluster'],
])('the query in ES|QL `%s` becomes `%s`', (query, expected) => {
  const own = rewritten('POST /_query', JSON.stringify({ query }));
  expect(own).toBe(
    expected === null
      ? NOT_UNDERSTOOD
      : expected.startsWith('FROM')
        ? `/_query ${JSON.stringify({ query: expected })}`
        : expected,
  );
});

test('a filter in JSON beside a query in ES|QL is read too', () => {
  const body = '{"query":"ROW a = 1","filter":{"terms":{"a":{"index":"secret","id":"1"}}}}';
  expect(rewritten('POST /_query', body)).toBe(NOT_MAPPED);
});

test.each([
  ["SELECT * FROM shop WHERE m = 'hello from secret'", `SELECT * FROM "t1" WHERE m = 'hello from secret'`],
  ['SELECT a FROM "logs-1" AS l ORDER BY a', 'SELECT a FROM "t2" AS l ORDER BY a'],
  ['SELECT a FROM `logs-1`;', 'SELECT a FROM `t2`;'],
  ['SELECT a FROM (SELECT b FROM shop) x', 'SELECT a FROM (SELECT b FROM "t1") x'],
  ['SELECT 1', ''],
  ['DELETE FROM shop WHERE a = 1', null],
  ['SHOW TABLES', null],
  ['DESCRIBE secret', null],
  ['SELECT a FROM shop, secret', null],
  ['SELECT a FROM shop s, secret t', null],
  ['SELECT a FROM far:shop', null],
  ['SELECT a FROM(secret)', null],
  ['SELECT a FROM FROZEN secret', null],
  ['SELECT a FROM/**/secret', null],
  ["SELECT a FROM shop WHERE a = 'x\\'' UNION SELECT a FROM secret WHERE b = 'x'", null],
  ['SELECT EXTRACT(YEAR FROM a) FROM shop', null],
  ['SELECT 1; DELETE FROM shop', null],
])('the query in SQL `%s` becomes `%s`', (query, expected) => {
  const own = rewritten('POST /_sql', JSON.stringify({ query }));
  expect(own).toBe(
    expected === null
      ? NOT_UNDERSTOOD
      : expected === ''
        ? '/_sql'
        : `/_sql ${JSON.stringify({ query: expected })}`,
  );
});

test.each([
  ['source=shop | where a > 1', 'source=`t1` | where a > 1'],
  ['search source = shop, `logs-1`', 'search source = `t1`,`t2`'],
  ['source=shop | lookup secret a', null],
  ['source=shop | join on a = b secret', null],
  ['source=shop | where a in [ source=secret | fields a ]', null],
  ['describe secret', null],
  ['search a=1 source=secret', null],
  ['index=secret', null],
])('the query in PPL `%s` becomes `%s`', (query, expected) => {
  const own = rewritten('POST /_plugins/_ppl', JSON.stringify({ query }), { engine: 'opensearch' });
  expect(own).toBe(
    expected === null ? NOT_UNDERSTOOD : `/_plugins/_ppl ${JSON.stringify({ query: expected })}`,
  );
});

test('a query that continues in the background or reads another cluster is left out', () => {
  expect(rewritten('POST /_sql', '{"query":"SELECT 1","keep_on_completion":true}')).toBe(BACKGROUND);
  expect(rewritten('POST /_sql', '{"query":"SELECT a FROM shop","catalog":"far"}')).toBe(NOT_UNDERSTOOD);
  expect(rewritten('POST /_sql', '{"que\\u0072y":"SELECT a FROM secret"}')).toBe(NOT_MAPPED);
});
