/** Tests positions in queries at which values of users may be hidden. */
import { maskAll, one, search, store, SUCCESS, two, type Masked, type Sent } from './testing/mask-all';

const esql = (query: string, more: Partial<Sent> = {}): Sent => ({
  path: '/_query',
  body: { query },
  ...more,
});
const eql = (query: string, more: Partial<Sent> = {}): Sent => ({
  path: '/shop/_eql/search',
  body: { query },
  ...more,
});
const sql = (query: string, more: Partial<Sent> = {}): Sent => ({ path: '/_sql', body: { query }, ...more });
const openSearchSql = (query: string): Sent => ({ path: '/_plugins/_sql', body: { query }, answer: SUCCESS });

/** Masks a request that follows a document with the fields city, price and day. */
const afterDocument = (sent: Sent): Masked | string =>
  maskAll([store({ city: 'Berlin', price: 250, day: '2026-03-05', user: { name: 'Eva' } }), sent]).masked[1]!;
const textOf = (sent: Sent): string => {
  const masked = afterDocument(sent);
  return typeof masked === 'string' ? `dropped: ${masked}` : masked.text;
};

describe('query languages', () => {
  test.each([
    ['PPL, whose bare words can be texts', { path: '/_plugins/_ppl', body: { query: 'source=shop Smith' } }],
    ['a quote without an end', esql('FROM shop | WHERE city == "Smith')],
    ['a quote without an end in SQL', sql("SELECT city FROM shop WHERE city = 'Smith", { answer: SUCCESS })],
    ['a text without quotes', esql('FROM shop | WHERE city == Smith')],
    ['two texts without quotes', sql('SELECT city FROM shop WHERE city = Smith Jones')],
    ['a text without quotes in EQL', eql('any where city == Smith')],
    ['characters that are no tokens', esql('FROM shop | WHERE city == §Smith§', { answer: SUCCESS })],
    ['a name that contains other characters', esql('FROM shop | KEEP `Smith (Jones)`', { answer: SUCCESS })],
    ['an escaped letter', eql(String.raw`any where city == "S\u006dith"`, { answer: SUCCESS })],
    ['a backslash in SQL', openSearchSql(String.raw`SELECT city FROM shop WHERE city = "a\"Smith"`)],
    ['a sub-query that a replay does not understand', esql('FROM shop | ENRICH Smith', { answer: SUCCESS })],
    ['a comment without an end', esql('FROM shop | LIMIT 3 /* Smith', { answer: SUCCESS })],
    ['no condition in EQL', eql('Smith', { answer: SUCCESS })],
    ['a long limit', esql('FROM shop | LIMIT 4711234', { answer: SUCCESS })],
    ['a query that is not a text', { path: '/_sql', body: { query: { Smith: 1 } } }],
  ])('drops a request with %s', (_, sent) => {
    expect(textOf(sent)).toMatch(/^dropped: /);
    expect(textOf(sent)).not.toMatch(/Smith|Jones/);
  });

  test('texts in double quotes are masked where they are texts', () => {
    const text = textOf(openSearchSql('SELECT city FROM shop WHERE city = "Smith" AND price > 250'));
    expect(text).toMatch(/WHERE city = \\"[A-Z][a-z]{4}\\" AND price > \d+"/);
    expect(text).not.toMatch(/Smith|250/);
    const event = textOf(eql(`any where city == 'Smith' or city : ("Jones", "Smith*")`, { answer: SUCCESS }));
    expect(event).not.toMatch(/^dropped|Smith|Jones/);
  });

  test('known fields and words of the language stay, also without an answer', () => {
    const [city, price] = [/^[A-Z][a-z]{5}$/, /^\d+$/];
    const masked = afterDocument(
      esql('FROM shop | WHERE city == "Berlin" AND price > 250 | STATS AVG(price) BY user.name | LIMIT 10'),
    ) as Masked;
    const [, text, number] =
      /^FROM shop \| WHERE city == "(.*)" AND price > (.*) \| STATS AVG\(price\) BY user\.name \| LIMIT 10$/.exec(
        masked.body.query as string,
      )!;
    expect(text).toMatch(city);
    expect(number).toMatch(price);
  });

  test('names that a query defines are masked alike everywhere', () => {
    const { body } = afterDocument(
      esql('FROM shop | EVAL smith = price * 2 | WHERE smith > 3 | RENAME city AS jones | KEEP jones', {
        answer: SUCCESS,
      }),
    ) as Masked;
    expect(body.query).toMatch(
      /^FROM shop \| EVAL ([a-z]{5}) = price \* 2 \| WHERE \1 > \d+ \| RENAME city AS ([a-z]{5}) \| KEEP \2$/,
    );
    expect(body.query).not.toMatch(/smith|jones/);
    const names = afterDocument(
      sql("SELECT s.price AS smith FROM shop s WHERE s.city = 'x'", { answer: SUCCESS }),
    );
    expect((names as Masked).body.query).toMatch(
      /^SELECT ([a-z])\.price AS ([a-z]{5}) FROM shop \1 WHERE \1\.city = '[a-z]'$/,
    );
  });

  test('names of fields that only an executed query has stay', () => {
    const query = 'FROM shop | WHERE host.os == "x" | LIMIT 5';
    expect(textOf(esql(query, { answer: SUCCESS }))).toContain('WHERE host.os == ');
    expect(textOf(esql(query))).toMatch(/^dropped/);
    expect(textOf(esql(query, { answer: { ...SUCCESS, status: 400 } }))).toMatch(/^dropped/);
  });

  test('the category of events in EQL is masked like a text', () => {
    const { body } = afterDocument(
      eql('sequence by user.name with maxspan=1h [smith where price > 3] [any where true]', {
        answer: SUCCESS,
      }),
    ) as Masked;
    expect(body.query).toMatch(
      /^sequence by user\.name with maxspan=1h \[[a-z]{5} where price > \d+\] \[any where true\]$/,
    );
    expect(body.query).not.toContain('smith');
  });

  test('long numbers that are compared with no field are masked, short ones and units of time stay', () => {
    const text = textOf(
      esql('FROM shop | EVAL x = ABS(price) / 1000 + 0.5 | WHERE ABS(price) > 4711234 AND price + 12 > 3', {
        answer: SUCCESS,
      }),
    );
    expect(text).not.toContain('4711234');
    expect(text).toMatch(/\/ 1000 \+ 0\.5 .*\+ 12/);
    const { params } = (
      afterDocument({
        path: '/_query',
        body: { query: 'FROM shop | WHERE ABS(price) > ? | STATS BUCKET(price, ?)', params: [4_711_234, 20] },
      }) as Masked
    ).body;
    expect(params).toEqual([expect.not.stringMatching('4711234'), 20]);
    expect(params[0]).not.toBe(4_711_234);
  });
});

describe('query strings', () => {
  const syntax = (query: string): string => {
    const [, byBody, byUrl] = maskAll([
      store({ city: 'Berlin', host: { name: 'x' } }),
      search({ query_string: { query } }),
      { path: '/shop/_search', query: `q=${encodeURIComponent(query)}`, method: 'GET' },
    ]).masked as [Masked, Masked, Masked];
    const text = byBody.body.query.query_string.query as string;
    expect(new URLSearchParams(byUrl.query).get('q')).toBe(text);
    return text;
  };

  test('only known fields stay before a colon', () => {
    expect(syntax('city:x AND host.name:y')).toMatch(/^city:\w AND host\.name:\w$/);
    expect(syntax('city.keyword:x AND _exists_:city')).toMatch(/^city\.keyword:\w AND _exists_:city$/);
    expect(syntax('host.*:x')).toMatch(/^host\.\*:\w$/);
    expect(syntax('http://smith/jones')).toMatch(/^[a-z]{4}:\/\/[a-z]{5}\/[a-z]{5}$/);
    for (const query of [
      'http://smith/jones',
      'smith:jones',
      'smith\\ x:jones',
      'city.smith:jones',
      'smi*:jones',
      '_exists_:smith',
      '_smith:jones',
      'smith:(jones OR city:jones)',
      'smith:[jones TO smith]',
    ])
      expect(syntax(query)).not.toMatch(/http|smi|jones/);
  });

  test('long boosts and slops are masked, because they can be numbers of a text', () => {
    expect(syntax('x^2 y~1 "a b"~10')).toMatch(/^\w\^2 \w~1 "\w \w"~10$/);
    expect(syntax('x^4711234 y~4711234')).not.toContain('4711234');
  });
});

describe('search_after', () => {
  const after = (body: object, query = ''): unknown =>
    (
      two(store({ price: 4_711_234, day: '2026-03-05', city: 'Berlin' }), {
        ...{ path: '/shop/_search', query },
        body: { query: { match_all: {} }, ...body },
      })[1] as Masked
    ).body.search_after;
  const [{ body: document }] = two(
    store({ price: 4_711_234, day: '2026-03-05', city: 'Berlin' }),
    search({}),
  );

  test('each value is masked like the field of its sort key', () => {
    const values = [4_711_234, 'Berlin', 7];
    const masked = [document.price, document.city, 7];
    expect(after({ sort: [{ price: 'asc' }, { city: 'asc' }, '_shard_doc'], search_after: values })).toEqual(
      masked,
    );
    expect(after({ sort: { price: 'asc', city: 'asc', _doc: 'asc' }, search_after: values })).toEqual(masked);
    expect(after({ search_after: values }, 'sort=price:desc,city,_doc')).toEqual(masked);
    expect(after({ pit: { id: 'x' }, sort: 'price', search_after: [4_711_234, 7] })).toEqual([
      document.price,
      7,
    ]);
  });

  test.each([
    ['without a sort', {}, ''],
    ['with a sort in the URL and in the body', { sort: ['price'] }, 'sort=city'],
    ['by a score', { sort: ['_score'] }, ''],
    ['by a script', { sort: { _script: { type: 'number', script: '1', order: 'asc' } } }, ''],
    ['by a distance', { sort: { _geo_distance: { place: '1.5,2.5', order: 'asc' } } }, ''],
    ['with fewer keys than values', { sort: [] }, ''],
    ['with more keys than values', { sort: ['price', 'city'] }, ''],
  ])('values %s are removed', (_, body, query) => {
    expect(after({ ...body, search_after: [4_711_234] }, query)).toBeUndefined();
  });
});

describe('scripts', () => {
  const scripted = (source: string, params?: object): Sent => ({
    path: '/shop/_update/1',
    body: { script: { source, params } },
  });

  test.each([
    ['a regular expression', 'if (doc.city.value =~ /Smith/) { return 1 }'],
    ['a regular expression after return', 'return /Smith/.matcher(x).matches()'],
    ['variables of a template', 'doc.price.value > {{Smith}}'],
    ['words without quotes', 'Smith Jones'],
    ['a name beside a number', 'Smith 4711234'],
    ['a quote without an end', "ctx._source.city = 'Smith"],
  ])('a script with %s drops the request', (_, source) => {
    expect(textOf(scripted(source))).toBe('dropped: Dyno does not understand a script');
  });

  test('texts stay only where they are known fields or parameters', () => {
    const text = textOf(
      scripted(
        "ctx._source.put('Smith', 1); ctx._source.remove('city'); ctx._source.tags.remove('Smith'); " +
          "def a = params.get('city_name'); a = params['Smith']; a = m.get('Smith'); a = doc['Smith'].value + doc['price'].value; ctx.op = 'noop'",
        { city_name: 'x' },
      ),
    );
    expect(text).not.toContain('Smith');
    expect(text).toContain("remove('city')");
    expect(text).toContain("params.get('city_name')");
    expect(text).toContain("doc['price']");
    expect(text).toContain("ctx.op = 'noop'");
    expect(text).toMatch(/"params":\{"city_name":"[a-z]"\}/);
  });

  test('long numbers are masked, short ones and units of time stay', () => {
    const text = textOf(scripted('if (doc.price.value > 4711234L) { return x / 1000 + 12 }'));
    expect(text).not.toContain('4711234');
    expect(text).toMatch(/> \d+L\).*x \/ 1000 \+ 12/);
  });

  test('keys within parameters are masked unless they are names of fields', () => {
    const { params } = (
      afterDocument(
        scripted('x', {
          item: { city: 'Bonn', Smith: 'Jones' },
          rows: [{ Smith: 4_711_234 }],
          'Eva Smith': 1,
        }),
      ) as Masked
    ).body.script;
    expect(JSON.stringify(params)).not.toMatch(/Smith|Jones|Bonn|Eva|4711234/);
    expect(Object.keys(params.item as object)[0]).toBe('city');
    expect(Object.keys(params as object)).toEqual(['item', 'rows']);
  });
});

test('date math with other text is removed or masked', () => {
  const range = (gte: string): unknown =>
    (afterDocument(search({ range: { day: { gte } } })) as Masked).body.query.range.day.gte;
  expect(range('2026-03-05||-1M/d')).toMatch(/^\d{4}-\d\d-\d\d\|\|-1M\/d$/);
  for (const text of [
    '2026-03-05||/d and Smith',
    '2026-03-05 Smith||/d',
    '2026-03-05Smith||/d',
    '2026-03 Smith||/d',
    '2026-03-05 Smith',
    '2026-03-05||+4711234s',
    'now-4711234s',
  ])
    expect(String(range(text))).not.toMatch(/Smith|4711234|2026-03-05/);
});

test('names of aggregations are masked alike where paths and orders use them', () => {
  const { body, text } = one({
    path: '/shop/_search',
    body: {
      aggs: {
        _smith: {
          terms: {
            field: 'city',
            order: [{ 'jones>max.value': 'asc' }, { _key: 'asc' }, { '1.99': 'desc' }],
          },
          aggs: {
            jones: { filter: { match_all: {} }, aggs: { max: { max: { field: 'price' } } } },
            '1': { percentiles: { field: 'price', percents: [99] } },
            'eva.smith': { avg: { field: 'price' } },
            a: { bucket_script: { buckets_path: { x: 'eva.smith', y: '_count' }, script: 'params.x' } },
            b: { bucket_sort: { sort: [{ 'eva.smith': { order: 'desc' } }] } },
          },
        },
        total: { avg_bucket: { buckets_path: "_smith['Smith']>jones>max.value" } },
        other: { avg_bucket: { buckets_path: '_smith[Smith]>jones' } },
      },
    },
  });
  expect(text).not.toMatch(/smith|jones|eva/i);
  const [smith, total] = Object.keys(body.aggs as object);
  const { terms, aggs } = body.aggs[smith!];
  const [, jones, eva, a, b] = Object.keys(aggs as object);
  expect(terms.order).toEqual([{ [`${jones!}>max.value`]: 'asc' }, { _key: 'asc' }, { '1.99': 'desc' }]);
  expect(aggs[a!].bucket_script.buckets_path).toEqual({ x: eva, y: '_count' });
  expect(aggs[b!].bucket_sort.sort).toEqual([{ [eva!]: { order: 'desc' } }]);
  expect(body.aggs[total!].avg_bucket.buckets_path).toMatch(
    new RegExp(`^${smith!}\\['[A-Z][a-z]{4}'\\]>${jones!}>max\\.value$`),
  );
});

test('pages of templates keep only numbers of up to 10,000', () => {
  const { params } = one({
    path: '/_search/template',
    body: { id: 'find', params: { size: 10, from: 4_711_234, page: '4711234', limit: { Smith: 7 } } },
  }).body;
  expect(params.size).toBe(10);
  expect(JSON.stringify(params)).not.toMatch(/4711234|Smith/);
});

test('regular expressions that can spell a value drop the request, others keep their structure', () => {
  const regexp = (pattern: string): string => textOf(search({ regexp: { city: pattern } }));
  for (const pattern of [
    '[Ss]mith',
    's\\m\\i\\t\\h',
    '<4711234-4711235>',
    'x{4711234}',
    '[smith]',
    '[^smith]',
  ])
    expect(regexp(pattern)).toBe('dropped: a regular expression may contain a value in pieces');
  expect(regexp('smith-[0-9]{2,4}[a-zA-Z]+.*\\.[^/]?\\d')).toMatch(
    /"city":"[a-z]{5}-\[0-9\]\{2,4\}\[a-zA-Z\]\+\.\*\\\\\.\[\^\/\]\?\\\\d"/,
  );
});

test('types, encodings and errors of requests stay only if Elasticsearch knows them', () => {
  const record = (more: Partial<Sent>) => (one({ ...search({}), ...more }) as Masked).record;
  expect(record({ contentType: 'application/json; charset=UTF-8' }).contentType).toMatch('UTF-8');
  expect(textOf({ ...search({}), contentType: 'application/json; name=Smith' })).toMatch(/^dropped/);
  expect(record({ encoding: 'gzip, deflate' }).encoding).toBe('gzip, deflate');
  expect(record({ encoding: 'Smith' }).encoding).toBeUndefined();
  const facts = { error: 'Smith', result: 'Smith' };
  expect(record({ answer: { ...SUCCESS, facts } }).answer!.facts).toEqual({});
  expect(textOf({ ...search({}), path: '/shop/Smith/_search' })).toMatch(/^dropped/);
});
