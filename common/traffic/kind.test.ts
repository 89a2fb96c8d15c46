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
])('%s is %s', (request, expected) => {
  expect(named(request)).toBe(expected);
});

test('a request that is left out has a reason', () => {
  expect(trafficKind('DELETE', '/shop').why).toBe('it creates, reads or deletes an index');
  expect(trafficKind('GET', '/_sparkle').why).toBe('Dyno does not know GET _sparkle');
});
