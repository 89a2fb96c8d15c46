import { readTime, type ReadLine } from './format';
import { formatOfLine, LOG_FORMATS, readLine, type LogFormat } from './registry';
import { isOfRequests } from './slow-log-text';

const SLOW = {
  '@timestamp': '2026-11-21T21:23:45.213Z',
  'elasticsearch.slowlog.message': '[stores][0]',
  'elasticsearch.slowlog.search_type': 'QUERY_THEN_FETCH',
  'elasticsearch.slowlog.source': '{"size":3}',
  'elasticsearch.slowlog.took_millis': 88,
  'elasticsearch.slowlog.total_shards': 2,
  'event.dataset': 'elasticsearch.index_search_slowlog',
  'log.logger': 'index.search.slowlog.query',
};
const slow = (more: object, all = false): ReadLine =>
  readLine('slow-log', JSON.stringify({ ...SLOW, ...more }), all);

test.each([
  ['1451880953.249', 1451880953249],
  ['1451880953', 1451880953000],
  [1451880953249, 1451880953249],
  ['2016-01-04T04:15:53.249Z', 1451880953249],
  ['2016-01-04T04:15:53,249Z', 1451880953249],
  ['2016-01-04T05:15:53.249+01:00', 1451880953249],
  // A time without a zone is in UTC, whatever the zone of the machine.
  ['2016-01-04T04:15:53.249', 1451880953249],
  ['2016-01-04 04:15:53,249', 1451880953249],
  ['1451880953249000', 1451880953249],
  [1451880953249000, 1451880953249],
  ['1451880953249123456', 1451880953249],
  [0, null],
  ['soon', null],
  ['2016', null],
  ['', null],
  [true, null],
])('reads %p as a time', (value, time) => {
  const read = readTime(value);
  expect(read === null ? null : Math.round(read)).toBe(time);
});

test('a line of a query log has time, type, and the unchanged body', () => {
  expect(readLine('query-log', '1451880953.249|product|{"a|b": {"c": 1}}')).toEqual({
    kind: 'search',
    type: 'product',
    time: 1451880953249,
    searchType: 'product',
    body: { 'a|b': { c: 1 } },
    text: '{"a|b": {"c": 1}}',
  });
});

test('a line of the query log of Elasticsearch is one search; queries in other languages are not', () => {
  const entry = {
    ...{ '@timestamp': '2026-03-13T01:01:57.391Z', 'event.dataset': 'elasticsearch.querylog' },
    ...{ 'elasticsearch.querylog.type': 'dsl', 'elasticsearch.querylog.indices': ['shop', 'logs-*'] },
    ...{ 'elasticsearch.querylog.query': '{"size":10}', 'event.duration': 391_000_000 },
  };
  expect(readLine('slow-log', JSON.stringify(entry))).toEqual({
    ...{ kind: 'search', index: 'shop,logs-*', type: '', searchType: '' },
    ...{ time: Date.parse('2026-03-13T01:01:57.000Z'), body: { size: 10 }, text: '{"size":10}' },
  });
  const esql = { ...entry, 'elasticsearch.querylog.type': 'esql', 'elasticsearch.querylog.query': 'FROM a' };
  expect(readLine('slow-log', JSON.stringify(esql))).toEqual({ kind: 'other', log: 'queries in esql' });
});

describe('a line of the slow log', () => {
  test('has the start of the search: its time minus its duration', () => {
    expect(slow({})).toMatchObject({
      kind: 'search',
      index: 'stores',
      type: 'query_then_fetch',
      time: Date.parse('2026-11-21T21:23:45.125Z'),
      searchType: 'query_then_fetch',
      body: { size: 3 },
      text: '{"size":3}',
    });
    expect(slow({ 'event.duration': 213_000_000 })).toMatchObject({
      time: Date.parse('2026-11-21T21:23:45Z'),
    });
  });

  test('may have a source that is escaped twice, as in 8.x and 9.x', () => {
    const source = '{"query":{"match":{"name":{"query":"a \\"b\\" ü\\nx"}}}}';
    const escaped = JSON.stringify(source).slice(1, -1);
    const read = slow({ 'elasticsearch.slowlog.source': escaped });
    expect(read).toMatchObject({ kind: 'search', body: JSON.parse(source) as object, text: source });
  });

  test('of another shard, or of the fetch phase, repeats a search', () => {
    const other = { 'elasticsearch.slowlog.message': '[stores][1]' };
    const fetch = { 'log.logger': 'index.search.slowlog.fetch' };
    expect(slow(other)).toMatchObject({ kind: 'repeated', shard: 1, part: { index: 'stores', shards: 2 } });
    expect(slow(fetch)).toEqual({ kind: 'repeated' });
    expect(slow(other, true).kind).toBe('search');
    // With routing, a search may use only that shard.
    expect(slow({ ...other, 'elasticsearch.slowlog.total_shards': 1 }).kind).toBe('search');
  });

  test('of 7.x has fields without a prefix', () => {
    const line = JSON.stringify({
      type: 'index_search_slowlog',
      timestamp: '2019-03-02T10:00:00,500+01:00',
      component: 'i.s.s.query',
      message: '[stores][0]',
      took_millis: '500',
      search_type: 'QUERY_THEN_FETCH',
      total_shards: '3',
      source: '{"size":1}',
    });
    expect(readLine('slow-log', line)).toMatchObject({
      kind: 'search',
      time: Date.parse('2019-03-02T09:00:00Z'),
      body: { size: 1 },
    });
  });
});

describe('a slow log as it is shipped', () => {
  const BIG = '{"query":{"term":{"trace":9007199254740993}},"size":0,"min_score":1.0}';
  const shipped = {
    '@timestamp': '2026-10-05T08:00:00.500Z',
    event: { dataset: 'elasticsearch.slowlog', duration: 250_000_000 },
    elasticsearch: {
      shard: { id: '0' },
      slowlog: { search_type: 'QUERY_THEN_FETCH', total_shards: 2, source_query: BIG },
    },
  };
  const read = (entry: object, all = false): ReadLine => readLine('slow-log', JSON.stringify(entry), all);
  const found = {
    kind: 'search',
    type: 'query_then_fetch',
    time: Date.parse('2026-10-05T08:00:00.250Z'),
    text: BIG,
  };

  test('with nested objects, as a hit, or with partly flat fields', () => {
    expect(read(shipped)).toMatchObject(found);
    expect(read({ _index: 'filebeat-8', _id: '1', _source: shipped })).toMatchObject(found);
    const { slowlog } = shipped.elasticsearch;
    expect(read({ ...shipped, elasticsearch: { 'slowlog.source_query': BIG, slowlog } })).toMatchObject(
      found,
    );
  });

  test('with the shard in a separate field', () => {
    const other = { ...shipped.elasticsearch, shard: { id: '1' } };
    expect(read({ ...shipped, elasticsearch: other })).toMatchObject({ kind: 'repeated', shard: 1 });
    expect(read({ ...shipped, elasticsearch: other }, true).kind).toBe('search');
  });

  test('with the unparsed line of the log', () => {
    const line =
      '[2026-10-05T08:00:00,500][WARN ][index.search.slowlog.query] [n] [i][0] took[250ms], took_millis[250], search_type[QUERY_THEN_FETCH], total_shards[1], source[' +
      `${BIG}], id[], `;
    expect(read({ message: line, log: { offset: 1 } })).toMatchObject(found);
    expect(read({ event: { original: JSON.stringify(shipped) }, message: 'x' })).toMatchObject(found);
  });

  test('of the indexing slow log has no searches', () => {
    const slowlog = { id: '1', source: '{"account":1}', took: '1ms' };
    const reason = 'is of the indexing slow log';
    expect(read({ ...shipped, elasticsearch: { slowlog } })).toEqual({ kind: 'malformed', reason });
  });
});

describe('a slow log of 7.x', () => {
  const line = (stats: string, source = '{\\"size\\":1}', component = 'i.s.s.query'): string =>
    `{"type": "index_search_slowlog", "timestamp": "2026-06-13T11:54:47,125Z", "component": "${component}", "message": "[logs][0]", "took_millis": "5", "types": "[]", "stats": "${stats}", "search_type": "QUERY_THEN_FETCH", "total_shards": "1", "source": "${source}", "id": "" }`;

  test('with unescaped groups of statistics can be read', () => {
    for (const stats of ['[]', '["web", "night"]', '["a]", "b"]'])
      expect(readLine('slow-log', line(stats))).toMatchObject({ kind: 'search', text: '{"size":1}' });
    const types = line('["a"]').replace('"types": "[]"', '"types": "["_doc"]"');
    expect(readLine('slow-log', types)).toMatchObject({ kind: 'search', text: '{"size":1}' });
  });

  test('with other broken JSON is malformed', () => {
    expect(readLine('slow-log', line('["a"]').replace('"total_shards"', 'total_shards')).kind).toBe(
      'malformed',
    );
  });

  test('uses a short name for the fetch phase', () => {
    expect(readLine('slow-log', line('[]', undefined, 'i.s.s.fetch'))).toEqual({ kind: 'repeated' });
  });
});

test('lines of the server log in between belong to another log', () => {
  const server = {
    '@timestamp': '2026-01-01T00:00:00Z',
    message: 'started',
    'event.dataset': 'elasticsearch.server',
  };
  expect(readLine('slow-log', JSON.stringify(server))).toEqual({
    kind: 'other',
    log: 'elasticsearch.server',
  });
  const older = {
    type: 'server',
    level: 'INFO',
    component: 'o.e.n.Node',
    'cluster.name': 'c',
    'node.name': 'n',
    message: 'started',
  };
  expect(readLine('slow-log', JSON.stringify(older))).toEqual({ kind: 'other', log: 'server' });
});

test('an error instead of a query is malformed, and its text is shown', () => {
  const error = '{ "error" : "JsonGenerationException[Can not start an object]"}';
  const reason = expect.stringContaining(
    'its source holds an error instead of the query: JsonGenerationException',
  ) as string;
  expect(slow({ 'elasticsearch.slowlog.source': error })).toEqual({ kind: 'malformed', reason });
  const text = `[2018-03-13T00:01:09,810][WARN ][i.s.s.query] [n] [i][0] took[1ms], took_millis[1], total_shards[1], source[${error}], `;
  expect(readLine('slow-log-text', text)).toEqual({ kind: 'malformed', reason });
});

test('bodies keep their source text', () => {
  const body =
    '{ "min_score":1.0,"query":{"terms":{"trace":[9007199254740993,-0.0,1e400]}}, "size":1,"size":2 }';
  expect(readLine('ndjson', `{"type":"a", "body" : ${body} }`)).toMatchObject({ kind: 'search', text: body });
  const text = `[2018-03-13T00:01:09,810][WARN ][i.s.s.query] [n] [i][0] took[1ms], took_millis[1], total_shards[1], source[\n${body}\n], extra_source[{"from":1.0}], `;
  expect(readLine('slow-log-text', text)).toMatchObject({
    text: '{"min_score":1.0,"query":{"terms":{"trace":[9007199254740993,-0.0,1e400]}},"size":2,"from":1.0}',
  });
});

test('a hit among searches is malformed, not a search', () => {
  const hit = '{"_index":"a","_id":"1","_source":{"query":{"match_all":{}}}}';
  expect(readLine('ndjson', hit)).toEqual({
    kind: 'malformed',
    reason: 'is a hit of an export, not a search',
  });
});

test('NDJSON: a search with its time and type, or the body alone', () => {
  const line = '{"@timestamp":"2026-01-01T00:00:00Z","type":"a","search_type":"COUNT","body":{"size":1}}';
  expect(readLine('ndjson', line)).toEqual({
    kind: 'search',
    type: 'a',
    time: Date.parse('2026-01-01T00:00:00Z'),
    searchType: 'count',
    body: { size: 1 },
    text: '{"size":1}',
  });
  expect(readLine('ndjson', '{"query":{"match_all":{}}}')).toMatchObject({
    type: '',
    time: null,
    text: '{"query":{"match_all":{}}}',
  });
});

test.each<[LogFormat, string, string]>([
  ['query-log', 'nothing of the kind', 'is not TIMESTAMP.MS|SEARCH_TYPE|JSON_QUERY'],
  ['query-log', '1451880953.249|product', 'is not TIMESTAMP.MS|SEARCH_TYPE|JSON_QUERY'],
  ['query-log', 'now|product|{}', 'does not begin with a time in seconds since the epoch'],
  ['query-log', '1451880953.249|product|{"query":', 'its query is not JSON'],
  ['query-log', '1451880953.249|product|[1]', 'its query is not a JSON object'],
  ['slow-log', '[2016-01-04 04:15:53,249][WARN ][index.search.slowlog.query]', 'is not JSON'],
  ['slow-log', '{"message":"x"}', 'is not a search of a slow log'],
  ['slow-log', '{"elasticsearch.slowlog.source":""}', 'holds no source'],
  ['slow-log', '{"elasticsearch.slowlog.source":"{\\"a\\":"}', 'its source is not JSON'],
  ['ndjson', '7', 'is not a JSON object'],
  ['ndjson', `${'{"not":'.repeat(5000)}{}${'}'.repeat(5000)}`, 'is nested more than 200 levels deep'],
  ['ndjson', '{"timestamp":"soon","body":{}}', 'its time is neither'],
  ['ndjson', '{"timestamp":1451880953,"body":"{}"}', 'its body is not a JSON object'],
  ['ndjson', '{"timestamp":1451880953,"query":{}}', 'has a time but no body'],
])('%s: %s is malformed, and the reason says how', (format, line, reason) => {
  const read = readLine(format, line);
  expect(read.kind).toBe('malformed');
  expect((read as { reason: string }).reason).toContain(reason);
});

test('a line of the indexing slow log is not a search', () => {
  expect(slow({ 'event.dataset': 'elasticsearch.index_indexing_slowlog' }).kind).toBe('malformed');
});

test('brackets in texts do not count as levels', () => {
  const line = JSON.stringify({ query: { match: { a: `${'['.repeat(1000)}\\"${'{'.repeat(1000)}` } } });
  expect(readLine('ndjson', line).kind).toBe('search');
});

test('non-text fields of a slow log are ignored', () => {
  const source = '{"query":{}}';
  const odd = { toString: 1 };
  const line = JSON.stringify({ source, type: odd, message: odd, search_type: odd });
  expect(readLine('slow-log', line)).toMatchObject({ kind: 'search', type: '' });
});

describe('a line of a slow log as text', () => {
  const text = (line: string, all = false): ReadLine => readLine('slow-log-text', line, all);
  const query = '{"query":{"match":{"a":"] }, source[{\\""}}}';
  const time = Date.parse('2018-03-13T00:01:09.712Z');

  test.each([
    [
      '1.x, with two sources',
      `[2018-03-13 00:01:09,810][INFO ][index.search.slowlog.query] [Fault Zone] [ticks][0] took[98ms], took_millis[98], types[tick], stats[], search_type[DFS_QUERY_THEN_FETCH], total_shards[5], source[${query}], extra_source[],`,
      'dfs_query_then_fetch',
      'ticks',
    ],
    [
      '2.x, without a shard',
      `[2018-03-13 00:01:09,810][DEBUG][index.search.slowlog.query] [products_v2]took[98.4ms], took_millis[98], types[document], stats[], search_type[QUERY_THEN_FETCH], total_shards[5], source[${query}], extra_source[{}],`,
      'query_then_fetch',
      'products_v2',
    ],
    [
      '5.x',
      `[2018-03-13T00:01:09,810][TRACE][index.search.slowlog.query] [Jc-ATGa] [index][0] took[98.7ms], took_millis[98], types[doc], stats[], search_type[QUERY_THEN_FETCH], total_shards[5], source[${query}], `,
      'query_then_fetch',
      'index',
    ],
    [
      '6.x and 7.x',
      `[2018-03-13T00:01:09,810][WARN ][i.s.s.query              ] [node-0] [index6][0] took[98.4ms], took_millis[98], total_hits[0 hits], types[], stats[a,b], search_type[QUERY_THEN_FETCH], total_shards[1], source[${query}], id[MY_USER_ID], `,
      'query_then_fetch',
      'index6',
    ],
    [
      'a node in another zone',
      `[2018-03-13T01:01:09,810+0100][WARN ][i.s.s.query] [n] [i][0] took[98ms], took_millis[98], search_type[QUERY_THEN_FETCH], total_shards[1], source[${query}]`,
      'query_then_fetch',
      'i',
    ],
  ])('of %s has the time when the search began, its type, index and body', (_version, line, type, index) => {
    expect(text(line)).toMatchObject({
      kind: 'search',
      index,
      type,
      time,
      searchType: type,
      body: JSON.parse(query),
      text: query,
    });
    expect(formatOfLine(line)).toBe('slow-log-text');
  });

  const line = (source: string, logger = 'index.search.slowlog.query', shard = 0): string =>
    `[2018-03-13T00:01:09,810][WARN ][${logger}] [n] [i][${shard}] took[1ms], took_millis[1], stats[], search_type[QUERY_THEN_FETCH], total_shards[5], ${source}`;

  test('counts a search once, unless every shard and phase counts', () => {
    const fetch = line('source[{}], ', 'i.s.s.fetch');
    const third = line('source[{}], ', 'i.s.s.query', 3);
    expect([text(fetch), text(third)]).toEqual([
      { kind: 'repeated' },
      { kind: 'repeated', shard: 3, part: { index: 'i', shards: 5, tookMs: 1 } },
    ]);
    expect([text(fetch, true), text(third, true)]).toMatchObject([{ kind: 'search' }, { kind: 'search' }]);
  });

  test('may have groups of statistics that look like a source', () => {
    for (const source of ['source[{"size":1}], id[], ', 'source[{"size":1}], extra_source[], ']) {
      const written = line(source).replace('stats[]', 'stats[source[a], source[{"size":2}]]');
      expect(text(written)).toMatchObject({ kind: 'search', text: '{"size":1}' });
    }
  });

  test('may have its body in extra_source, or no body', () => {
    const extra = text(line('source[{"size":1,"from":2}], extra_source[{"size":3}], '));
    expect(extra).toMatchObject({ body: { size: 3, from: 2 }, text: '{"size":3,"from":2}' });
    expect(text(line('source[], extra_source[], '))).toMatchObject({ body: {}, text: '{}' });
  });

  test.each([
    ['cut', line('source[{"query":{"match":{"a":"b'), 'its source does not end: the line is cut'],
    ['cut in its extra source', line('source[{}], extra_source[{"a":'), 'its extra_source does not end'],
    ['with more braces', line('source[{}}], '), 'its source is followed by something else'],
    ['with a text in its source', line('source[abc], '), 'its source is not a JSON object'],
    ['with an object that is no JSON', line('source[{a}], '), 'its source is not JSON'],
    ['nested too deep', line(`source[${'{"a":'.repeat(300)}1${'}'.repeat(300)}], `), 'nested more than'],
    ['without a source', line('id[x], '), 'has no source['],
    ['of the indexing slow log', line('source[{}]', 'i.i.s.index'), 'is of the indexing slow log'],
    ['of another logger', line('source[{}]', 'o.e.n.Node'), 'is of the logger o.e.n.Node'],
    ['without a head', 'source[{}]', 'does not begin with [TIME][LEVEL][LOGGER]'],
    ['of an invalid day', line('source[{}]').replace('03-13', '13-33'), 'has an invalid time'],
  ])('that is %s cannot be read, with a reason', (_what, hostile, reason) => {
    expect(text(hostile)).toEqual({ kind: 'malformed', reason: expect.stringContaining(reason) });
  });

  test('is read in time proportional to its length', () => {
    const hostile = [
      line(`source[${'{'.repeat(2_000_000)}`),
      line(`source[{"a":"${'\\"]}'.repeat(500_000)}`),
      line('took_millis['.repeat(200_000)),
      '['.repeat(2_000_000),
      line('source[{}], ').replace('stats[]', `stats[${']['.repeat(500_000)}]`),
    ];
    const begun = performance.now();
    for (const one of hostile) expect(text(one).kind).toBe('malformed');
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  test('is in the message of JSON in the first versions of 7.x', () => {
    const entry = {
      type: 'index_search_slowlog',
      timestamp: '2018-03-13T00:01:09,810Z',
      component: 'i.s.s.query',
      message: `[index6][0] took[98.4ms], took_millis[98], total_hits[0 hits], types[], stats[], search_type[QUERY_THEN_FETCH], total_shards[1], source[${query}], id[], `,
    };
    const written = JSON.stringify(entry);
    expect(formatOfLine(written)).toBe('slow-log');
    expect(readLine('slow-log', written)).toMatchObject({ kind: 'search', time, text: query });
  });
});

describe('the format of a log', () => {
  const LINES: Record<LogFormat, string[]> = {
    'query-log': ['2016-01-04 04:15:53,249|product|{"a": 1}', '1451880954.249|product|{"a": 2}'],
    'slow-log': [
      '{"type":"index_indexing_slowlog","message":"x"}',
      '{"log.logger":"index.search.slowlog.fetch"}',
      '{"log":{"logger":"cluster.search.request.slowlog"}}',
      '{"event":{"dataset":"elasticsearch.slowlog"}}',
      JSON.stringify(SLOW),
      '{"type":"index_search_slowlog","source":"{}"}',
    ],
    'slow-log-text': ['[2018-03-13T00:01:09,810][WARN ][i.s.s.query] [n] [i][0] took[1ms], source[{}]'],
    ndjson: ['{"@timestamp":"2018-03-13T00:01:09.810Z","body":{"size":1}}', '{"query":{"match_all":{}}}'],
  };

  test.each(LOG_FORMATS)('each line of %s is strong evidence for it', (format) => {
    expect(LINES[format].map(formatOfLine)).toEqual(LINES[format].map(() => format));
  });

  test.each([
    '127.0.0.1 - - [13/Mar/2018] "GET / HTTP/1.1" 200',
    '{"message":"hello","level":"info"}',
    '{"event.dataset":"mysql.slowlog","mysql.slowlog.query":"SELECT 1","source":"x"}',
    '{"event":{"dataset":"mysql.slowlog"},"mysql":{"slowlog":{"query":"SELECT 1"}}}',
    '{"type":"slowlog","text":"about slow logs"}',
    '{"component":"php.slowlog","message":"x"}',
    '{"name":"cup","size":"S"}',
    '{"name":"tea","body":"dark","from":"Assam","query":"tea"}',
    '{"size":3}',
    '{"from":"a@example.org","body":{"text":"hello"}}',
    '{}',
    '{"_index":"a","_id":"1","_source":{"query":{"match_all":{}}}}',
    '{"source":"{}","took_millis":1,"message":"x"}',
    '["query"]',
    'broken',
    '',
  ])('%s is no strong evidence for any', (line) => {
    expect(formatOfLine(line)).toBeUndefined();
  });
});

test.each([
  ['{"@timestamp":"2026-03-13T01:01:57Z","event.dataset":"elasticsearch.querylog"}', true],
  ['{"elasticsearch.querylog.type": "dsl"}', true],
  ['{"elasticsearch":{"querylog":{"type":"dsl"}}}', true],
  [
    '{"log.logger":"index.search.slowlog.query","elasticsearch.slowlog.message":"[logs-elasticsearch.querylog-default][0]"}',
    false,
  ],
  [
    '{"elasticsearch.slowlog.source":"{\\"query\\":{\\"term\\":{\\"event.dataset\\":\\"elasticsearch.querylog\\"}}}"}',
    false,
  ],
])('the line %s is about a whole search: %p', (line, expected) => {
  expect(isOfRequests(line)).toBe(expected);
});
