/**
 * Tests a real OpenSearch as the target: complete runs, and each API that Dyno calls. Also checks that Dyno's table of features, which says
 * what OpenSearch supports, agrees with the answers of OpenSearch.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import type { TargetFacts } from '../../common/api/targets';
import type { TriedRequest } from '../../common/api/tries';
import { FEATURES, missingFeature, type Aspect, type Offered } from '../../common/elasticsearch/capabilities';
import type { TrialDocument } from '../../common/measurement/trial';
import { partRequest } from '../../common/tasks/request-list';
import type { Report } from '../../common/report/model/report';
import { profiledAnswer } from '../../common/profile/search-profile';
import type { DynoError } from '../../common/problem';
import { REQUEST_KINDS, type RequestKind } from '../../common/requests/registry';
import * as api from '../../server/elasticsearch/api';
import type { Endpoint } from '../../server/elasticsearch/ask';
import { inspect } from '../../server/host/targets/facts';
import { tryRequest } from '../../server/run/try-it/try-it';
import { ask as askTarget } from '../../server/target-cluster/answer';
import { discoverCluster } from '../../server/target-cluster/cluster';
import { Connection } from '../../server/target-cluster/connection';
import { readModules } from '../../server/target-cluster/modules';
import { checkAccess } from '../../server/target-cluster/permissions';
import { takeSnapshot } from '../../server/target-cluster/snapshot';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { startOpenSearch, START_TIMEOUT_MS, type OpenSearch } from './support/opensearch';

type Json = Record<string, unknown>;

const results = sharedElasticsearch();
const place = workplace();
/** Folder in which the cluster stores snapshots. */
const repository = mkdtempSync(path.join(tmpdir(), 'dyno-snapshots-'));
let target: OpenSearch;
let connection: Connection;
let offered: Offered;

jest.setTimeout(180_000);

beforeAll(async () => {
  // The node runs as another user if the tests run as root.
  chmodSync(repository, 0o777);
  target = await startOpenSearch({ 'path.repo': repository });
  connection = new Connection({ hosts: [target.url] });
  offered = { ...(await discoverCluster(connection)), plugins: await readModules(connection) };
  const lines = Array.from(
    { length: 500 },
    (_, n) =>
      `{"index":{"_id":"${n}"}}\n{"n":${n},"half":${Math.floor(n / 2)},"host":{"name":"host-${n % 7}"},"message":"the quick fox ${n}","@timestamp":"2026-11-20T10:00:${String(n % 60).padStart(2, '0')}Z"}\n`,
  );
  await connection.request({ method: 'POST', path: '/products/_bulk?refresh=true', body: lines.join('') });
}, START_TIMEOUT_MS);
afterAll(async () => {
  place.remove();
  await connection?.close();
  await target?.stop();
  rmSync(repository, { recursive: true, force: true });
});

const failure = async (of: Promise<unknown>): Promise<DynoError> =>
  of.then(
    () => {
      throw new Error('it succeeded');
    },
    (error: DynoError) => error,
  );

/** Runs a definition on OpenSearch, with results in Elasticsearch. Returns its report, trials and output. */
async function run(definition: object, ...more: string[]) {
  const file = path.join(place.folder, 'report.json');
  const written = place.write('definition.json', { version: 1, name: 'on opensearch', ...definition });
  const { code, stderr, stdout } = await place.dyno(
    ...['run', written, '--elasticsearch', target.url, '--results', results(), '--report', file, ...more],
  );
  const report = code === 0 ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined;
  return { code, stderr, stdout, report };
}

async function trialsOf(report: Report): Promise<TrialDocument[]> {
  await ask('POST', `${results()}/dyno-trials-*/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: TrialDocument }[] } }>(
    'POST',
    `${results()}/dyno-trials-*/_search`,
    { query: { term: { 'run.id': report.run.id } }, sort: [{ 'trial.order': 'asc' }] },
  );
  return body.hits.hits.map(({ _source }) => _source);
}

/** Returns the names of all indices that trials left behind. */
const leftOver = async (): Promise<string[]> =>
  Object.keys((await ask<object>('GET', `${target.url}/dyno-trial-*`)).body);

const INGEST = {
  name: 'load',
  ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 200 } },
  executor: { 'constant-rate': { rate: 5 } },
};

test('a whole run ingests and reads in every way that OpenSearch offers, and says on which engine', async () => {
  const list = [
    {
      name: 'scripted',
      search: { body: { query: { script: { script: { source: "doc['response'].size() > 0" } } } } },
      expect: ['hits.total.value > 0'],
    },
    { name: 'scroll', scroll: { size: 400, pages: 10 } },
    { name: 'pages', 'point-in-time': { size: 400, pages: 10, body: { sort: [{ response: 'asc' }] } } },
    { name: 'count', count: {}, expect: ['count >= 2000'] },
    { name: 'fields', 'field-caps': {}, expect: ['fields.@timestamp.date.type == "date"'] },
    { name: 'several', msearch: { searches: [{ body: { size: 0 } }, { body: { size: 1 } }] } },
    { name: 'merge', 'force-merge': { params: { max_num_segments: 1 } }, weight: 0.1 },
    { name: 'refresh', refresh: {} },
  ];
  const { code, stderr, stdout, report } = await run({
    index: { settings: { number_of_shards: 2, number_of_replicas: 0, refresh_interval: '1s' } },
    cluster: { settings: { 'indices.recovery.max_bytes_per_sec': '50mb' } },
    preload: { documents: 2000, source: { generator: 'apache-logs' } },
    tasks: [INGEST, { name: 'reads', requests: { list }, executor: { 'constant-clients': { clients: 2 } } }],
    measure: { warmup: '1s', duration: '4s', 'force-merge': 1 },
    trials: 2,
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toMatch(/target: OpenSearch 3\.6\.0 at/);
  expect(stdout).toContain('OpenSearch 3.6.0');
  expect(`${stdout}${stderr}`).not.toContain('Elasticsearch 3.6.0');
  expect(report!.provenance!.cluster).toMatchObject({ engine: 'opensearch', version: '3.6.0' });
  expect(report!.provenance!.nodes).toMatchObject([{ version: '3.6.0' }]);
  for (const { task, counts } of report!.cells[0]!.tasks)
    expect([task, counts.failed, counts.unknown, counts.accepted > 0]).toEqual([task, 0, 0, true]);
  const trials = await trialsOf(report!);
  expect(trials).toHaveLength(2);
  for (const trial of trials) {
    // The documents were counted and the counts agree. The statistics of the nodes and of the index were read.
    expect(trial.trial.state).toBe('completed');
    expect(trial.index).toMatchObject({ docs: expect.any(Number), segments: 2 });
    expect(trial.index!.docs).toBeGreaterThan(2000);
    expect(trial.cluster).toMatchObject({ version: '3.6.0' });
    expect(trial.server).not.toBeNull();
  }
  expect(await leftOver()).toEqual([]);
  const { body } = await ask<{ persistent: object }>('GET', `${target.url}/_cluster/settings`);
  expect(body.persistent).toEqual({});
});

test('copies of loaded data, a data stream and cold caches work', async () => {
  const search = {
    name: 'search',
    search: { requests: [{ name: 'all', body: { query: { match_all: {} } } }] },
    executor: { 'constant-rate': { rate: 20 } },
  };
  const copied = await run({
    preload: { documents: 1000, source: { generator: 'apache-logs' }, reuse: 'copy' },
    factors: { 'index.settings.number_of_shards': [1, 2] },
    tasks: [search],
    measure: { caches: 'cold', duration: '1s' },
    trials: 1,
  });
  expect({ code: copied.code, stderr: copied.stderr }).toMatchObject({ code: 0 });
  expect((await trialsOf(copied.report!)).map(({ index }) => index!.docs)).toEqual([1000, 1000]);
  const streamed = await run({
    index: { as: 'data-stream', rollover: { documents: 300 } },
    tasks: [INGEST],
    measure: { warmup: '0s', duration: '3s' },
    trials: 1,
  });
  expect({ code: streamed.code, stderr: streamed.stderr }).toMatchObject({ code: 0 });
  const [stream] = await trialsOf(streamed.report!);
  expect(stream!.trial.state).toBe('completed');
  const existing = await run({
    index: { existing: 'products' },
    tasks: [search],
    measure: { warmup: '0s', duration: '1s' },
    trials: 1,
  });
  expect({ code: existing.code, stderr: existing.stderr }).toMatchObject({ code: 0 });
  expect(await leftOver()).toEqual([]);
});

test('a definition with missing features starts no run, and each is named with its path and the engine', async () => {
  const { code, stderr } = await run({
    index: {
      settings: { mode: 'logsdb' },
      mapping: { subobjects: false, properties: { vector: { type: 'dense_vector', dims: 3 } } },
    },
    tasks: [
      INGEST,
      {
        name: 'reads',
        requests: {
          list: [
            { name: 'a', esql: { query: 'FROM {{index}}' } },
            { name: 'b', search: { body: { query: { bool: { filter: { kql: { query: 'a' } } } } } } },
            { name: 'c', http: { path: '/{{index}}/_terms_enum', method: 'POST', body: { field: 'a' } } },
          ],
        },
        executor: { 'constant-rate': { rate: 1 } },
      },
    ],
    measure: { warmup: '0s', duration: '1s', 'disk-usage': true },
    trials: 1,
  });
  expect(code).toBe(2);
  for (const said of [
    'index.settings.mode: OpenSearch 3.6.0 offers no index setting mode: logsdb',
    'index.mapping.subobjects: OpenSearch 3.6.0 offers no mapping parameter subobjects',
    'index.mapping.properties.vector.type: OpenSearch 3.6.0 offers no field type dense_vector',
    'measure.disk-usage: OpenSearch 3.6.0 offers no API for measure.disk-usage',
    'tasks[1].requests.list[0].esql: OpenSearch 3.6.0 offers no requests of the kind esql',
    'tasks[1].requests.list[1].search.body.query.bool.filter.kql: OpenSearch 3.6.0 offers no query kql',
    'tasks[1].requests.list[2].http: OpenSearch 3.6.0 offers no API /{{index}}/_terms_enum',
  ])
    expect(stderr).toContain(said);
  expect(await leftOver()).toEqual([]);
});

/** A request of each kind. For a kind that Dyno refuses, `sent` is what Dyno would send. A new kind must be added here. */
const TRIED: Readonly<Record<RequestKind, { request: object; sent?: [path: string, body: Json] }>> = {
  search: { request: { body: { query: { match: { message: 'fox' } } } } },
  knn: {
    request: { field: 'n', vector: [1, 2], recall: 0 },
    sent: ['/products/_search', { query: { knn: { n: { vector: [1, 2], k: 10 } } } }],
  },
  esql: { request: { query: 'FROM {{index}}' }, sent: ['/_query', { query: 'FROM products' }] },
  count: { request: {} },
  get: { request: { id: '7' } },
  mget: { request: { ids: ['7', '8'] } },
  msearch: { request: { searches: [{ body: {} }] } },
  eql: { request: { query: 'any where true' }, sent: ['/products/_eql/search', { query: 'any where true' }] },
  sql: { request: { query: 'SELECT 1' }, sent: ['/_sql', { query: 'SELECT 1' }] },
  scroll: { request: { size: 100, pages: 2 } },
  'point-in-time': { request: { size: 100, pages: 2, body: { sort: 'half' } } },
  'async-search': { request: { body: {} }, sent: ['/products/_async_search', {}] },
  'field-caps': { request: {} },
  'terms-enum': { request: { field: 'host.name' }, sent: ['/products/_terms_enum', { field: 'host.name' }] },
  refresh: { request: {} },
  'force-merge': { request: {} },
  'cluster-health': { request: {} },
  http: { request: { path: '/_search/point_in_time/_all' } },
};

const tryKind = (kind: string): Promise<TriedRequest> =>
  tryRequest(
    {
      target: 'x',
      request: partRequest.parse({ name: 'tried', [kind]: TRIED[kind as RequestKind].request }),
      parameters: {},
      seed: 1,
      draw: 0,
      index: 'products',
    },
    { connection, folder: '/', allowedHosts: undefined, signal: new AbortController().signal },
  );

const REFUSED = Object.entries(TRIED).flatMap(([kind, { sent }]) =>
  sent === undefined ? [] : [[kind, sent] as const],
);
/**
 * Kinds of requests that Dyno does not send from the editor (*Try it*), because they change existing data. Another test in this file sends
 * them in a run.
 */
const MAINTAINING: readonly string[] = ['refresh', 'force-merge'];
const ANSWERED = Object.keys(TRIED).filter(
  (kind) => !MAINTAINING.includes(kind) && !REFUSED.some(([name]) => name === kind),
);

test.each(ANSWERED)('a request of the kind %s is answered', async (kind) => {
  const { outcome, steps } = await tryKind(kind);
  const failures = steps.flatMap(({ failure: why }) => why ?? []);
  expect({ outcome, failures }).toEqual({ outcome: 'accepted', failures: [] });
});

test.each(REFUSED)(
  'a request of the kind %s is refused before it is sent, and would fail',
  async (kind, [api, body]) => {
    expect((await failure(tryKind(kind))).problems[0]).toMatchObject({
      code: 'target.missing-feature',
      path: `request.${kind}`,
      message: `OpenSearch 3.6.0${kind === 'knn' ? ' without the plugin opensearch-knn' : ''} offers no requests of the kind ${kind}`,
    });
    expect((await ask('POST', `${target.url}${api}`, body)).status).toBeGreaterThanOrEqual(400);
  },
);

test('every kind of request is decided', () => {
  expect(Object.keys(TRIED).sort()).toEqual(REQUEST_KINDS.map(({ name }) => name).sort());
});

test('a point in time returns every hit once, although all sort values are equal to another’s', async () => {
  const seen: string[] = [];
  const pages = partRequest.parse({
    name: 'pages',
    'point-in-time': { size: 3, pages: 2, body: { sort: [{ 'host.name.keyword': 'asc' }] } },
  });
  const { steps } = await tryRequest(
    { target: 'x', request: pages, parameters: {}, seed: 1, draw: 0, index: 'products' },
    { connection, folder: '/', allowedHosts: undefined, signal: new AbortController().signal },
  );
  for (const { answer } of steps) {
    const { hits } = JSON.parse(answer ?? '{}') as { hits?: { hits: { _id: string }[] } };
    seen.push(...(hits?.hits ?? []).map(({ _id }) => _id));
  }
  expect(seen.length).toBeGreaterThan(3);
  expect(new Set(seen).size).toBe(seen.length);
});

/** Returns the object with `value` at a path such as `knn.similarity`. */
const within = (path: string, value: unknown = {}): Json =>
  path.split('.').reduceRight((inner, key) => ({ [key]: inner }), value) as Json;

/**
 * Requests that show whether an engine has a feature, by the kind of feature (query, aggregation, ...). `send`: returns the body of a
 * request that uses the feature. `says`: matches the engine's error if it lacks the feature.
 */
const UNKNOWN: Readonly<
  Partial<Record<Aspect, { send: (name: string, value: unknown) => Json; says: RegExp }>>
> = {
  query: { send: (name) => ({ query: within(name) }), says: /unknown query/ },
  aggregation: { send: (name) => ({ aggs: { a: within(name) } }), says: /Unknown aggregation type/ },
  search: { send: within, says: /Unknown key|unknown field/ },
  sort: { send: (name) => ({ sort: [name] }), says: /No mapping found/ },
  field: {
    send: (name) => ({ mappings: { properties: { f: { type: name } } } }),
    says: /No handler for type/,
  },
  mapping: {
    send: (name, value = {}) => {
      const own = within(name, value);
      const [key, inner] = Object.entries(own)[0]!;
      if (key === 'dynamic_templates')
        return { mappings: { [key]: [{ t: { match: 'a', ...(inner as Json) } }] } };
      // Some parameters belong to a whole mapping, others to a field.
      return {
        mappings: OF_FIELDS.test(name)
          ? { properties: { f: { type: OF_SHAPES.test(name) ? 'geo_shape' : 'keyword', ...own } } }
          : own,
      };
    },
    says: /unknown parameter|unsupported parameters|\[dynamic\.dynamic\]|template parameter|template unsupported/i,
  },
  setting: {
    send: (name, value = 'x') => ({ settings: { [`index.${name}`]: value } }),
    says: /unknown setting|unknown value/,
  },
  processor: {
    send: (name) => ({ processors: [{ [name]: {} }] }),
    says: /No processor type exists/,
  },
  cluster: { send: (name) => ({ persistent: { [name]: 'x' } }), says: /not recognized/ },
};
/** Paths to which a feature is sent, by the kind of feature. Default: the path of an index. */
const PLACES: Readonly<Partial<Record<Aspect, string>>> = {
  processor: '_ingest/pipeline/probe',
  cluster: '_cluster/settings',
};
/** Matches the names of mapping parameters that a single field has. All other names are parameters of the whole mapping. */
const OF_FIELDS =
  /^(boost|script|on_script_error|time_series_.*|synthetic_source_keep|tree|tree_levels|strategy|distance_error_pct)$/;
/** Matches the names of mapping parameters that only the field type `geo_shape` has. */
const OF_SHAPES = /^(tree|strategy|distance)/;
const OF_SEARCHES: readonly Aspect[] = ['query', 'aggregation', 'search', 'sort'];

const listedUses = FEATURES.flatMap(({ aspect, names, values = [undefined] }) =>
  UNKNOWN[aspect] === undefined
    ? []
    : names
        .filter((name) => !name.includes('*'))
        .flatMap((name) => values.map((value) => ({ aspect, name, value }))),
);

test('the table of capabilities agrees with this OpenSearch', async () => {
  const differs: object[] = [];
  for (const use of listedUses) {
    const { send, says } = UNKNOWN[use.aspect]!;
    const body = send(use.name, use.value);
    const place = PLACES[use.aspect] ?? 'probe';
    const answer = OF_SEARCHES.includes(use.aspect)
      ? await ask<unknown>('POST', `${target.url}/products/_search`, body)
      : await ask<unknown>('PUT', `${target.url}/${place}`, body);
    if (!OF_SEARCHES.includes(use.aspect)) await ask('DELETE', `${target.url}/${place}`);
    const isKnown = answer.status < 300 || !says.test(JSON.stringify(answer.body));
    if (isKnown !== (missingFeature(use, offered) === undefined))
      differs.push({ ...use, answer: answer.body });
  }
  expect(differs).toEqual([]);
  expect(listedUses.length).toBeGreaterThan(70);
});

const listedParameters = FEATURES.flatMap(({ aspect, names }) => (aspect === 'parameter' ? names : []));
/** Requests to the APIs whose query parameters are in the table. OpenSearch refuses unknown parameters before it executes a request. */
const OF_PARAMETERS: Readonly<Record<string, [method: 'PUT' | 'POST', path: string, body?: string]>> = {
  _search: ['POST', 'products/_search'],
  _field_caps: ['POST', 'products/_field_caps?fields=n'],
  _mget: ['POST', 'products/_mget'],
  _doc: ['PUT', 'probe/_doc/1'],
  _update: ['POST', 'probe/_update/1'],
  _bulk: ['POST', 'probe/_bulk', '{"index":{}}\n{}\n'],
  _forcemerge: ['POST', 'probe/_forcemerge'],
};

test.each(listedParameters)(
  'the table agrees with this OpenSearch about the query parameter %s',
  async (name) => {
    const [api, parameter] = name.split('?') as [string, string];
    const [method, asked, sent = {}] = OF_PARAMETERS[api]!;
    const url = `${target.url}/${asked}${asked.includes('?') ? '&' : '?'}${parameter}=1s`;
    const { body } = await ask<unknown>(method, url, sent);
    const isKnown = !/unrecognized parameter/.test(JSON.stringify(body));
    expect(isKnown).toBe(missingFeature({ aspect: 'parameter', name }, offered) === undefined);
  },
);

/** Calls of every API that Dyno uses, in the order in which they are tested. A new API must be added here, or to {@link NOT_OFFERED}. */
const CALLS: readonly [name: keyof typeof api, endpoint: () => Endpoint<unknown>][] = [
  ['root', () => api.root()],
  ['clusterState', () => api.clusterState()],
  ['clusterHealth', () => api.clusterHealth()],
  ['clusterSettings', () => api.clusterSettings()],
  ['allClusterSettings', () => api.allClusterSettings()],
  ['effectiveSettings', () => api.effectiveSettings('cluster.routing.allocation')],
  ['putClusterSettings', () => api.putClusterSettings({ 'indices.recovery.max_bytes_per_sec': '41mb' })],
  ['putClusterSettings', () => api.putClusterSettings({ 'indices.recovery.max_bytes_per_sec': null })],
  ['nodes', () => api.nodes('stats/os,fs', ['os.mem', 'fs'], z.unknown())],
  ['nodeTimes', () => api.nodeTimes('_master/')],
  ['hotThreads', () => api.hotThreads(50)],
  ['createIndex', () => api.createIndex('calls', { mappings: { properties: { at: { type: 'date' } } } })],
  ['indexExists', () => api.indexExists('calls')],
  ['putMapping', () => api.putMapping('calls', { properties: { own: { type: 'keyword' } } })],
  ['putSettings', () => api.putSettings('calls', { 'index.refresh_interval': '2s' })],
  ['getSettings', () => api.getSettings('calls', ['index.refresh_interval'])],
  ['nestedSettings', () => api.nestedSettings('calls', z.unknown(), {})],
  ['getIndices', () => api.getIndices('calls', z.unknown(), {})],
  ['getMappings', () => api.getMappings('calls')],
  ['putDocument', () => api.putDocument('calls', '1', { own: 'a', at: 1 }, { refresh: true })],
  ['getDocument', () => api.getDocument('calls', '1')],
  ['documentVersion', () => api.documentVersion('calls', '1')],
  ['updateDocument', () => api.updateDocument('calls', '1', { own: 'b' }, {})],
  ['getDocuments', () => api.getDocuments('calls', ['1'])],
  ['documentVersions', () => api.documentVersions([{ index: 'calls', id: '1' }])],
  ['bulk', () => api.bulk('index', '{"index":{"_index":"calls"}}\n{"own":"c"}\n', 10_000)],
  ['bulkInto', () => api.bulkInto('calls', '{"index":{}}\n{"own":"c"}\n', { timeoutMs: 10_000 })],
  ['refresh', () => api.refresh('calls')],
  ['search', () => api.search('calls', { size: 1 }, z.unknown())],
  ['profiledSearch', () => api.profiledSearch('/calls/_search', {}, { size: 1 }, profiledAnswer)],
  ['searchTime', () => api.searchTime('calls')],
  ['clusterSeconds', () => api.clusterSeconds('calls')],
  ['count', () => api.count('calls')],
  ['fieldCapabilities', () => api.fieldCapabilities('calls', ['*'])],
  ['indexHealth', () => api.indexHealth('calls')],
  ['shardsOf', () => api.shardsOf('calls')],
  ['explainAllocation', () => api.explainAllocation({ index: 'calls', shard: 0, primary: false })],
  ['forceMerge', () => api.forceMerge('calls', 1)],
  ['clearCaches', () => api.clearCaches('calls')],
  ['indexFigures', () => api.indexFigures('calls', '_segments', z.unknown(), {})],
  ['indicesLike', () => api.indicesLike('cal*')],
  ['allNames', () => api.allNames()],
  ['reindex', () => api.reindex('calls', 'calls-again')],
  ['reindexTasks', () => api.reindexTasks()],
  ['closeIndices', () => api.closeIndices('calls')],
  ['openIndices', () => api.openIndices('calls')],
  ['putSettings', () => api.putSettings('calls', { 'index.blocks.write': true })],
  ['cloneIndex', () => api.cloneIndex('calls', 'calls-copy', { 'index.blocks.write': null })],
  [
    'putIndexTemplate',
    () => api.putIndexTemplate('calls', { index_patterns: ['calls-s*'], data_stream: {}, _meta: {} }),
  ],
  ['templateExists', () => api.templateExists('calls')],
  ['indexTemplate', () => api.indexTemplate('calls')],
  ['templateMarks', () => api.templateMarks()],
  ['wholeTemplates', () => api.wholeTemplates('_index_template', z.unknown())],
  ['putDataStream', () => api.putDataStream('calls-stream')],
  ['rollOver', () => api.rollOver('calls-stream', { max_docs: 1 })],
  ['deleteDataStream', () => api.deleteDataStream('calls-stream')],
  ['deleteIndexTemplate', () => api.deleteIndexTemplate('calls')],
  ['putIngestPipeline', () => api.putIngestPipeline('calls', PIPELINE)],
  ['ingestPipeline', () => api.ingestPipeline('calls')],
  ['pipelineMarks', () => api.pipelineMarks()],
  ['simulatePipeline', () => api.simulatePipeline(PIPELINE, [{ own: 'a' }])],
  ['deleteIngestPipeline', () => api.deleteIngestPipeline('calls')],
  ['deleteDocument', () => api.deleteDocument('calls-again', '1', {})],
  ...['calls', 'calls-copy', 'calls-again'].map((index): (typeof CALLS)[number] => [
    'deleteIndex',
    () => api.deleteIndex(index),
  ]),
];
const PIPELINE = { processors: [{ set: { field: 'own', value: 'x' } }] };

/** APIs that OpenSearch lacks. The comments say what Dyno does without each of them. */
const NOT_OFFERED: readonly (keyof typeof api)[] = [
  // Dyno asks the security plugin whether it would allow a request.
  'authenticate',
  'hasPrivileges',
  // Dyno refuses the metric `measure.disk-usage`.
  'diskUsage',
];
/** Exports of the API module that this test does not call: APIs that other tests call, and exports that are not APIs. */
const ELSEWHERE: readonly (keyof typeof api)[] = [
  ...(['snapshotRepositories', 'getSnapshots', 'restoreSnapshot', 'recoveryOf'] as const),
  ...(['openPointInTime', 'searchPointInTime', 'closePointInTime', 'reindexNothing', 'cancelTask'] as const),
  ...(['pathOf', 'unchanged', 'pages', 'HOURS_MS'] as const),
];

test('every API that Dyno uses is answered as Elasticsearch answers it', async () => {
  const known = new Set([...CALLS.map(([name]) => name), ...NOT_OFFERED, ...ELSEWHERE]);
  expect(Object.keys(api).filter((name) => !known.has(name as keyof typeof api))).toEqual([]);
  const failed: string[] = [];
  for (const [name, endpoint] of CALLS)
    await askTarget(connection, endpoint(), name).catch((error: Error) =>
      failed.push(`${name}: ${error.message}`),
    );
  expect(failed).toEqual([]);
  // A missing API and an API that refuses an empty request give different answers.
  expect((await connection.request(api.reindexNothing())).status).toBe(400);
});

test('a trial begins with an index of a snapshot', async () => {
  const backups = `${target.url}/_snapshot/backups`;
  await ask('PUT', backups, { type: 'fs', settings: { location: repository } });
  await ask('PUT', `${backups}/nightly?wait_for_completion=true`, { indices: 'products' });
  const { code, stderr, report } = await run({
    preload: { 'from-snapshot': { repository: 'backups', snapshot: 'nightly', index: 'products' } },
    index: { settings: { number_of_replicas: 0 } },
    tasks: [
      {
        name: 'count',
        requests: { list: [{ name: 'all', count: {}, expect: ['count == 500'] }] },
        executor: { 'constant-rate': { rate: 5 } },
      },
    ],
    measure: { warmup: '0s', duration: '2s' },
    trials: 1,
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const [trial] = await trialsOf(report!);
  expect(trial).toMatchObject({ preload: { documents: 500, built: 'snapshot' } });
  expect(trial!.tasks[0]!.total.failed).toBe(0);
  expect(await leftOver()).toEqual([]);
});

test('permissions are not reported without the security plugin, and the question changes nothing', async () => {
  expect(await checkAccess(connection, offered, ['dyno-trial-*'])).toBe('');
  expect(await checkAccess(connection, { ...offered, plugins: null }, ['dyno-trial-*'])).toContain(
    'does not report the permissions',
  );
  expect(await leftOver()).toEqual([]);
});

test('the facts of the target name the engine, and no missing modules of Elasticsearch', async () => {
  const facts: TargetFacts = await inspect(new Connection({ hosts: [target.url] }));
  expect(facts).toMatchObject({
    reachable: true,
    problem: '',
    cluster: { engine: 'opensearch', version: '3.6.0', serverless: false, health: expect.any(String) },
    nodes: [{ version: '3.6.0', jvm: expect.stringContaining('OpenJDK') }],
    missing: [],
  });
});

test('the statistics of the nodes and indices are read', async () => {
  const { nodes, shards } = await takeSnapshot(connection, ['products']);
  expect(Object.keys(nodes)).toHaveLength(1);
  expect(Object.keys(shards)).toHaveLength(1);
});

test('a profile is learned from an index', async () => {
  const { code, stderr } = await place.dyno(
    ...['learn', 'products', '--elasticsearch', target.url, '--to', path.join(place.folder, 'profile.json')],
  );
  expect({ code, stderr }).toMatchObject({ code: 0 });
});
