import { asElasticsearchClient } from './elasticsearch';
import type { KibanaElasticsearchClient, TransportOptions, TransportRequest } from './sdk';

type Request = KibanaElasticsearchClient['transport']['request'];

const failure = (name: string, more: object = {}): Error => Object.assign(new Error(name), { name, ...more });

const clientOf = (request: Request) => asElasticsearchClient({ transport: { request } });

test('a string is sent as NDJSON, an object as JSON, and no request is sent twice', async () => {
  const seen: [TransportRequest, TransportOptions][] = [];
  const client = clientOf((request, options) => {
    seen.push([request, options]);
    return Promise.resolve({ statusCode: 200, body: { ok: true } });
  });
  await client.request({ method: 'POST', path: '/_bulk', body: '{}\n' });
  await client.request({
    method: 'POST',
    path: '/a/_search',
    query: { q: 1 },
    body: { size: 0 },
    timeoutMs: 5,
  });
  expect(seen.map(([request]) => request)).toEqual([
    { method: 'POST', path: '/_bulk', bulkBody: '{}\n' },
    { method: 'POST', path: '/a/_search', querystring: { q: 1 }, body: { size: 0 } },
  ]);
  expect(seen.map(([, options]) => options)).toEqual([
    { meta: true, maxRetries: 0, requestTimeout: 30_000, maxResponseSize: expect.any(Number) },
    { meta: true, maxRetries: 0, requestTimeout: 5, maxResponseSize: expect.any(Number) },
  ]);
});

test('an error with a response is returned as a response', async () => {
  const meta = { statusCode: 404, body: { error: { type: 'index_not_found_exception' } } };
  const client = clientOf(() => Promise.reject(failure('ResponseError', { meta })));
  expect(await client.request({ method: 'GET', path: '/none' })).toEqual({ status: 404, body: meta.body });
});

test.each([
  ['TimeoutError', 'elasticsearch.timeout'],
  ['ConnectionError', 'elasticsearch.unreachable'],
  ['NoLivingConnectionsError', 'elasticsearch.unreachable'],
])('%s is %s', async (name, code) => {
  const client = clientOf(() => Promise.reject(failure(name, { meta: { statusCode: null } })));
  await expect(client.request({ method: 'GET', path: '/' })).rejects.toMatchObject({ code });
});

test('an answer beyond its size limit, which the client stops, is reported as such', async () => {
  const beyond = 'The content length (1234567890) is bigger than the maximum allowed buffer (42)';
  const client = clientOf(() =>
    Promise.reject(Object.assign(new Error(beyond), { name: 'RequestAbortedError' })),
  );
  await expect(client.request({ method: 'GET', path: '/' })).rejects.toMatchObject({
    code: 'elasticsearch.too-large',
  });
});

test('an aborted request rejects with the reason', async () => {
  const abort = new AbortController();
  const reason = new Error('enough');
  const client = clientOf(() => {
    abort.abort(reason);
    return Promise.reject(failure('RequestAbortedError'));
  });
  await expect(client.request({ method: 'GET', path: '/', signal: abort.signal })).rejects.toBe(reason);
});
