import { trafficKind } from './kind';
import { IN_TEXTS, movedDate, noTimes, timeFieldsOf, TimeShift, type TimeAccount } from './time-shift';

const DAY = 86_400;
const HOUR = 3600;

test.each([
  ['2026-03-05T10:15:30.123456789Z', DAY + 1, '2026-03-06T10:15:31.123456789Z'],
  ['2026-12-31 23:59:59+01:00', 1, '2027-01-01 00:00:00+01:00'],
  ['2026-03-05T10:15:30,5+0100', HOUR, '2026-03-05T11:15:30,5+0100'],
  ['20260305T101530Z', HOUR, null],
  ['2026-03-05T101530Z', HOUR, '2026-03-05T111530Z'],
  ['2026/03/05 10:15:30', DAY, '2026/03/06 10:15:30'],
  ['2026.03.05', DAY, '2026.03.06'],
  // A form without seconds, minutes or hours moves by the nearest whole unit.
  ['2026-03-05T10:15Z', 89, '2026-03-05T10:16Z'],
  ['2026-03-05T10', HOUR + 10, '2026-03-05T11'],
  ['2026-03-05', DAY + 13 * HOUR, '2026-03-07'],
  ['2024-02-28', DAY, '2024-02-29'],
  ['2026-03-05T10:15:30Z', -365 * DAY, '2025-03-05T10:15:30Z'],
  ['9999-12-31T23:59:59Z', 1, null],
  ['0001-01-01', DAY, null],
  ['2026-02-30', DAY, null],
  ['2026-03', DAY, null],
  ['2026', DAY, null],
  ['05/03/2026', DAY, null],
  ['2026-03-05 shoes', DAY, null],
])('%s moved by %d s is %s', (text, seconds, moved) => {
  expect(movedDate(text, seconds)).toBe(moved);
});

const MAPPING = {
  properties: {
    '@timestamp': { type: 'date' },
    title: { type: 'text', fields: { raw: { type: 'keyword' } } },
    price: { type: 'long' },
    order: { properties: { created: { type: 'date', format: 'epoch_second' }, by: { type: 'keyword' } } },
    seen: { type: 'date_nanos', format: 'yyyy-MM-dd HH:mm:ss||epoch_millis' },
    valid: { type: 'date_range', format: 'yyyy-MM-dd' },
    time: { type: 'alias', path: '@timestamp' },
    written: { type: 'keyword', fields: { asDate: { type: 'date' } } },
    german: { type: 'date', format: 'dd.MM.yyyy' },
  },
  runtime: { made: { type: 'date', script: 'emit(0)' }, plain: { type: 'date' } },
};

test('date fields are found with their formats, in objects, multi-fields, aliases and runtime fields', () => {
  const found = timeFieldsOf(MAPPING);
  expect(Object.fromEntries(found.map(({ name, format }) => [name, format]))).toEqual({
    '@timestamp': null,
    'order.created': 'epoch_second',
    seen: 'yyyy-MM-dd HH:mm:ss||epoch_millis',
    valid: 'yyyy-MM-dd',
    time: null,
    'written.asDate': null,
    written: null,
    german: 'dd.MM.yyyy',
    plain: null,
  });
  expect(found.filter(({ isNanos }) => isNanos).map(({ name }) => name)).toEqual(['seen']);
  expect(timeFieldsOf({})).toEqual([]);
});

/**
 * Moves the dates in a body by a day. Returns the new body, and the counts of moved and unchanged dates. Also checks that the new body is
 * the same if the dates are not counted.
 */
function moved(method: string, path: string, body: string): { body: string; account: TimeAccount } {
  const account = noTimes();
  const kind = trafficKind(method, path);
  const own = new TimeShift(timeFieldsOf(MAPPING), account).moved(kind, body, DAY);
  expect(new TimeShift(timeFieldsOf(MAPPING)).moved(kind, body, DAY)).toBe(own);
  return { body: own, account };
}

const search = (body: string): { body: string; account: TimeAccount } => moved('POST', '/shop/_search', body);

describe('documents', () => {
  test('values of date fields move in their own form; everything else stays as it was written', () => {
    const { body, account } = moved(
      'PUT',
      '/shop/_doc/1',
      '{ "@timestamp" : "2026-03-05T10:00:00Z", "price":1772705700000, "title":"2026-03-05", "seen":["2026-03-05 10:00:00",1772705700000],' +
        ' "order":{"created":1772705700,"by":"2026-03-05"}, "order.created":1.0, "valid":{"gte":"2026-03-05","lt":null},"german":"05.03.2026"}',
    );
    expect(body).toBe(
      '{ "@timestamp" : "2026-03-06T10:00:00Z", "price":1772705700000, "title":"2026-03-05", "seen":["2026-03-06 10:00:00",1772792100000],' +
        ' "order":{"created":1772792100,"by":"2026-03-05"}, "order.created":1.0, "valid":{"gte":"2026-03-06","lt":null},"german":"05.03.2026"}',
    );
    expect(account).toEqual({
      moved: 5,
      kept: {
        'in title': 1,
        'in order.by': 1,
        'in order.created, in another notation': 1,
        'in german, in another notation': 1,
      },
    });
  });

  test('of a bulk request, the sources move, and the action lines stay', () => {
    const lines = [
      '{"index":{"_id":"2026-03-05","@timestamp":"2026-03-05"}}',
      '{"@timestamp":"2026-03-05"}',
      '{"delete":{"_id":"1"}}',
      '{"update":{"_id":"1"}}',
      '{"doc":{"time":"2026-03-05"},"upsert":{"order":{"created":1772705700}},"doc_as_upsert":true}',
      '{"create":{}}',
      '{"\\u0040timestamp":1772705700000}',
      '',
    ];
    expect(moved('POST', '/shop/_bulk', lines.join('\n')).body.split('\n')).toEqual([
      lines[0],
      '{"@timestamp":"2026-03-06"}',
      lines[2],
      lines[3],
      '{"doc":{"time":"2026-03-06"},"upsert":{"order":{"created":1772792100}},"doc_as_upsert":true}',
      lines[5],
      '{"\\u0040timestamp":1772792100000}',
      '',
    ]);
  });

  test('a number moves only if the format of the field says its unit', () => {
    const { body, account } = moved('PUT', '/shop/_doc/1', '{"valid":20260305,"@timestamp":17.5}');
    expect(body).toBe('{"valid":20260305,"@timestamp":17.5}');
    expect(account.kept).toEqual({
      'in valid, in another notation': 1,
      'in @timestamp, in another notation': 1,
    });
  });
});

describe('searches', () => {
  test.each([
    ['{"query":{"range":{"@timestamp":{"gte":"2026-03-05T00:00:00Z","lt":"2026-03-06||+1d/d"}}}}'],
    ['{"query":{"bool":{"filter":[{"range":{"time":{"from":"2026-03-05T00:00:00Z"}}}]}}}'],
    ['{"query":{"term":{"order.created":1772705700}}}'],
    ['{"query":{"terms":{"@timestamp":["2026-03-05",1772705700000]}}}'],
    ['{"query":{"match":{"@timestamp":{"query":"2026-03-05"}}}}'],
    ['{"query":{"distance_feature":{"field":"@timestamp","origin":"2026-03-05","pivot":"7d"}}}'],
    ['{"query":{"function_score":{"gauss":{"@timestamp":{"origin":"2026-03-05","scale":"10d"}}}}}'],
    ['{"aggs":{"a":{"date_range":{"field":"@timestamp","ranges":[{"from":"2026-03-05"},{"to":"now"}]}}}}'],
    [
      '{"aggs":{"a":{"date_histogram":{"field":"@timestamp","extended_bounds":{"min":1772705700000,"max":"2026-03-05"}}}}}',
    ],
    ['{"sort":[{"@timestamp":"desc"},"price"],"search_after":[1772705700000,1772705700000]}'],
    ['{"search_after":[1772705700123456789],"sort":{"seen":{"order":"asc"}}}'],
    ['{"sort":["seen"],"search_after":[1772705700123456789]}'],
    [
      '{"aggs":{"a":{"composite":{"after":{"b":1772705700000},"sources":[{"b":{"date_histogram":{"field":"@timestamp"}}}]}}}}',
    ],
    ['{"query":{"percolate":{"field":"q","document":{"@timestamp":"2026-03-05"}}}}'],
    ['{"query":{"range":{"@timestamp":{"gte":1772705700,"format":"epoch_second"}}}}'],
  ])('dates in %s move', (written) => {
    const { body, account } = search(written);
    expect(account.moved).toBeGreaterThan(0);
    expect(account.kept).toEqual({});
    const expected = written
      .replaceAll('2026-03-06', '2026-03-07')
      .replaceAll('2026-03-05', '2026-03-06')
      .replaceAll(/(?<!price"\],"search_after":\[\d+,)1772705700/g, '1772792100');
    expect(body).toBe(expected);
  });

  test.each([
    ['{"query":{"range":{"@timestamp":{"gte":"now-15m","time_zone":"+01:00"}}}}', {}],
    ['{"query":{"range":{"price":{"gte":1772705700000}}},"size":1772705700}', {}],
    [
      '{"sort":[{"@timestamp":{"order":"desc"}}],"docvalue_fields":[{"field":"@timestamp","format":"yyyy"}]}',
      {},
    ],
    ['{"query":{"range":{"title.raw":{"gte":"2026-03-05"}}}}', { [IN_TEXTS]: 1 }],
    [
      '{"query":{"range":{"@timestamp":{"gte":"05/03/2026","format":"dd/MM/yyyy"}}}}',
      { 'in @timestamp, in another notation': 1 },
    ],
    [
      '{"query":{"range":{"@timestamp":{"gte":"2026.05.03","format":"yyyy.dd.MM"}}}}',
      { 'in @timestamp, in another notation': 1 },
    ],
  ])('nothing moves in %s, and dates are counted', (written, kept) => {
    const { body, account } = search(written);
    expect(body).toBe(written);
    expect(account).toEqual({ moved: 0, kept });
  });

  test('the searches of an _msearch move', () => {
    const { body } = moved(
      'POST',
      '/_msearch',
      '{"index":"shop"}\n{"query":{"range":{"@timestamp":{"gte":"2026-03-05"}}}}\n',
    );
    expect(body).toBe('{"index":"shop"}\n{"query":{"range":{"@timestamp":{"gte":"2026-03-06"}}}}\n');
  });

  test.each<[written: string, moved: string | null, count: number, kept: number]>([
    // The bounds of ranges, terms and phrases move, also with escapes.
    ['@timestamp:[2026-03-05 TO 2026-03-07}', '@timestamp:[2026-03-06 TO 2026-03-08}', 2, 0],
    [
      'title:a AND -time:{"2026-03-05T10:00:00Z" TO now-1d/d] OR x',
      'title:a AND -time:{"2026-03-06T10:00:00Z" TO now-1d/d] OR x',
      1,
      0,
    ],
    [
      '@timestamp:>=2026-03-05 seen:[1772705700000 TO *]',
      '@timestamp:>=2026-03-06 seen:[1772792100000 TO *]',
      2,
      0,
    ],
    [
      String.raw`@timestamp:<2026\-03\-05T10\:00\:00Z`,
      String.raw`@timestamp:<2026\-03\-06T10\:00\:00Z`,
      1,
      0,
    ],
    ['@timestamp:("2026-03-05" OR 2026-03-07||+1d)', '@timestamp:("2026-03-06" OR 2026-03-08||+1d)', 2, 0],
    // All other values stay: of other fields and of default fields, in phrases and in regular expressions.
    ['2026-03-05 title:[2026-03-05 TO *] my-time:2026-03-05', null, 0, 3],
    ['title:"@timestamp:[2026-03-05 TO *]" OR /time:2026-03-05/', null, 0, 2],
    ['@timestamp:2026-03-05* http://host/2026/03/05 german:05.03.2026', null, 0, 2],
    // The text between the slashes is a regular expression.
    ['a/b time:2026-03-05 c/d', null, 0, 1],
    [String.raw`title\ @timestamp:2026-03-05 time\:2026-03-05`, null, 0, 2],
  ])('in the query string %s, only values of date fields move', (written, expected, count, kept) => {
    const inBody = (query: string): string =>
      JSON.stringify({ query: { bool: { must: [{ query_string: { query } }] } } });
    const { body, account } = search(inBody(written));
    expect(body).toBe(inBody(expected ?? written));
    expect([account.moved, account.kept[IN_TEXTS] ?? 0]).toEqual([count, kept]);
    const shift = new TimeShift(timeFieldsOf(MAPPING));
    expect(shift.moved(trafficKind('POST', '/shop/_search'), inBody(written), DAY)).toBe(body);
    const parameters = (query: string): string => `size=0&q=${encodeURIComponent(query)}`;
    expect(shift.movedParameters(parameters(written), DAY)).toBe(parameters(expected ?? written));
  });

  const inLanguage = (path: string, query: string, account?: TimeAccount): string => {
    const shift = new TimeShift(timeFieldsOf(MAPPING), account);
    const body = shift.moved(trafficKind('POST', path), JSON.stringify({ query }), DAY);
    return (JSON.parse(body) as { query: string }).query;
  };

  test.each([
    [
      '/_query',
      'FROM a | WHERE @timestamp >= "2026-03-05T10:00:00Z" AND title == "2026-03-05" | EVAL b = 1 | WHERE "2026-03-05" < `order.created`',
      'FROM a | WHERE @timestamp >= "2026-03-06T10:00:00Z" AND title == "2026-03-05" | EVAL b = 1 | WHERE "2026-03-06" < `order.created`',
      1,
    ],
    [
      '/_sql',
      `SELECT title FROM a WHERE "@timestamp" BETWEEN '2026-03-05' AND '2026-03-07' AND title LIKE '2026-03-05'`,
      `SELECT title FROM a WHERE "@timestamp" BETWEEN '2026-03-06' AND '2026-03-08' AND title LIKE '2026-03-05'`,
      1,
    ],
    [
      '/a/_eql/search',
      'any where time > "2026-03-05" and title == "2026-03-05"',
      'any where time > "2026-03-06" and title == "2026-03-05"',
      1,
    ],
  ])('in %s, the literals that %s compares with date fields move', (path, written, expected, kept) => {
    const account = noTimes();
    expect(inLanguage(path, written, account)).toBe(expected);
    expect(account.kept).toEqual({ [IN_TEXTS]: kept });
    expect(inLanguage(path, written)).toBe(expected);
  });

  test.each([
    // The field of one of the dates is unknown. If the others moved, the time range would change.
    ['/_query', 'FROM a | WHERE time >= TO_DATETIME("2026-03-05") AND time < "2026-03-06"'],
    ['/_sql', `SELECT title FROM a WHERE time >= CAST('2026-03-05' AS DATE) AND time < '2026-03-06'`],
    ['/_query', `FROM a | WHERE time IN (${Array.from({ length: 60 }, () => '"2026-03-05"').join(', ')})`],
    // OpenSearch reads double quotes in SQL as texts.
    ['/_plugins/_sql', `SELECT title FROM a WHERE time >= "2026-03-05" AND time < '2026-03-06'`],
    // The name is that of a new column, or may be one.
    ['/_query', 'FROM a | EVAL time = title | WHERE time == "2026-03-05"'],
    ['/_query', 'FROM a | RENAME title AS `time` | WHERE time == "2026-03-05"'],
    ['/_query', 'FROM a | GROK title "%{WORD:time}" | WHERE time == "2026-03-05"'],
    ['/_query', 'FROM a | LOOKUP JOIN b ON title | WHERE time == "2026-03-05"'],
    ['/_sql', `SELECT * FROM (SELECT title AS time FROM a) WHERE time = '2026-03-05'`],
    ['/_plugins/_ppl', `source=a | eval time=title | where time = '2026-03-05'`],
    // The literal is a part of a calculation, or only looks like code.
    ['/_query', 'FROM a | WHERE DATE_FORMAT("yyyy-MM-dd", time) == "2026-03-05"'],
    ['/_query', 'FROM a | WHERE title == "time > \\"2026-03-05\\""'],
    ['/_query', 'FROM a | WHERE time > "2026-03-05T00:00:00Z and more"'],
    ['/_sql', `SELECT * FROM a WHERE title = 'time > ''2026-03-05'''`],
    // A replay leaves out queries with comments.
    ['/_query', 'FROM a /* b */ | WHERE time > "2026-03-05"'],
    ['/_query', 'FROM a | WHERE time > "2026-03-05'],
  ])('in %s, nothing moves in %s', (path, query) => {
    expect(inLanguage(path, query)).toBe(query);
  });

  test('a query of a field with the name query_string stays', () => {
    const body = '{"query":{"match_phrase_prefix":{"query_string":{"query":"time:2026-03-05"}}}}';
    expect(search(body).body).toBe(body);
  });

  test.each(['q=time:%5B2026-03-05+TO+*%5D', 'q=time:[2026-03-05 TO *]'])('%s moves', (written) => {
    const moved = new TimeShift(timeFieldsOf(MAPPING)).movedParameters(written, DAY);
    expect(decodeURIComponent(moved)).toBe('q=time:[2026-03-06 TO *]');
  });

  test('dates in other parameters of the URL are counted', () => {
    const account = noTimes();
    const shift = new TimeShift(timeFieldsOf(MAPPING), account);
    const parameters = 'preference=2026-03-05T10%3A00&q=%zz,2026-03-05';
    expect(shift.movedParameters(parameters, DAY)).toBe(parameters);
    expect(account).toEqual({ moved: 0, kept: { [IN_TEXTS]: 2 } });
  });

  test.each([
    '',
    'no JSON',
    '{"@timestamp":',
    '{"@timestamp":20a6}',
    '[',
    '{"query":{"range":{"@timestamp":{"gte":',
  ])('the malformed body %s stays', (written) => {
    expect(search(written).body).toBe(written);
    expect(moved('PUT', '/shop/_doc/1', written).body).toBe(written);
  });
});
