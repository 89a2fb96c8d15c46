import { nameShape, readRequest } from './shape';

const request = (line: string, text: string | null = null, contentType = 'application/json') => {
  const [method, target] = line.split(' ') as [string, string];
  const [path, query = ''] = target.split('?', 2) as [string, string?];
  return readRequest({
    method,
    path,
    query,
    contentType,
    body: text === null ? null : new TextEncoder().encode(text),
  });
};
const shape = (line: string, text: string | null = null): string => {
  const { method, path, body } = request(line, text).shape;
  return `${method} ${path} ${body}`.trim();
};

test.each([
  ['logs-2026.11.27', 'logs-{date}'],
  ['logs-2026.11.27-000001', 'logs-{date}-{number}'],
  ['.ds-logs-app-default-2026.11.27-000012', '.ds-logs-app-default-{date}-{number}'],
  ['logs-2026-11', 'logs-{date}'],
  ['logs-2026.w48', 'logs-{date}'],
  ['logs_20261127', 'logs_{date}'],
  ['logs-2026.11.27.13', 'logs-{date}'],
  ['logs-2026.*', 'logs-{date}.*'],
  ['shop-v2', 'shop-v2'],
  ['shop', 'shop'],
  ['tenant_1234_events', 'tenant_{number}_events'],
  ['tenant1234', 'tenant{number}'],
  ['.kibana_8.15.0_001', '.kibana_{number}_{number}'],
  ['copy-3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'copy-{id}'],
  ['<logs-{now/d-1d}>', '<logs-{now/d-1d}>'],
  ['*', '*'],
])('the shape of the index %s is %s', (name, expected) => {
  expect(nameShape(name)).toBe(expected);
});

test.each([
  ['GET /logs-2026.11.26,logs-2026.11.27/_search', 'GET /logs-{date}/_search'],
  ['GET /shop/_doc/a%2Fb', 'GET /shop/_doc/{id}'],
  ['PUT /shop/_doc/_x', 'PUT /shop/_doc/{id}'],
  ['GET /_search/scroll/DXF1ZXJ5QW5k', 'GET /_search/scroll/{id}'],
  ['GET /_all/_search?pretty&size=3&q=a', 'GET /_all/_search?q&size'],
  ['PUT /shop/_doc/1?refresh=wait_for&routing=8', 'PUT /shop/_doc/{id}?refresh=wait_for&routing'],
  ['GET /', 'GET /'],
  ['GET /shop/_mvt/place/13/4207/2692', 'GET /shop/_mvt/place/{number}/{number}/{number}'],
  [
    'GET /_async_search/FmRldE8zREVEUzA2ZVpUeGs2ejJFUFEaMkZ5QTVrSTZSaVN3WlNFVmtlWHJsdzoxMDc=',
    'GET /_async_search/{id}',
  ],
  ['GET /%E0%A4%A/_search', 'GET /%E0%A4%A/_search'],
])('the shape of %s is %s', (line, expected) => {
  expect(shape(line)).toBe(expected);
});

test('searches that differ in values, in the order of keys and in the length of lists have the same shape', () => {
  const one = shape(
    'POST /shop/_search',
    '{"size":10,"query":{"bool":{"filter":[{"term":{"status":"new"}},{"range":{"at":{"gte":"2026-11-01"}}}]}}}',
  );
  const other = shape(
    'POST /shop/_search',
    '{"query":{"bool":{"filter":[{"range":{"at":{"gte":"now-1d/d"}}},{"term":{"status":"old"}},{"term":{"status":"x"}}]}},"size":0}',
  );
  expect(one).toBe(
    'POST /shop/_search {query: {bool: {filter: [{range: {at: {gte: date}}}, {term: {status: text}}]}}, size: number}',
  );
  expect(other).toBe(one);
});

test('names of fields belong to the shape, also where they are values', () => {
  const fields = (field: string): string =>
    shape(
      'POST /shop/_search',
      `{"aggs":{"a":{"terms":{"field":"${field}"}}},"sort":["${field}",{"_id":"asc"}]}`,
    );
  expect(fields('brand')).toContain('terms: {field: brand}');
  expect(fields('brand')).toContain('sort: [brand, {_id: text}]');
  expect(fields('brand')).not.toBe(fields('colour'));
  expect(
    shape('POST /a/_search', '{"query":{"multi_match":{"query":"x","fields":["title^3","text"]}}}'),
  ).toContain('fields: [text, title]');
});

test('keys that are ids or dates are values', () => {
  const keys = (one: string): string =>
    shape('POST /a/_search', `{"aggs":{"f":{"filters":{"filters":{"${one}":{"match_all":{}}}}}}}`);
  expect(keys('2026-11-27')).toBe(keys('2026-11-28'));
});

test('the shape of a bulk is its actions with their indices, and its documents are counted', () => {
  const {
    shape: own,
    documents,
    indices,
  } = request(
    'POST /_bulk',
    [
      '{"index":{"_index":"logs-2026.11.27","_id":"1"}}',
      '{"delete":{"message":"a document that looks like an action"}}',
      '{"create":{"_index":"logs-2026.11.28"}}',
      '{"a":1}',
      '',
      '{"delete":{"_index":"shop","_id":"2"}}',
      '{"update":{"_index":"shop","_id":"3"}}',
      '{"doc":{"a":2}}',
      '',
    ].join('\n'),
    'application/x-ndjson',
  );
  expect(own.body).toBe('create logs-{date}, delete shop, index logs-{date}, update shop');
  expect(documents).toBe(4);
  expect(indices).toEqual(['logs-2026.11.27', 'logs-2026.11.28', 'shop']);
});

test('an _msearch has the set of its searches as shape, and names their indices', () => {
  const { shape: own, indices } = request(
    'GET /_msearch',
    '{"index":"shop"}\n{"query":{"term":{"a":"1"}}}\n{"index":["logs-1","logs-2"]}\n{"size":1}\n{"index":"shop"}\n{"query":{"term":{"a":"2"}}}\n',
  );
  expect(own.body).toBe('{index: [logs-{number}]} {size: number} {index: shop} {query: {term: {a: text}}}');
  expect(indices).toEqual(['shop', 'logs-1', 'logs-2']);
});

test('a query in ES|QL keeps its text without literals, and names its indices', () => {
  const { shape: own, indices } = request(
    'POST /_query',
    '{"query":"FROM logs-a, logs-b\\n| WHERE status == 404 AND host IN (\\"x\\", \\"y\\") | LIMIT 10"}',
  );
  expect(own.body).toBe('FROM logs-a, logs-b | WHERE status == ? AND host IN (?) | LIMIT ?');
  expect(indices).toEqual(['logs-a', 'logs-b']);
});

test('bodies that are not JSON have a shape too', () => {
  expect(request('POST /shop/_search', '{"query":').shape.body).toBe('text');
  expect(request('POST /shop/_search', '\u0001\u0002', 'application/cbor').shape.body).toBe('binary');
  expect(request('POST /shop/_doc', '{"a":1}')).toMatchObject({ shape: { body: 'document' }, documents: 1 });
  expect(request('POST /shop/_update/1', '{"doc":{"a":1},"doc_as_upsert":true}').shape.body).toBe(
    '{doc: document, doc_as_upsert: boolean}',
  );
});

test('a huge or deep body has a shape of limited length', () => {
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`field-x${at}y`, at]));
  expect(request('POST /a/_search', JSON.stringify(wide)).shape.body.length).toBeLessThan(2100);
  const deep = `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`;
  expect(request('POST /a/_search', deep).shape.body).toContain('…');
});

test('names that are long or made to be slow to match need little time', () => {
  const began = performance.now();
  for (const name of [
    '-'.repeat(50_000),
    '1.'.repeat(50_000) + 'a',
    'a1-'.repeat(30_000),
    'aA1'.repeat(30_000),
  ]) {
    const keys = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${name}${at}x`, 1]));
    request(`GET /${name}/_search?${name}`, JSON.stringify({ ...keys, index: name, query: name }));
    request('POST /_query', JSON.stringify({ query: `FROM ${name}` }));
  }
  expect(performance.now() - began).toBeLessThan(3000);
});
