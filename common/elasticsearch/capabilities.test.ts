import { FEATURES, missingFeature, type Aspect, type Offered } from './capabilities';
import { INDEX_SETTING_NAMES } from './index-settings';

const target = (
  engine: 'elasticsearch' | 'opensearch',
  version: string,
  plugins: string[] = [],
): Offered => ({
  ...{ engine, version, serverless: false, plugins: new Set(plugins) },
});
const OPENSEARCH = target('opensearch', '3.6.0');
const ELASTICSEARCH = target('elasticsearch', '9.5.3');
const SERVERLESS: Offered = { ...ELASTICSEARCH, version: '8.11.0', serverless: true, plugins: null };

const has = (offered: Offered, aspect: Aspect, name: string, value?: unknown): boolean =>
  missingFeature({ aspect, name, value }, offered) === undefined;

test('a missing feature is named with the engine, its version, and what to use', () => {
  expect(missingFeature({ aspect: 'request', name: 'esql' }, OPENSEARCH)).toEqual({
    message: 'OpenSearch 3.6.0 offers no requests of the kind esql',
    allowed:
      'an http request to /_plugins/_ppl or /_plugins/_sql, if the plugin opensearch-sql is installed there; as target Elasticsearch 8.11 or later',
  });
  expect(missingFeature({ aspect: 'field', name: 'flat_object' }, ELASTICSEARCH)).toEqual({
    message: 'Elasticsearch 9.5.3 offers no field type flat_object',
    allowed: 'flattened; as target OpenSearch 2.7 or later',
  });
});

test.each([
  ['request', 'terms-enum', '7.13.4', '7.14.0'],
  ['request', 'point-in-time', '7.11.2', '7.12.0'],
  ['request', 'knn', '8.3.3', '8.4.0'],
  ['request', 'esql', '8.10.4', '8.11.0'],
  ['query', 'sparse_vector', '8.14.3', '8.15.0'],
  ['search', 'retriever', '8.13.4', '8.14.0'],
  ['mapping', 'subobjects', '8.2.3', '8.3.0'],
] as const)('the %s %s is in Elasticsearch %s no, and in %s yes', (aspect, name, before, since) => {
  expect(has(target('elasticsearch', before), aspect, name)).toBe(false);
  expect(has(target('elasticsearch', since), aspect, name)).toBe(true);
});

test.each([
  ['request', 'point-in-time', '3.2.0', '3.3.0'],
  ['query', 'combined_fields', '2.19.6', '3.2.0'],
  ['field', 'flat_object', '2.6.0', '2.7.0'],
  ['field', 'wildcard', '2.14.0', '2.15.0'],
] as const)('the %s %s is in OpenSearch %s no, and in %s yes', (aspect, name, before, since) => {
  expect(has(target('opensearch', before), aspect, name)).toBe(false);
  expect(has(target('opensearch', since), aspect, name)).toBe(true);
});

test('a feature of a plugin needs the plugin, unless the cluster does not report its plugins', () => {
  const path = '/_plugins/_ppl';
  expect(missingFeature({ aspect: 'path', name: path }, OPENSEARCH)?.message).toBe(
    'OpenSearch 3.6.0 without the plugin opensearch-sql offers no API /_plugins/_ppl',
  );
  expect(has(target('opensearch', '3.6.0', ['opensearch-sql']), 'path', path)).toBe(true);
  expect(has({ ...OPENSEARCH, plugins: null }, 'path', path)).toBe(true);
  expect(has(ELASTICSEARCH, 'path', path)).toBe(false);
});

test('a value can be the feature', () => {
  expect(has(target('elasticsearch', '8.16.0'), 'setting', 'mode', 'logsdb')).toBe(false);
  expect(has(target('elasticsearch', '8.16.0'), 'setting', 'mode', 'time_series')).toBe(true);
  expect(has(OPENSEARCH, 'setting', 'mode', 'time_series')).toBe(false);
  expect(has(OPENSEARCH, 'setting', 'codec', 'best_compression')).toBe(true);
  expect(has(ELASTICSEARCH, 'setting', 'codec', 'zstd')).toBe(false);
});

test.each([
  ['refresh_interval', true],
  ['analysis.analyzer.own.type', true],
  ['sort.field', true],
  ['mapping.total_fields.limit', true],
  ['number_of_shards', false],
  ['number_of_replicas', false],
  ['mode', true],
  ['modes', false],
  ['mapping.nested_fields.limit', false],
])('in Serverless, the index setting %s may be set: %p', (name, expected) => {
  expect(has(SERVERLESS, 'setting', name)).toBe(expected);
});

test.each([
  ['/{{index}}/_search', true],
  ['/_async_search', true],
  ['/_cat/indices/logs-*', true],
  ['/_cat/nodes', false],
  ['/_nodes/stats', false],
  ['/_nodes', false],
  ['/_cluster/health', false],
  ['/{{index}}/_forcemerge', false],
  ['/{{index}}/_stats/store', false],
  ['/{{index}}/_doc/_nodes', true],
  ['/{{index}}/_refresh', true],
  ['/{{index}}/_cache/clear', false],
  ['/_stats', false],
  ['/_nodesy', true],
])('in Serverless, %s is answered: %p', (path, expected) => {
  expect(has(SERVERLESS, 'path', path)).toBe(expected);
});

test('Serverless has what the newest Elasticsearch has, whatever version it reports', () => {
  expect(has(SERVERLESS, 'request', 'esql')).toBe(true);
  expect(has(SERVERLESS, 'search', 'retriever')).toBe(true);
  expect(has(SERVERLESS, 'field', 'flat_object')).toBe(false);
  expect(has(SERVERLESS, 'preload', 'from-snapshot')).toBe(false);
});

test('the settings that every engine has are not in the table', () => {
  const common = ['number_of_shards', 'refresh_interval', 'translog.durability', 'codec', 'sort.field'];
  for (const name of common) {
    expect(INDEX_SETTING_NAMES).toContain(name);
    expect(has(OPENSEARCH, 'setting', name)).toBe(true);
  }
});

test('every feature is missing somewhere, and a feature that no engine has is not listed', () => {
  for (const { names, elasticsearch, opensearch, serverless } of FEATURES) {
    expect([names, elasticsearch ?? opensearch ?? serverless]).not.toContain(undefined);
    expect([names, elasticsearch === false && opensearch === false]).toEqual([names, false]);
  }
});
