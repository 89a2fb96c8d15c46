import { drawn, generic, typed } from './wire';

test('converts a request to the kind that sends exactly the same', () => {
  expect(
    typed({ method: 'GET', path: '/logs-*/_search', params: { request_cache: true }, body: { size: 0 } }),
  ).toEqual({
    kind: 'search',
    work: { method: 'GET', body: { size: 0 }, params: { request_cache: true } },
    target: 'logs-*',
  });
  expect(typed({ method: 'POST', path: '/_query', body: { query: 'FROM a', columnar: true } })).toEqual({
    kind: 'esql',
    work: { query: 'FROM a', body: { columnar: true } },
  });
  expect(typed({ method: 'POST', path: '/_sql', body: { query: 'SELECT 1' } })?.kind).toBe('sql');
});

test.each([
  ['with a header', { method: 'GET', path: '/a/_search', headers: { 'x-opaque-id': 'a' }, body: {} }],
  ['without a body', { method: 'GET', path: '/a/_search' }],
  ['of all indices by no name', { method: 'GET', path: '/_search', body: {} }],
  ['with a body that is a text', { method: 'POST', path: '/a/_search', body: '{}' }],
] as const)('a search %s becomes an http request', (_, wire) => {
  expect(typed(wire)).toBeUndefined();
});

test('escapes a literal {{ and writes placeholders as parameters', () => {
  const { work } = generic({
    method: 'POST',
    path: '/_render/template',
    body: { source: '{{a}}', params: drawn('p') },
  });
  expect(work).toEqual({
    method: 'POST',
    path: '/_render/template',
    body: { source: '{{{{a}}', params: '{{p}}' },
  });
});

test('a request that changes the cluster has allow-writes', () => {
  expect(generic({ method: 'PUT', path: '/new', body: { settings: {} } }).work).toMatchObject({
    'allow-writes': true,
  });
  expect(generic({ method: 'GET', path: '/_nodes/stats' }).work).toEqual({ path: '/_nodes/stats' });
});

test('writes a very large body as text', () => {
  const body = Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`field${at}`, { type: 'long' }]));
  expect(generic({ method: 'PUT', path: '/new', body }).work['body']).toBe(JSON.stringify(body));
});
