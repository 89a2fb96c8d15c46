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
  ];
  for (const [search, path] of places)
    expect(missing(searching(search))).toEqual([`${body}.${path}: ${said}`]);
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
