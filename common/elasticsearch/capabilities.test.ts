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
  ['request', 'knn.similarity', '8.7.1', '8.8.0'],
  ['field', 'semantic', '9.4.2', '9.5.0'],
  ['field', 'sparse_vector', '8.10.4', '8.11.0'],
  ['setting', 'mode', '7.17.29', '8.5.0'],
  ['setting', 'seq_no.index_options', '8.19.21', '9.5.3'],
  ['path', '/_data_stream/logs/_lifecycle', '8.10.4', '8.11.0'],
] as const)('the %s %s is in Elasticsearch %s no, and in %s yes', (aspect, name, before, since) => {
  expect(has(target('elasticsearch', before), aspect, name)).toBe(false);
  expect(has(target('elasticsearch', since), aspect, name)).toBe(true);
});

test.each([
  ['request', 'point-in-time', '3.2.0', '3.3.0'],
  ['query', 'combined_fields', '2.19.6', '3.2.0'],
  ['field', 'flat_object', '2.6.0', '2.7.0'],
  ['field', 'wildcard', '2.14.0', '2.15.0'],
  ['setting', 'derived_source.enabled', '2.19.6', '3.2.0'],
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

test('a plugin can provide a feature since a version', () => {
  const said = (version: string, ...plugins: string[]) =>
    missingFeature({ aspect: 'query', name: 'hybrid' }, target('opensearch', version, plugins))?.message;
  expect(said('2.9.0', 'opensearch-neural-search')).toBe('OpenSearch 2.9.0 offers no query hybrid');
  expect(said('2.10.0')).toBe(
    'OpenSearch 2.10.0 without the plugin opensearch-neural-search offers no query hybrid',
  );
  expect(said('2.10.0', 'opensearch-neural-search')).toBeUndefined();
  expect(missingFeature({ aspect: 'query', name: 'hybrid' }, ELASTICSEARCH)?.allowed).toBe(
    'a retriever; as target OpenSearch 2.10 or later with the plugin opensearch-neural-search',
  );
});

test('a feature can end with a version', () => {
  expect(has(target('elasticsearch', '7.17.29'), 'query', 'common')).toBe(true);
  expect(missingFeature({ aspect: 'query', name: 'common' }, target('elasticsearch', '8.0.0'))).toEqual({
    message: 'Elasticsearch 8.0.0 offers no query common',
    allowed: 'the query match without cutoff_frequency; as target Elasticsearch before 8.0 or OpenSearch',
  });
  expect(has(SERVERLESS, 'query', 'common')).toBe(false);
  const knn = ['opensearch-knn'];
  expect(has(target('opensearch', '2.19.6', knn), 'mapping', 'method.engine', 'nmslib')).toBe(true);
  expect(has(target('opensearch', '3.0.0', knn), 'mapping', 'method.engine', 'nmslib')).toBe(false);
  expect(has(target('opensearch', '3.0.0', knn), 'mapping', 'method.engine', 'faiss')).toBe(true);
});

test('a value can be the feature', () => {
  expect(has(target('elasticsearch', '8.16.0'), 'setting', 'mode', 'logsdb')).toBe(false);
  expect(has(target('elasticsearch', '8.16.0'), 'setting', 'mode', 'time_series')).toBe(true);
  expect(has(OPENSEARCH, 'setting', 'mode', 'time_series')).toBe(false);
  expect(has(OPENSEARCH, 'setting', 'codec', 'best_compression')).toBe(true);
  expect(has(ELASTICSEARCH, 'setting', 'codec', 'zstd')).toBe(false);
});

test.each([
  ['/logs/_ilm/explain', false],
  ['/_all/_ccr/stats', false],
  ['/_snapshot/own/first/_mount', false],
  ['/_data_stream/logs/_options', false],
  ['/_data_stream/logs', true],
  ['/_plugins/_rollup/jobs/own', true],
  ['/_ingest/own/_simulate', false],
  ['/_ingest/pipeline/_simulate', true],
  ['/_ingest/pipeline/own/_simulate', true],
])('an OpenSearch with all plugins answers %s: %p', (name, expected) => {
  expect(has({ ...OPENSEARCH, plugins: null }, 'path', name)).toBe(expected);
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
