import type { Offered } from '../../../common/elasticsearch/capabilities';
import { MissingInLog } from './missing-in-log';

const target: Offered = {
  engine: 'opensearch',
  version: '3.6.0',
  serverless: false,
  plugins: new Set<string>(),
};

const ASKED = { method: 'POST', query: '' };

test('the note counts the searches that use a feature which the target lacks, and says what to use instead', () => {
  const log = new MissingInLog(target);
  log.meet('{"query":{"match":{"a":"b"}}}', 1);
  log.meet('{"query":{"bool":{"filter":[{"kql":{"query":"a: 1"}}]}}}', 2);
  log.meet('{"query":{"kql":{"query":"a: 1"}},"aggs":{"t":{"top_metrics":{}}}}', 5);
  expect(log.searches).toBe(2);
  expect(log.note()).toBe(
    '2 searches will fail: OpenSearch 3.6.0 offers no query kql (2 searches, first in line 2; ' +
      'use instead: the query query_string; as target Elasticsearch 8.18 or later); ' +
      'OpenSearch 3.6.0 offers no aggregation top_metrics (line 5; ' +
      'use instead: an aggregation of the type top_hits with size and sort; as target Elasticsearch 7.7 or later)',
  );
});

test('a field with the name of a query, and a text that is no JSON, use no feature', () => {
  const log = new MissingInLog(target);
  log.meet('{"query":{"term":{"kql":1}}}', 1);
  log.meet('{"query":', 2);
  expect(log.note()).toBe('');
});

test('scripts are compared with the modules of a reduced Elasticsearch', () => {
  const script = '{"query":{"script":{"script":{"source":"true"}}}}';
  const note = (plugins: ReadonlySet<string> | null): string => {
    const log = new MissingInLog({
      engine: 'elasticsearch',
      version: '9.5.3',
      serverless: false,
      plugins,
    });
    log.meet(script, 7);
    return log.note();
  };
  expect(note(new Set(['transport-netty4', 'x-pack-core']))).toBe(
    '1 search will fail: the target lacks the module lang-painless, which provides scripts in Painless (used by `script`) (line 7)',
  );
  expect(note(new Set(['analysis-common', 'mapper-extras', 'lang-painless', 'ingest-common']))).toBe('');
  expect(note(null)).toBe('');
});

test('aggregations are compared with the modules of a reduced Elasticsearch', () => {
  const plugins = new Set(['transport-netty4', 'x-pack-core']);
  const log = new MissingInLog({ ...target, engine: 'elasticsearch', version: '9.5.3', plugins });
  log.meet('{"aggs":{"a":{"serial_diff":{}}}}', 1);
  log.meet('{"aggs":{"a":{"multi_terms":{}}}}', 2);
  expect(log.note()).toBe(
    '1 search will fail: the target lacks the module x-pack-analytics, which provides aggregations such as top_metrics, boxplot and rate (used by `multi_terms`) (line 2)',
  );
});

test('the most frequent reasons are named, and the number of the others', () => {
  const log = new MissingInLog(target);
  const types = ['top_metrics', 'boxplot', 'string_stats', 't_test', 'normalize', 'rate', 'ip_prefix'];
  types.forEach((type, at) => log.meet(JSON.stringify({ aggs: { a: { [type]: {} } } }), at + 1));
  log.meet(JSON.stringify({ aggs: { a: { ip_prefix: {} } } }), 8);
  expect(log.note()).toMatch(
    /^8 searches will fail: OpenSearch 3\.6\.0 offers no aggregation ip_prefix \(2 searches, first in line 7/,
  );
  expect(log.note()).toMatch(/; and 2 more reasons$/);
});

test('requests of recorded traffic are compared by their path and their searches', () => {
  const log = new MissingInLog(target);
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  log.meetRequest({ ...ASKED, path: '/logs/_search', body: bytes('{"query":{"match_all":{}}}') }, 1);
  log.meetRequest({ ...ASKED, path: '/logs/_terms_enum', body: bytes('{"field":"a"}') }, 2);
  log.meetRequest({ ...ASKED, path: '/_msearch', body: bytes('{}\n{"query":{"kql":{"query":"a"}}}\n') }, 3);
  log.meetRequest(
    { ...ASKED, path: '/_bulk', body: bytes('{"index":{}}\n{"query":{"kql":{"query":"a"}}}\n') },
    4,
  );
  log.meetRequest({ ...ASKED, path: '/logs/_search', body: null }, 5);
  expect(log.note(['request', 'requests'])).toMatch(
    /^2 requests will fail: OpenSearch 3\.6\.0 offers no API \/logs\/_terms_enum \(request 2; .*; OpenSearch 3\.6\.0 offers no query kql \(request 3;/,
  );
});

test('query parameters and queries of other APIs are compared too', () => {
  const log = new MissingInLog(target);
  log.meetRequest(
    { method: 'GET', path: '/logs/_field_caps', query: 'fields=*&include_empty_fields=true', body: null },
    1,
  );
  const body = new TextEncoder().encode('{"query":{"kql":{"query":"a"}}}');
  log.meetRequest({ ...ASKED, path: '/logs/_delete_by_query', body }, 2);
  expect(log.note(['request', 'requests'])).toMatch(
    /^2 requests will fail: OpenSearch 3\.6\.0 offers no query parameter include_empty_fields in requests to _field_caps \(request 1; .*; OpenSearch 3\.6\.0 offers no query kql \(request 2;/,
  );
});

test('recorded points in time are compared with the API that the replay uses, whichever engine was recorded', () => {
  const noteOf = (own: Partial<Offered>): string => {
    const log = new MissingInLog({ ...target, ...own });
    const recorded: [method: string, path: string][] = [
      ['POST', '/shop/_pit'],
      ['DELETE', '/_pit'],
      ['POST', '/shop/_search/point_in_time'],
      ['DELETE', '/_search/point_in_time'],
    ];
    recorded.forEach(([method, path], at) =>
      log.meetRequest({ method, path, query: '', body: null }, at + 1),
    );
    return log.note(['request', 'requests']);
  };
  expect(noteOf({})).toBe('');
  expect(noteOf({ version: '2.3.0' })).toMatch(
    /^4 requests will fail: OpenSearch 2\.3\.0 offers no API \/_search\/point_in_time/,
  );
  expect(noteOf({ engine: 'elasticsearch', version: '7.10.0' })).toBe('');
  expect(noteOf({ engine: 'elasticsearch', version: '7.9.3' })).toMatch(
    /^4 requests will fail: Elasticsearch 7\.9\.3 offers no API \/_pit/,
  );
});
