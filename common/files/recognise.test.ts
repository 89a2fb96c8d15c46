import { recognise, type Recognised } from './recognise';

/** Returns the kind of a file that begins with this text. */
const head = (text: string): Recognised =>
  recognise({
    lines: text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  });

const lines = (...values: unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');

const SLOW_ECS = {
  '@timestamp': '2026-10-05T08:00:00.000Z',
  'log.level': 'WARN',
  'elasticsearch.slowlog.message': '[logs][0]',
  'elasticsearch.slowlog.search_type': 'QUERY_THEN_FETCH',
  'elasticsearch.slowlog.source': '{"size":0}',
  'event.dataset': 'elasticsearch.index_search_slowlog',
};
const SLOW_7 = {
  type: 'index_search_slowlog',
  timestamp: '2026-06-13T11:54:45,125Z',
  component: 'i.s.s.query',
  message: '[logs][0]',
  search_type: 'QUERY_THEN_FETCH',
  source: '{"size":10}',
};
const SLOW_NESTED = {
  '@timestamp': '2026-10-05T08:00:00.000Z',
  event: { dataset: 'elasticsearch.slowlog', duration: 115300 },
  elasticsearch: {
    shard: { id: '0' },
    slowlog: { search_type: 'QUERY_THEN_FETCH', source_query: '{"size":0}' },
  },
  log: { level: 'WARN' },
};
const SERVER_8 = {
  '@timestamp': '2026-10-05T08:00:00.000Z',
  'log.level': 'INFO',
  message: 'started',
  'event.dataset': 'elasticsearch.server',
};
const KIBANA = {
  ecs: { version: '8.11.0' },
  '@timestamp': '2026-10-05T08:00:00.000+00:00',
  message: 'GET /api/status 200',
  log: { level: 'DEBUG', logger: 'http.server.response' },
  http: { request: { method: 'GET' } },
  process: { pid: 7 },
};
const SLOW_TEXT =
  '[2026-06-13T11:54:45,125][WARN ][index.search.slowlog.query] [n1] [shop][0] took[1ms], took_millis[1], source[{"size":1}], id[], ';
const OPENSEARCH_WHOLE =
  '[2023-10-30T15:47:42,630][TRACE][c.s.r.slowlog] [n] took[80.8ms], took_millis[80], search_type[QUERY_THEN_FETCH], shards[{total: 10}], source[{}], id[]';
const SERVER_TEXT = '[2026-06-13T11:54:40,000][INFO ][o.e.n.Node               ] [n1] started';
const ACCESS = '192.0.2.10 - - [25/Oct/2026:03:00:01 +0100] "GET / HTTP/1.1" 200 1 "-" "curl"';
const hit = (source: object, id = '1'): object => ({ _index: 'a', _id: id, _score: 1, _source: source });
const docker = (line: string): object => ({
  log: `${line}\n`,
  stream: 'stdout',
  time: '2026-10-05T08:00:00Z',
});
const cri = (line: string): string => `2026-10-05T08:00:00.000123456Z stdout F ${line}`;
const ANSWER = {
  took: 1,
  timed_out: false,
  _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
  hits: { total: { value: 1, relation: 'eq' }, hits: [hit({ a: 1 })] },
};

const slow: Recognised = { kind: 'search-log', format: 'slow-log' };
const slowText: Recognised = { kind: 'search-log', format: 'slow-log-text' };
const searches: Recognised = { kind: 'search-log', format: 'ndjson' };

test.each<[string, string, Partial<Recognised>]>([
  ['nothing', '', { kind: 'empty' }],
  ['blank lines', '\n  \n', { kind: 'empty' }],

  ['documents', lines({ a: 1 }, { a: 2 }), { kind: 'documents' }],
  ['one document', lines({ a: 1 }), { kind: 'documents' }],
  ['documents with fields of searches', lines({ name: 'tea', size: 'XL' }, { name: 'cup', size: 'S' }), { kind: 'documents' }],
  ['documents with query, from and body', lines({ query: 'tea', from: 'Assam', body: 'dark' }, { query: 'cup', from: 'x', body: 'y' }), { kind: 'documents' }],
  ['mails', lines({ from: 'a@example.org', body: { text: 'hi' } }), { kind: 'documents' }],
  ['documents with a body and a time', lines({ '@timestamp': '2026-01-01', host: 'a', body: { query: 1 } }), { kind: 'documents' }],
  ['documents with an object called query', lines({ query: { text: 'tea' }, user: 1 }), { kind: 'documents' }],
  ['documents with an object called query alone', lines({ query: { text: 'tea', hits: 3 } }, { query: { text: 'cup', hits: 1 } }), { kind: 'unsure', could: ['documents', 'search-log'] }],
  ['documents with one field called index', lines({ index: 1 }, { index: 2 }), { kind: 'documents' }],
  ['documents with an object called index', lines({ index: { name: 'a' } }, { index: { name: 'b' } }), { kind: 'documents' }],
  ['products with hits and took', lines({ hits: 7, name: 'a' }), { kind: 'documents' }],
  ['documents with took and a count of errors', lines({ took: 5, errors: 0, name: 'job1' }), { kind: 'documents' }],
  ['documents with took, a switch called errors and other fields', lines({ took: 5, errors: false, job: 'a' }), { kind: 'documents' }],
  ['documents with took and timed_out', lines({ took: 5, timed_out: false, url: '/a' }), { kind: 'documents' }],
  ['documents of requests that failed', lines({ '@timestamp': '2024-01-01', error: 'boom', status: 500, path: '/x' }), { kind: 'documents' }],
  ['documents with an error and a status alone', lines({ error: 'boom', status: 500 }), { kind: 'documents' }],
  ['documents with an error as an object', lines({ error: { message: 'boom' }, status: 500, service: 'a' }), { kind: 'documents' }],
  ['pages with counts of hits', lines({ hits: { total: 1, hits: [1, 2] }, page: 'a' }), { kind: 'documents' }],
  ['documents with lists of numbers called hits', lines({ hits: { hits: [1, 2] } }), { kind: 'documents' }],
  ['a pretty-printed document with an error', JSON.stringify({ error: 'boom', status: 500, path: '/x' }, null, 2), { kind: 'pretty-json' }],
  ['documents with input of completion', lines({ suggest: { input: ['a'], weight: 3 } }, { suggest: { input: ['b'], weight: 4 } }), { kind: 'documents' }],
  ['documents with a vector called knn', lines({ query: { ids: 5 }, knn: [1, 2] }), { kind: 'documents' }],
  ['documents with counts called facets', lines({ facets: { color: { count: 3 } } }), { kind: 'documents' }],
  ['documents with a point called pit', lines({ from: 1, size: 2, pit: { x: 1 } }), { kind: 'documents' }],
  ['documents with a text called rescore', lines({ rescore: { to: 1 }, collapse: { open: true } }), { kind: 'documents' }],
  ['documents with a text for a query', lines({ query: { match: 'x' }, size: 3 }), { kind: 'unsure', could: ['documents', 'search-log'] }],
  ['searches with a key that is not known, or documents with a query', lines({ query: { match_all: {} }, preference: '_local' }), { kind: 'unsure', could: ['documents', 'search-log'] }],
  ['the log of Kibana', lines(KIBANA, KIBANA), { kind: 'documents' }],
  ['saved objects of Kibana', lines({ attributes: { title: 'a' }, id: '1', type: 'dashboard', references: [] }), { kind: 'documents' }],
  ['documents with a broken line', `${lines({ a: 1 }, { a: 2 }, { a: 3 })}\n{"a":`, { kind: 'documents' }],

  ['a body of _bulk', lines({ index: { _id: '1' } }, { a: 1 }, { create: { _index: 'x', _id: '2' } }, { a: 2 }), { kind: 'bulk' }],
  ['a body of _bulk with types', lines({ index: { _index: 'x', _type: 'doc', _id: '1' } }, { a: 1 }), { kind: 'bulk' }],
  ['a body of _bulk with empty actions', lines({ index: {} }, { a: 1 }, { index: {} }, { a: 2 }), { kind: 'bulk' }],
  ['a body of _bulk with all actions', lines({ delete: { _id: '1' } }, { update: { _id: '1' } }, { doc: { a: 1 } }, { delete: { _id: '3' } }), { kind: 'bulk' }],
  ['a body of _bulk of deletions', lines({ delete: { _id: '1' } }, { delete: { _id: '2' } }), { kind: 'bulk' }],
  ['a body of _bulk of which documents look like actions', lines({ index: { _id: '1' } }, { index: { _id: 'x' } }), { kind: 'bulk' }],
  ['a body of _bulk, broken', `${lines({ index: { _id: '1' } })}\n{"a":\n${lines({ index: { _id: '2' } }, { a: 1 })}`, { kind: 'bulk' }],
  ['a body of _bulk with a key that is not known', lines({ index: { _index: 'a', if_primary: 1 } }, { a: 1 }, { index: { _id: 'b', x: {} } }, { a: 2 }), { kind: 'bulk' }],
  ['a body of _bulk with a line that is no action', `${lines({ index: { _id: '1' } }, { a: 1 })}\n# more\n${lines({ index: { _id: '2' } }, { a: 2 }, { index: { _id: '3' } }, { a: 3 })}`, { kind: 'bulk' }],
  ['a body of _bulk without a document', lines({ index: { _id: '1' } }, { index: { _id: '2' } }, { a: 2 }, { index: { _id: '3' } }, { a: 3 }), { kind: 'bulk' }],
  ['a body of _bulk with routing alone', lines({ index: { routing: 'x' } }, { a: 1 }), { kind: 'bulk' }],
  ['actions with keys without underscore', lines({ index: { id: '5', type: 'x' } }, { value: 1 }, { index: { id: '6', type: 'x' } }, { value: 1 }), { kind: 'unsure', could: ['bulk', 'documents'] }],
  ['documents of which one looks like an action', lines({ a: 1 }, { index: { _id: '1' } }, { a: 2 }, { a: 3 }), { kind: 'documents' }],
  ['one action', lines({ index: { _id: '1' } }), { kind: 'bulk' }],

  ['a body of _msearch', lines({ index: 'a' }, { query: { match_all: {} } }, { index: 'b' }, { size: 0 }), { kind: 'msearch' }],
  ['a body of _msearch with empty headers', lines({}, { query: { match_all: {} } }, {}, { query: { match_all: {} } }), { kind: 'msearch' }],
  ['a body of _msearch with a key that is not known', lines({ index: 'a' }, { query: { match_all: {} } }, { index: 'b' }, { query: { match_all: {} }, my_key: 1 }), { kind: 'msearch' }],
  ['one search of _msearch with a key that is not known', lines({ index: 'a' }, { query: { match_all: {} }, my_key: 1 }), { kind: 'msearch' }],
  ['a body of _msearch/template', lines({ index: 'a' }, { id: 't', params: { q: 'x' } }, { index: 'a' }, { source: '{"size":1}' }), { kind: 'msearch', hasTemplates: true }],
  ['documents with index and id in turn', lines({ index: 'a' }, { id: 't', name: 'x' }, { index: 'a' }, { id: 'u', name: 'x' }), { kind: 'documents' }],
  ['an empty object and a search', lines({}, { query: { match_all: {} } }), { kind: 'unsure', could: ['msearch', 'search-log'] }],

  ['hits', lines(hit({ a: 1 }), hit({ a: 2 }, '2')), { kind: 'hits' }],
  ['hits with types', lines({ ...hit({ a: 1 }), _type: '_doc' }), { kind: 'hits' }],
  ['hits without a source', lines({ _index: 'a', _id: '1', _score: 1, fields: { a: [1] } }), { kind: 'hits' }],
  ['answers of get', lines({ _index: 'a', _id: '1', _version: 1, found: true, _source: { a: 1 } }), { kind: 'hits' }],
  ['hits with searches in them', lines(hit({ query: { match_all: {} } }), hit({ size: 1 })), { kind: 'hits' }],
  ['hits of a slow log', lines(hit(SLOW_NESTED), hit(SLOW_ECS)), { kind: 'hits', format: 'slow-log' }],
  ['hits of unparsed lines of a slow log', lines(hit({ '@timestamp': '2026-01-01T00:00:00Z', message: SLOW_TEXT, log: { file: { path: '/x' } } })), { kind: 'hits', format: 'slow-log' }],
  ['hits of a few slow searches among others', lines(hit(SLOW_ECS), hit({ a: 1 }), hit({ a: 2 }), hit({ a: 3 })), { kind: 'hits' }],

  ['an answer', lines(ANSWER), { kind: 'answer', hasHits: true }],
  ['answers', lines(ANSWER, ANSWER), { kind: 'answer', hasHits: true }],
  ['a pretty-printed answer', JSON.stringify(ANSWER, null, 2), { kind: 'answer', hasHits: true }],
  ['a filtered answer', lines({ hits: { hits: [{ _source: { a: 1 } }] } }), { kind: 'answer', hasHits: true }],
  ['a pretty-printed filtered answer', JSON.stringify({ hits: { hits: [{ _source: { a: 1 } }] } }, null, 2), { kind: 'answer', hasHits: true }],
  ['the answer to a bulk', lines({ took: 1, errors: false, items: [] }), { kind: 'answer', hasHits: false }],
  ['the answer to several searches', lines({ took: 1, responses: [ANSWER] }), { kind: 'answer' }],
  ['an answer with an error', lines({ error: { type: 'index_not_found_exception' }, status: 404 }), { kind: 'answer' }],
  ['an answer of 1.x with an error', lines({ error: 'IndexMissingException[[a] missing]', status: 404 }), { kind: 'answer' }],
  ['a filtered answer to a bulk', lines({ took: 5, errors: false }), { kind: 'answer', hasHits: false }],
  ['an answer with nothing found', lines({ took: 1, hits: { hits: [] } }), { kind: 'answer', hasHits: true }],
  ['the answer to mget', lines({ docs: [{ _index: 'a', _id: '1', found: false }] }), { kind: 'answer' }],

  ['a JSON array on one line', '[{"a":1},{"a":2}]', { kind: 'json-array' }],
  ['a JSON array over several lines', JSON.stringify([{ a: 1 }, { a: 2 }], null, 2), { kind: 'json-array' }],
  ['a JSON array with an element on each line', '[{"a":1},\n{"a":2}\n]', { kind: 'json-array' }],
  ['a pretty-printed object', JSON.stringify({ a: { b: 1 } }, null, 2), { kind: 'pretty-json' }],
  ['pretty-printed objects', [{ a: 1 }, { a: 2 }].map((one) => JSON.stringify(one, null, '\t')).join('\n'), { kind: 'pretty-json' }],

  ['bare searches', lines({ query: { match_all: {} } }, { size: 0, aggs: { a: {} } }, {}), searches],
  ['searches with knn, suggestions, retrievers and more', lines({ knn: { field: 'v', query_vector: [1], k: 3 } }, { knn: [{ field: 'v' }] }, { suggest: { text: 'a', one: { term: { field: 'a' } } } }, { suggest: { one: { prefix: 'a', completion: { field: 'a' } } } }, { retriever: { standard: { query: { match_all: {} } } } }, { facets: { a: { terms: { field: 'a' }, global: true } } }), searches],
  ['searches of old versions', lines({ query: { filtered: { filter: { and: [] } } } }, { query: { and: [{ match_all: {} }] } }, { script_fields: { a: { script: '1' } } }), searches],
  ['the log of searches of Dyno', lines({ '@timestamp': '2026-01-01T00:00:00Z', type: 'a', search_type: 'x', body: { size: 1 } }), searches],
  ['searches by body alone', lines({ body: { query: { match_all: {} } } }), searches],
  ['objects with a number called size', lines({ size: 3 }, { from: 0, size: 10 }), { kind: 'unsure', could: ['documents', 'search-log'] }],
  ['empty objects', lines({}, {}), { kind: 'unsure' }],
  ['searches and documents, half and half', lines({ query: { match_all: {} } }, { a: 1 }), { kind: 'unsure', could: ['search-log', 'documents'] }],

  ['a query log', '1451880953.249|product|{"a": 1}\n1451880954.249|product|{"a": 2}', { kind: 'search-log', format: 'query-log' }],
  ['a slow log of 8.x', lines(SLOW_ECS, SLOW_ECS), slow],
  ['a slow log of 7.x, or of OpenSearch', lines(SLOW_7), slow],
  ['a slow log of 7.x with broken quotes', JSON.stringify(SLOW_7).replace('"source"', '"stats": "["web", "night"]", "search_type": "x", "source"'), slow],
  ['a slow log as Filebeat ships it', lines(SLOW_NESTED), slow],
  ['a slow log as Filebeat ships it unparsed', lines({ message: SLOW_TEXT, log: { offset: 1 } }, { message: JSON.stringify(SLOW_ECS) }), slow],
  ['a slow log in the log of a server', lines(...Array.from({ length: 60 }, () => SERVER_8), SLOW_ECS), slow],
  ['a slow log as text', SLOW_TEXT, slowText],
  ['a slow log as text of OpenSearch, of whole searches', OPENSEARCH_WHOLE, slowText],
  ['a slow log as text with entries over several lines', `${SLOW_TEXT.replace('{"size":1}', '\n{\n"size":1\n}')}\n[2026-06-13T11:54:47,125][DEBUG][index.search.slowlog.query] [n1] 1,\n2,\n3 ] } } }], `, slowText],
  ['a slow log as text after the log of a server', `${SERVER_TEXT}\n${SERVER_TEXT}\n${SLOW_TEXT}`, slowText],
  ['a slow log in lines of Docker', lines(docker(JSON.stringify(SLOW_ECS)), docker(JSON.stringify(SLOW_ECS))), slow],
  ['a slow log as text in lines of Docker', lines(docker(SLOW_TEXT)), slowText],
  ['a slow log in lines of CRI', [SLOW_ECS, SLOW_ECS].map((one) => cri(JSON.stringify(one))).join('\n'), slow],
  ['a slow log in parts of lines of CRI', `${cri(JSON.stringify(SLOW_ECS).slice(0, 50)).replace(' F ', ' P ')}\n${cri(JSON.stringify(SLOW_ECS).slice(50))}`, slow],
  ['the log of a server of 8.x', lines(SERVER_8, SERVER_8), { kind: 'elasticsearch-log' }],
  ['the log of a server as text', SERVER_TEXT, { kind: 'elasticsearch-log' }],

  ['a slow log in records of Fluent Bit', lines({ date: 1714557600.1, log: JSON.stringify(SLOW_ECS) }, { log: SLOW_TEXT, stream: 'stdout', kubernetes: {} }), slow],
  ['a slow log as text from docker compose', `es01  | ${SLOW_TEXT}\nes01  | ${SLOW_TEXT}`, { kind: 'text', obstacle: 'before-text' }],
  ['a slow log as text from syslog', `May  1 10:00:00 host elasticsearch[123]: ${SLOW_TEXT}`, { kind: 'text', obstacle: 'before-text' }],
  ['a slow log behind the times of kubectl', `2024-05-01T10:00:00.1Z ${JSON.stringify(SLOW_ECS)}`, { kind: 'text', obstacle: 'before-json' }],
  ['a slow log from Loki', `2024-05-01T10:00:00Z {app="es"} ${JSON.stringify(SLOW_ECS)}`, { kind: 'text', obstacle: 'before-json' }],
  ['documents in lines of CRI', `${cri('{"a":1}')}\n${cri('{"a":2}')}`, { kind: 'text', obstacle: 'before-json' }],
  ['requests of Dev Tools', '# searches\nPOST _bulk\n{"index":{"_id":"1"}}\n{"a":1}', { kind: 'text', obstacle: 'requests' }],
  ['an answer with its head', `HTTP/1.1 200 OK\ncontent-type: application/json\n${lines(ANSWER)}`, { kind: 'text', obstacle: 'http-head' }],
  ['documents with commas', '{"a":1},\n{"a":2},\n{"a":3}', { kind: 'text', obstacle: 'commas' }],
  ['several documents on a line', '{"a":1}{"a":2}\n{"a":3} {"a":4}', { kind: 'text', obstacle: 'several' }],
  ['a JSON text sequence', '\u001E{"a":1}\n\u001E{"a":2}', { kind: 'text', obstacle: 'separators' }],
  ['hits with fields alone', lines({ _index: 'a', _id: '1', fields: { a: [1] } }), { kind: 'hits', lacksSource: true }],
  ['queries of ES|QL', lines({ query: 'FROM shop | LIMIT 10' }), { kind: 'documents', searches: { as: 'language' } }],
  ['queries of SQL', lines({ query: 'SELECT * FROM shop', fetch_size: 5 }), { kind: 'documents', searches: { as: 'language' } }],
  ['the log of queries of ES|QL', lines({ 'event.dataset': 'elasticsearch.esql_querylog', 'elasticsearch.querylog.query': 'FROM a' }), { kind: 'elasticsearch-log', searches: { as: 'language' } }],
  ['searches with a body as a text', lines({ '@timestamp': 1714557600, body: '{"query":{"match_all":{}}}' }), { kind: 'documents', searches: { as: 'text' } }],
  ['searches with their address', lines({ index: 'a', body: { query: { match_all: {} } } }, { path: '/a', body: { query: { match_all: {} } } }), { kind: 'documents', searches: { as: 'wrapped', keys: ['index', 'path'] } }],
  ['an access log', ACCESS, { kind: 'access-log' }],
  ['an access log with odd lines', `- - - [25/Oct/2026:03:00:14 +0100] "-" 408 -\n${ACCESS}\nshop:443 ${ACCESS}`, { kind: 'access-log' }],
  ['an access log of nginx with its own format', '2026-11-20T10:00:00+00:00 10.0.0.1 "POST /shop/_search HTTP/1.1" 200 0.010', { kind: 'access-log' }],
  ['an access log of an AWS load balancer', 'h2 2026-11-20T10:00:00.000000Z app/lb/50dc 10.0.0.1:2817 10.0.0.2:9200 0.000 0.001 0.000 200 200 34 366 "POST https://es:443/shop/_search HTTP/2.0" "curl/7.46.0" - -', { kind: 'access-log' }],
  ['an access log of Envoy', '[2026-11-20T10:00:00.123Z] "POST /shop/_search HTTP/1.1" 200 - 30 200 10 9 "-"', { kind: 'access-log' }],
  ['a script with curl', `#!/bin/sh\ncurl -XPOST http://es:9200/shop/_search -d '\n{\n"size":1\n}\n'`, { kind: 'commands' }],
  ['the query log of Elasticsearch', lines({ 'event.dataset': 'elasticsearch.querylog', 'elasticsearch.querylog.type': 'dsl', 'elasticsearch.querylog.query': '{"size":1}' }), { kind: 'search-log', format: 'slow-log' }],
  ['an access log in lines of CRI', cri(ACCESS), { kind: 'access-log' }],
  ['CSV', 'id,name\n1,a\n2,"b, c"', { kind: 'table' }],
  ['TSV', 'id\tname\n1\ta', { kind: 'table' }],
  ['one line of CSV', 'id,name', { kind: 'text' }],
  ['XML', '<?xml version="1.0"?>\n<a>\n<b/>\n</a>', { kind: 'markup' }],
  ['HTML', '<!DOCTYPE html>\n<html>\n<body class="a">', { kind: 'markup' }],
  ['YAML', 'version: 1\nname: a', { kind: 'text' }],
  ['anything else', 'hello\nworld', { kind: 'text' }],
]) // oxfmt-ignore
('%s', (_what, text, found) => {
  expect(head(text)).toMatchObject(found);
});

test.each<[string, string, Recognised | { kind: string }]>([
  ['one JSON array', `[${'{"a":1},'.repeat(1000)}{"a":`, { kind: 'json-array' }],
  ['an answer', JSON.stringify(ANSWER).slice(0, -20), { kind: 'answer', hasHits: true }],
  ['a large document', `{"a":"${'x'.repeat(10_000)}`, { kind: 'text' }],
])('a first line that continues after the head: %s', (_what, text, found) => {
  expect(recognise({ lines: [text], isCut: true })).toEqual(found);
});

test('the time for a hostile head grows linearly with its length', () => {
  const hostile = [
    '['.repeat(1_000_000),
    '{"a":'.repeat(200_000),
    `"stats": "[`.repeat(100_000),
    ' - '.repeat(300_000),
    `{"stats": "[${'"stats": "['.repeat(100_000)}`,
  ];
  const begun = performance.now();
  for (const line of hostile) expect(recognise({ lines: [line, line] }).kind).toBeDefined();
  expect(performance.now() - begun).toBeLessThan(3000);
});

test.each([
  [
    'dyno',
    '{"dyno-traffic":1,"startedAt":5,"origin":"record","share":1,"part":1,"droppedBefore":0}\n{"connection":1}',
  ],
  ['har', '{"log":{"version":"1.2","creator":{"name":"x"},"entries":[{"startedDateTime":"2026"'],
  ['har', '{\n  "log": {\n    "entries": [\n      {\n "startedDateTime": 5'],
  [
    'gor',
    '1 13d8123f00a00000100000001 1764000000000000000 0\nPOST /shop/_search HTTP/1.1\nHost: es\n{"a":1}\n🐵🙈🙉',
  ],
  ['gor', '2 932079936fa4306fc308d67588178d17d823647c 1439818823587996305 200\nHTTP/1.1 200 OK'],
  [
    'audit-log',
    lines({ type: 'audit', 'event.type': 'rest', 'event.action': 'authentication_success', 'url.path': '/' }),
  ],
  [
    'audit-log',
    lines({ audit_category: 'AUTHENTICATED', audit_format_version: 4, audit_request_layer: 'REST' }),
  ],
  ['audit-log', lines(docker('{"type":"audit","event.type":"rest","event.action":"access_granted"}'))],
])('recorded requests are recognised: %s', (traffic, text) => {
  expect(head(text)).toEqual({ kind: 'traffic', traffic });
});

test.each([
  ['documents', lines({ log: { level: 'INFO', entries: 5 } }, { log: { level: 'WARN' } })],
  ['documents', lines({ 'event.action': 'login', type: 'user' }, { 'event.action': 'logout', type: 'user' })],
  ['text', '1 abcdef0123456789 1764000000000000000 0\nsome text'],
])('%s that only resemble recorded requests are not', (kind, text) => {
  expect(head(text).kind).toBe(kind);
});
