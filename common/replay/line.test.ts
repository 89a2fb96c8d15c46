import { readLine, readTime, type LogFormat, type ReadLine } from './line';

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
  ['soon', null],
  ['2016', null],
  ['', null],
  [true, null],
])('reads %p as a time', (value, time) => {
  const read = readTime(value);
  expect(read === null ? null : Math.round(read)).toBe(time);
});

test('a line of a query log: time, type, and the body as it stands', () => {
  expect(readLine('query-log', '1451880953.249|product|{"a|b": {"c": 1}}')).toEqual({
    kind: 'search',
    type: 'product',
    time: 1451880953249,
    searchType: 'product',
    body: { 'a|b': { c: 1 } },
    text: '{"a|b": {"c": 1}}',
  });
});

describe('a line of the slow log', () => {
  test('tells when the search began: its time less what it took', () => {
    expect(slow({})).toEqual({
      kind: 'search',
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

  test('may have its source escaped once more, as 8.x and 9.x do', () => {
    const source = '{"query":{"match":{"name":{"query":"a \\"b\\" ü\\nx"}}}}';
    const escaped = JSON.stringify(source).slice(1, -1);
    const read = slow({ 'elasticsearch.slowlog.source': escaped });
    expect(read).toMatchObject({ kind: 'search', body: JSON.parse(source) as object, text: source });
  });

  test('of another shard, or of the fetch phase, tells of a search that another line tells of', () => {
    const other = { 'elasticsearch.slowlog.message': '[stores][1]' };
    const fetch = { 'log.logger': 'index.search.slowlog.fetch' };
    expect(slow(other)).toEqual({ kind: 'repeated' });
    expect(slow(fetch)).toEqual({ kind: 'repeated' });
    expect(slow(other, true).kind).toBe('search');
    // With routing a search may go to that shard alone.
    expect(slow({ ...other, 'elasticsearch.slowlog.total_shards': 1 }).kind).toBe('search');
  });

  test('of 7.x has its fields without a prefix', () => {
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

test('a line of the indexing slow log is no search', () => {
  expect(slow({ 'event.dataset': 'elasticsearch.index_indexing_slowlog' }).kind).toBe('malformed');
});

test('brackets in a text are no levels', () => {
  const line = JSON.stringify({ query: { match: { a: `${'['.repeat(1000)}\\"${'{'.repeat(1000)}` } } });
  expect(readLine('ndjson', line).kind).toBe('search');
});

test('fields of a slow log that are no text are none', () => {
  const source = '{"query":{}}';
  const odd = { toString: 1 };
  const line = JSON.stringify({ source, type: odd, message: odd, search_type: odd });
  expect(readLine('slow-log', line)).toMatchObject({ kind: 'search', type: '' });
});
