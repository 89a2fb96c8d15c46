import type { Offered } from '../elasticsearch/capabilities';
import type { Engine } from '../elasticsearch/engine';
import type { RequestKindDescription } from '../requests/kind';
import { REQUEST_KINDS, type RequestKind } from '../requests/registry';
import { missingFeatures, pluginsNeeded } from './feature-uses';
import { makePlan } from './plan';
import { readDefinition } from './read';

const ALL = REQUEST_KINDS as unknown as readonly RequestKindDescription[];

const offered = (engine: Engine, version: string): Offered => ({
  ...{ engine, version, serverless: false, plugins: new Set<string>() },
});
const OPENSEARCH = offered('opensearch', '3.6.0');
const ELASTICSEARCH = offered('elasticsearch', '9.5.3');

/** Returns the problems of a definition on a target, as `path: message`. */
function missing(more: object, target = OPENSEARCH): string[] {
  const definition = readDefinition({
    version: 1,
    name: 'features',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
    ...more,
  });
  const cells = makePlan(definition).cells.map((cell) => cell.definition);
  return missingFeatures(cells, target).map(({ path, message }) => `${path}: ${message}`);
}

const sending = (...list: object[]): object => ({ tasks: [{ name: 'reads', requests: { list } }] });
const searching = (body: object): object => sending({ name: 'a', search: { body } });
const AT = 'tasks[0].requests.list[0]';

/** Whether a kind of request runs on OpenSearch 3.6.0. Add each new kind here; an integration test sends it to a real OpenSearch. */
const ON_OPENSEARCH: Readonly<Record<RequestKind, 'runs' | 'refused' | 'needs a plugin'>> = {
  search: 'runs',
  knn: 'needs a plugin',
  esql: 'refused',
  count: 'runs',
  get: 'runs',
  mget: 'runs',
  msearch: 'runs',
  eql: 'refused',
  sql: 'refused',
  scroll: 'runs',
  'point-in-time': 'runs',
  'async-search': 'refused',
  'field-caps': 'runs',
  'terms-enum': 'refused',
  refresh: 'runs',
  'force-merge': 'runs',
  'cluster-health': 'runs',
  http: 'runs',
};

describe.each(ALL.map((kind) => [kind.name, kind] as const))('a request of the kind %s', (name, kind) => {
  const { request, parameters = {} } = kind.example;
  const definition = {
    tasks: [{ name: 'reads', requests: { list: [{ name: 'a', [name]: request }], parameters } }],
  };

  test('runs on OpenSearch, or is refused with its path and the engine', () => {
    const own = ON_OPENSEARCH[name as RequestKind];
    const without = own === 'needs a plugin' ? ` without the plugin opensearch-${name}` : '';
    expect(missing(definition)).toEqual(
      own === 'runs'
        ? []
        : [`${AT}.${name}: OpenSearch 3.6.0${without} offers no requests of the kind ${name}`],
    );
  });

  test('runs on Elasticsearch', () => {
    expect(missing(definition, ELASTICSEARCH)).toEqual([]);
  });
});

test('neighbours are searched with the plugin k-NN of OpenSearch, without keys that it lacks', () => {
  const asked = { vector: [1, 2], k: 1, num_candidates: 5 };
  const on = (version: string, more: object = {}): string[] =>
    missing(sending({ name: 'a', knn: { ...asked, ...more } }), {
      ...offered('opensearch', version),
      plugins: new Set(['opensearch-knn']),
    });
  expect(on('3.6.0')).toEqual([]);
  expect(on('3.6.0', { similarity: 0.5 })).toEqual([
    `${AT}.knn.similarity: OpenSearch 3.6.0 offers no key similarity in requests of the kind knn`,
  ]);
  expect(on('2.15.0')).toEqual([
    `${AT}.knn.num_candidates: OpenSearch 2.15.0 offers no key num_candidates in requests of the kind knn`,
  ]);
});

test('the plugins that cells need are known', () => {
  const needed = (definition: object, engine: Engine): string[] =>
    pluginsNeeded(
      makePlan(
        readDefinition({
          version: 1,
          name: 'plugins',
          tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
          ...definition,
        }),
      ).cells.map((cell) => cell.definition),
      engine,
    );
  const vectors = { index: { mapping: { properties: { v: { type: 'knn_vector', dimension: 3 } } } } };
  expect(needed(vectors, 'opensearch')).toEqual(['opensearch-knn']);
  expect(needed(vectors, 'elasticsearch')).toEqual([]);
  expect(needed({}, 'opensearch')).toEqual([]);
});

test('queries are found wherever a query can be, and nowhere else', () => {
  const kql = { kql: { query: 'a: 1' } };
  const said = 'OpenSearch 3.6.0 offers no query kql';
  const body = `${AT}.search.body`;
  const places: [object, string][] = [
    [{ query: kql }, 'query.kql'],
    [{ query: { bool: { filter: [{ term: { a: 1 } }, kql] } } }, 'query.bool.filter[1].kql'],
    [{ post_filter: { bool: { must: kql } } }, 'post_filter.bool.must.kql'],
    [
      { query: { function_score: { functions: [{ filter: kql }] } } },
      'query.function_score.functions[0].filter.kql',
    ],
    [{ aggs: { own: { filter: kql } } }, 'aggs.own.filter.kql'],
    [{ aggs: { own: { filters: { filters: { x: kql } } } } }, 'aggs.own.filters.filters.x.kql'],
    [{ aggs: { a: { terms: { field: 'f' }, aggs: { b: { filter: kql } } } } }, 'aggs.a.aggs.b.filter.kql'],
    [{ rescore: { query: { rescore_query: kql } } }, 'rescore.query.rescore_query.kql'],
    [{ highlight: { highlight_query: kql } }, 'highlight.highlight_query.kql'],
    [
      { highlight: { fields: [{ own: { highlight_query: kql } }] } },
      'highlight.fields[0].own.highlight_query.kql',
    ],
    [{ sort: [{ own: { nested: { path: 'n', filter: kql } } }] }, 'sort[0].own.nested.filter.kql'],
    [{ query: { hybrid: { filter: kql } } }, 'query.hybrid.filter.kql'],
    [{ query: { neural: { own: { filter: kql } } } }, 'query.neural.own.filter.kql'],
    [
      { query: { nested: { path: 'n', inner_hits: { highlight: { highlight_query: kql } } } } },
      'query.nested.inner_hits.highlight.highlight_query.kql',
    ],
    [
      { collapse: { field: 'f', inner_hits: [{ highlight: { highlight_query: kql } }] } },
      'collapse.inner_hits[0].highlight.highlight_query.kql',
    ],
    [
      { aggs: { own: { top_hits: { highlight: { highlight_query: kql } } } } },
      'aggs.own.top_hits.highlight.highlight_query.kql',
    ],
  ];
  const neural = { ...OPENSEARCH, plugins: new Set(['opensearch-neural-search']) };
  for (const [search, path] of places)
    expect(missing(searching(search), neural)).toEqual([`${body}.${path}: ${said}`]);
  // A field, an aggregation or a parameter may have the name of a query.
  expect(missing(searching({ query: { term: { kql: { value: 1 } } }, sort: ['kql'] }))).toEqual([]);
  expect(missing(searching({ aggs: { kql: { terms: { field: 'kql' } } } }))).toEqual([]);
});

test('aggregations, keys of searches and sorts are found', () => {
  const body = `${AT}.search.body`;
  expect(
    missing(searching({ aggs: { a: { terms: { field: 'f' }, aggs: { b: { top_metrics: {} } } } } })),
  ).toEqual([`${body}.aggs.a.aggs.b.top_metrics: OpenSearch 3.6.0 offers no aggregation top_metrics`]);
  expect(missing(searching({ knn: { field: 'e' } }))).toEqual([
    `${body}.knn: OpenSearch 3.6.0 offers no key knn in the body of a search`,
  ]);
  expect(missing(searching({ runtime_mappings: {} }))).toHaveLength(1);
  const old = offered('opensearch', '2.19.6');
  expect(missing(searching({ sort: [{ _shard_doc: 'asc' }] }), old)).toEqual([
    `${body}.sort[0]: OpenSearch 2.19.6 offers no sort by _shard_doc`,
  ]);
});

test('retrievers are read, with the queries in them', () => {
  const standard = { standard: { query: { match_all: {} }, filter: { semantic: {} } } };
  const body = {
    retriever: {
      rrf: {
        retrievers: [
          { knn: { field: 'v', rescore_vector: { oversample: 2 } } },
          { linear: { retrievers: [{ retriever: standard, weight: 2 }] } },
          { rescorer: { retriever: standard, rescore: { query: { rescore_query: { semantic: {} } } } } },
        ],
      },
    },
  };
  const AT_8_14 = offered('elasticsearch', '8.14.3');
  const path = `${AT}.search.body.retriever.rrf.retrievers`;
  expect(missing(searching(body), ELASTICSEARCH)).toEqual([]);
  expect(missing(searching(body), AT_8_14)).toEqual([
    `${path}[0].knn.rescore_vector: Elasticsearch 8.14.3 offers no key knn.rescore_vector in the body of a search`,
    `${path}[1].linear: Elasticsearch 8.14.3 offers no key retriever.linear in the body of a search`,
    `${path}[1].linear.retrievers[0].retriever.standard.filter.semantic: Elasticsearch 8.14.3 offers no query semantic`,
    `${path}[2].rescorer: Elasticsearch 8.14.3 offers no key retriever.rescorer in the body of a search`,
    `${path}[2].rescorer.retriever.standard.filter.semantic: Elasticsearch 8.14.3 offers no query semantic`,
    `${path}[2].rescorer.rescore.query.rescore_query.semantic: Elasticsearch 8.14.3 offers no query semantic`,
  ]);
  expect(missing(searching(body))).toContain(
    `${AT}.search.body.retriever: OpenSearch 3.6.0 offers no key retriever in the body of a search`,
  );
});

test('each engine has its own form of the query knn', () => {
  const withPlugin = { ...OPENSEARCH, plugins: new Set(['opensearch-knn']) };
  const ofElasticsearch = searching({ query: { knn: { field: 'v', query_vector: [1, 2] } } });
  const ofOpenSearch = searching({ query: { knn: { v: { vector: [1, 2], k: 1 } } } });
  const at = `${AT}.search.body.query.knn`;
  expect(missing(ofElasticsearch, ELASTICSEARCH)).toEqual([]);
  expect(missing(ofElasticsearch, withPlugin)).toEqual([
    `${at}.query_vector: OpenSearch 3.6.0 offers no key query_vector in the query knn`,
  ]);
  expect(missing(ofOpenSearch, withPlugin)).toEqual([]);
  expect(missing(searching({ query: { knn: { k: { vector: [1, 2], k: 1 } } } }), withPlugin)).toEqual([]);
  expect(missing(ofOpenSearch, ELASTICSEARCH)).toEqual([
    `${at}.v.vector: Elasticsearch 9.5.3 offers no key vector in the query knn`,
  ]);
});

test('a field may have the name of a key, and a query the name of a property of all objects', () => {
  const terms = (value: unknown): unknown[] =>
    missing(searching({ query: { terms: { value_type: value } } }), ELASTICSEARCH);
  expect(terms(['a', 'b'])).toEqual([]);
  expect(terms('bitmap')).toEqual([expect.stringContaining('no key value_type in the query terms')]);
  expect(() => missing(searching({ query: { constructor: { a: 1 } } }), ELASTICSEARCH)).not.toThrow();
});

test('keys that a version removed are found', () => {
  const body = {
    query: { bool: { filter: { range: { at: { from: 1, to: 2 } } } } },
    sort: [{ own: { order: 'asc', nested_path: 'n' } }],
    aggs: {
      hours: { date_histogram: { field: 'at', interval: '1h', order: [{ _time: 'asc' }] } },
      pages: { composite: { sources: [{ hours: { date_histogram: { field: 'at', interval: '1h' } } }] } },
      sums: { histogram: { field: 'n', interval: 5 } },
    },
  };
  const at = `${AT}.search.body`;
  expect(missing(searching(body), offered('elasticsearch', '7.17.29'))).toEqual([]);
  expect(missing(searching(body))).toEqual([]);
  const in8 = [
    `${at}.aggs.hours.date_histogram.interval: Elasticsearch 8.19.21 offers no key interval in the aggregation date_histogram`,
    `${at}.aggs.hours.date_histogram.order[0]._time: Elasticsearch 8.19.21 offers no key _time in the aggregation date_histogram`,
    `${at}.aggs.pages.composite.sources[0].hours.date_histogram.interval: Elasticsearch 8.19.21 offers no key interval in the aggregation date_histogram`,
    `${at}.sort[0].own.nested_path: Elasticsearch 8.19.21 offers no key nested_path in a sort`,
  ];
  expect(missing(searching(body), offered('elasticsearch', '8.19.21'))).toEqual(in8);
  expect(missing(searching(body), ELASTICSEARCH).slice(0, 2)).toEqual([
    `${at}.query.bool.filter.range.at.from: Elasticsearch 9.5.3 offers no key from in the query range`,
    `${at}.query.bool.filter.range.at.to: Elasticsearch 9.5.3 offers no key to in the query range`,
  ]);
});

test('query parameters are read', () => {
  const list = [
    { name: 'a', 'field-caps': { params: { include_empty_fields: false, ignore_unavailable: true } } },
    { name: 'b', http: { path: '/{{index}}/_field_caps', params: { fields: '*', filters: '-nested' } } },
  ];
  expect(missing(sending(...list))).toEqual([
    'tasks[0].requests.list[0].field-caps.params.include_empty_fields: OpenSearch 3.6.0 offers no query parameter include_empty_fields in requests to _field_caps',
    'tasks[0].requests.list[1].http.params.filters: OpenSearch 3.6.0 offers no query parameter filters in requests to _field_caps',
  ]);
  expect(missing(sending(...list), offered('elasticsearch', '8.12.2'))).toEqual([
    'tasks[0].requests.list[0].field-caps.params.include_empty_fields: Elasticsearch 8.12.2 offers no query parameter include_empty_fields in requests to _field_caps',
  ]);
  expect(missing(sending(...list), ELASTICSEARCH)).toEqual([]);
  const short = { name: 'a', body: {}, params: { search_pipeline: 'p' } };
  expect(missing({ tasks: [{ name: 's', search: { requests: [short] } }] }, ELASTICSEARCH)).toEqual([
    'tasks[0].search.requests[0].params.search_pipeline: Elasticsearch 9.5.3 offers no query parameter search_pipeline in requests to _search',
  ]);
});

test('the bodies of http requests to other APIs are read', () => {
  const kql = { kql: { query: 'a: 1' } };
  const mappings = { properties: { own: { type: 'flattened' } } };
  const settings = { index: { mode: 'logsdb' } };
  const processors = [{ foreach: { field: 'f', processor: { enrich: {} } } }];
  const places: [path: string, body: object, at: string][] = [
    ['/{{index}}/_validate/query', { query: kql }, 'query.kql'],
    ['/{{index}}/_explain/1', { query: kql }, 'query.kql'],
    ['/{{index}}/_update_by_query', { query: kql }, 'query.kql'],
    ['/{{index}}/_delete_by_query', { query: kql }, 'query.kql'],
    ['/{{index}}/_field_caps', { index_filter: kql }, 'index_filter.kql'],
    ['/_reindex', { source: { query: kql } }, 'source.query.kql'],
    ['/_plugins/_sql', { query: 'SELECT 1', filter: kql }, 'filter.kql'],
    ['/own', { mappings }, 'mappings.properties.own.type'],
    ['/own', { settings }, 'settings.mode'],
    ['/own/_mapping', mappings, 'properties.own.type'],
    ['/own/_settings', settings, 'mode'],
    ['/_cluster/settings', { transient: { slm: { a: 1 } } }, 'transient.slm.a'],
    ['/_template/own', { mappings }, 'mappings.properties.own.type'],
    ['/_index_template/own', { template: { mappings } }, 'template.mappings.properties.own.type'],
    ['/_index_template/own', { template: { lifecycle: {} } }, 'template.lifecycle'],
    ['/_component_template/own', { template: { settings } }, 'template.settings.mode'],
    ['/_ingest/pipeline/own', { processors }, 'processors[0].foreach.processor.enrich'],
    ['/_ingest/pipeline/own', { on_failure: [{ reroute: {} }] }, 'on_failure[0].reroute'],
  ];
  const plugins = new Set(['opensearch-sql']);
  for (const [path, body, at] of places) {
    const http = { method: 'PUT', path, body, 'allow-writes': true };
    const [first, ...others] = missing(sending({ name: 'a', http }), { ...OPENSEARCH, plugins });
    expect([first?.split(': ')[0], others]).toEqual([`${AT}.http.body.${at}`, []]);
  }
});

test('the filters of queries in other languages are read', () => {
  const body = { filter: { semantic: {} } };
  const list = [
    { name: 'a', esql: { query: 'FROM {{index}}', body } },
    { name: 'b', sql: { query: 'SELECT 1', body } },
    { name: 'c', eql: { query: 'any where true', body } },
    { name: 'd', 'terms-enum': { field: 'f', body: { index_filter: { semantic: {} } } } },
  ];
  expect(
    missing(sending(...list), offered('elasticsearch', '8.14.0')).map((one) => one.split(': ')[0]),
  ).toEqual([
    'tasks[0].requests.list[0].esql.body.filter.semantic',
    'tasks[0].requests.list[1].sql.body.filter.semantic',
    'tasks[0].requests.list[2].eql.body.filter.semantic',
    'tasks[0].requests.list[3].terms-enum.body.index_filter.semantic',
  ]);
});

test('searches of every kind of request are read', () => {
  const body = { query: { kql: {} } };
  const list = [
    { name: 'a', scroll: { body } },
    { name: 'b', msearch: { searches: [{ body: {} }, { body }] } },
    { name: 'c', count: { body } },
    { name: 'd', http: { method: 'POST', path: '/{{index}}/_search', body } },
    { name: 'e', http: { path: '/{{index}}/_terms_enum', method: 'POST', body: {} } },
    { name: 'f', http: { path: '/{{index}}/_msearch', method: 'POST', ndjson: [{}, {}, {}, body] } },
  ];
  expect(missing(sending(...list)).map((problem) => problem.split(': ')[0])).toEqual([
    'tasks[0].requests.list[0].scroll.body.query.kql',
    'tasks[0].requests.list[1].msearch.searches[1].body.query.kql',
    'tasks[0].requests.list[2].count.body.query.kql',
    'tasks[0].requests.list[3].http.body.query.kql',
    'tasks[0].requests.list[4].http',
    'tasks[0].requests.list[5].http.ndjson[3].query.kql',
  ]);
  const search = { tasks: [{ name: 's', search: { requests: [{ name: 'a', body }] } }] };
  expect(missing(search)).toEqual([
    'tasks[0].search.requests[0].body.query.kql: OpenSearch 3.6.0 offers no query kql',
  ]);
});

test('mappings, settings and the rest of a definition are read, and all problems are listed', () => {
  const mapping = {
    subobjects: false,
    dynamic_templates: [{ texts: { mapping: { type: 'flattened' } } }],
    properties: {
      '@timestamp': { type: 'date' },
      type: { type: 'keyword' },
      vector: { type: 'dense_vector', dims: 3 },
      inner: { properties: { own: { type: 'text', fields: { raw: { type: 'counted_keyword' } } } } },
    },
  };
  const definition = {
    index: { mapping, settings: { mode: 'logsdb', refresh_interval: '5s' } },
    measure: { warmup: '0s', duration: '5s', 'disk-usage': true },
  };
  expect(
    missing(definition)
      .map((problem) => problem.split(': ')[0])
      .sort(),
  ).toEqual([
    'index.mapping.dynamic_templates[0].texts.mapping.type',
    'index.mapping.properties.inner.properties.own.fields.raw.type',
    'index.mapping.properties.vector.type',
    'index.mapping.subobjects',
    'index.settings.mode',
    'measure.disk-usage',
  ]);
  expect(missing(definition, ELASTICSEARCH)).toEqual([]);
});

test('values within parameters of a mapping are read', () => {
  const vector = { type: 'dense_vector', dims: 64, index_options: { type: 'bbq_disk' } };
  const mapping = {
    dynamic: 'strict_allow_templates',
    dynamic_templates: [{ own: { match: 'a', runtime: {} } }],
    properties: { vector },
  };
  expect(missing({ index: { mapping } }, offered('elasticsearch', '9.1.0'))).toEqual([
    'index.mapping.dynamic: Elasticsearch 9.1.0 offers no mapping parameter dynamic: strict_allow_templates',
    'index.mapping.properties.vector.index_options.type: Elasticsearch 9.1.0 offers no mapping parameter index_options.type: bbq_disk',
  ]);
  expect(missing({ index: { mapping: { properties: { vector } } } }, ELASTICSEARCH)).toEqual([]);
  expect(missing({ index: { mapping: { ...mapping, properties: {} } } })).toEqual([
    'index.mapping.dynamic_templates[0].own.runtime: OpenSearch 3.6.0 offers no mapping parameter dynamic_templates.runtime',
  ]);
});

test('the settings of the steps after the load are read', () => {
  const recipe = [{ name: 'end', settings: { 'index.translog.flush_threshold_age': null } }];
  expect(missing({ measure: { documents: 100, recipe } })).toEqual([
    'measure.recipe[0].settings.translog.flush_threshold_age: OpenSearch 3.6.0 offers no index setting translog.flush_threshold_age',
  ]);
});

test('cluster settings are read', () => {
  const cluster = { settings: { search: { worker_threads_enabled: false } } };
  expect(missing({ cluster })).toEqual([
    'cluster.settings.search.worker_threads_enabled: OpenSearch 3.6.0 offers no cluster setting search.worker_threads_enabled',
  ]);
  expect(missing({ cluster }, ELASTICSEARCH)).toEqual([]);
});

test('levels of factors are read, each value once', () => {
  const factors = { 'index.settings.codec': ['default', 'zstd', 'best_compression'] };
  expect(missing({ factors }, ELASTICSEARCH)).toEqual([
    'index.settings.codec: Elasticsearch 9.5.3 offers no index setting codec: zstd',
  ]);
  const plugins = new Set(['opensearch-custom-codecs']);
  expect(missing({ factors }, { ...OPENSEARCH, plugins })).toEqual([]);
});

test('existing data has its own settings and mapping', () => {
  const tasks = [{ name: 's', search: { requests: [{ name: 'a', body: { size: 0 } }] } }];
  expect(missing({ tasks, index: { existing: 'logs' } })).toEqual([]);
});
