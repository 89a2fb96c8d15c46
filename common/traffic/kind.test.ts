import { trafficKind } from './kind';

const named = (request: string): string => {
  const [method, path] = request.split(' ') as [string, string];
  const { name, effect, indices, id } = trafficKind(method, path);
  return [name, effect, indices.join('+'), id].filter(Boolean).join(' ');
};

test.each([
  ['GET /', 'ping read'],
  ['HEAD /shop', 'index-exists read shop'],
  ['POST /shop/_search', 'search read shop'],
  ['POST /shop,logs-*/_search', 'search read shop+logs-*'],
  ['GET /%3Cshop-%7Bnow%2Fd%7D%3E/_search', 'search read <shop-{now/d}>'],
  ['GET /_search', 'search read'],
  ['GET /_all/_search', 'search read _all'],
  ['POST /_bulk', 'bulk write'],
  ['GET /shop/_doc/1', 'get read shop 1'],
  ['GET /shop/_source/1', 'get-source read shop 1'],
  ['PUT /shop/_doc/a%2Fb', 'index write shop a/b'],
  ['POST /shop/_doc', 'index write shop'],
  ['DELETE /shop/_doc/1', 'delete write shop 1'],
  ['POST /shop/_update/1', 'update write shop 1'],
  ['POST /_search/scroll', 'scroll context'],
  ['GET /_search/scroll/abc', 'scroll context'],
  ['DELETE /_search/scroll', 'close-scroll context'],
  ['POST /shop/_pit', 'open-point-in-time context shop'],
  ['POST /shop/_search/point_in_time', 'open-point-in-time context shop'],
  ['DELETE /_pit', 'close-point-in-time context'],
  ['DELETE /shop', 'index-administration other shop'],
  ['PUT /shop/_mapping', 'index-administration other shop'],
  ['GET /_cluster/health', 'cluster other'],
  ['POST /_security/user/a', 'security other'],
  ['GET /_cat/indices', 'statistics other'],
  ['DELETE /shop/_search', 'unknown other shop'],
  ['GET /%E0%A4%A/_search', 'search read %E0%A4%A'],
  ['GET /shop/_doc/_search', 'search read shop'],
  ['GET /shop/product/_search', 'search read shop'],
  ['POST /_render/template', 'render-template read'],
  ['PUT /shop/_doc/_x', 'index write shop _x'],
  ['PUT /shop/_doc/_3pVdpkBQ_mx1Zq8w2L', 'index write shop _3pVdpkBQ_mx1Zq8w2L'],
])('%s is %s', (request, expected) => {
  expect(named(request)).toBe(expected);
});

// Elasticsearch 7 has APIs with a mapping type in their path. Their bodies name indices, or they change the set-up.
test.each([
  ...[
    'POST /shop/_doc/_bulk',
    'PUT /shop/_create/_bulk',
    'POST /shop/_update/_bulk',
    'PUT /shop/_doc/%5Fbulk',
  ],
  ...[
    'POST /shop/product/_bulk',
    'POST /shop/_doc/_msearch',
    'POST /shop/_doc/_mget',
    'GET /shop/_doc/_mget',
  ],
  ...['PUT /shop/_doc/_mapping', 'POST /shop/_doc/_update_by_query', 'POST /shop/_doc/_delete_by_query'],
  ...['PUT /shop/product/1', 'POST /shop/_doc/1/_update', 'POST /shop/_doc/_msearch/template'],
  ...['GET /shop/_cache/_search', 'POST /_search/scroll/_bulk', 'POST /shop/_termvectors/_bulk'],
])('%s is left out, because its last part is an API or a type', (request) => {
  expect(named(request)).toMatch(/ other/);
});

test.each([
  ...['POST //_bulk', 'PUT /shop//_doc/1', 'PUT /shop/_doc/..', 'PUT /shop/_doc/../../prod/_doc/1'],
  ...['PUT /shop/_doc/..%2F..%2Fprod%2F_doc%2F1', 'PUT /shop/_doc/%2e%2E', 'PUT /shop/_doc/a%252F..%252Fb'],
  ...['PUT /shop/_doc/%252525252525252525252e%2e', 'PUT /shop/_doc/..%5C', 'GET /shop/../_search'],
  ...['PUT /shop/_doc/1?pipeline=x', 'PUT /shop/_doc/1#x', 'PUT /shop/_doc/č', 'PUT /shop/_doc/1\r\nX:y'],
])('%j is left out, because its path can be read in several ways', (request) => {
  const [method, path] = request.split(' ') as [string, string];
  expect(trafficKind(method, path).why).toBe('its path can be read in several ways');
});

test('a request that is left out has a reason', () => {
  expect(trafficKind('DELETE', '/shop').why).toBe('it creates, reads or deletes an index');
  expect(trafficKind('GET', '/_sparkle').why).toBe('Dyno does not know GET _sparkle');
  expect(trafficKind('POST', '/shop/_doc/_bulk').why).toBe('Dyno does not know POST _doc/_bulk');
});
