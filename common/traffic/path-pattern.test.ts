import { trafficKind } from './kind';
import { pathPattern } from './path-pattern';

test.each([
  ['GET /', 'GET /'],
  ['POST /shop/_search', 'POST /shop/_search'],
  ['POST /logs-2026.11.27,logs-2026.11.26/_search', 'POST /logs-#,logs-#/_search'],
  ['GET /shop/_doc/4711', 'GET /shop/_doc/{id}'],
  ['PUT /shop/_create/_a%2Fb', 'PUT /shop/_create/{id}'],
  ['POST /_bulk', 'POST /_bulk'],
  ['GET /_search/scroll/FGlu', 'GET /_search/scroll/{id}'],
  ['DELETE /_search/point_in_time', 'DELETE /_search/point_in_time'],
  ['GET /shop/_mvt/place/13/4207/2692', 'GET /shop/_mvt/{id}/{id}/{id}/{id}'],
])('%s has the pattern %s', (request, pattern) => {
  const [method, path] = request.split(' ') as [string, string];
  expect(pathPattern(method, path, trafficKind(method, path))).toBe(pattern);
});
