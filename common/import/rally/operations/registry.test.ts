import { madeTrack, NO_PYTHON } from '../testing/made-track';
import { convert, KNOWN_TYPES, type Conversion } from './registry';

const TRACK = {
  indices: [{ name: 'shop' }],
  corpora: [{ name: 'c', documents: [{ 'source-file': 'd.json', 'document-count': 10 }] }],
  'component-templates': [{ name: 'part', template: 'part.json' }],
  'composable-templates': [{ name: 'whole', 'index-pattern': 'shop-*', template: 'whole.json' }],
  templates: [{ name: 'old', 'index-pattern': 'old-*', template: 'whole.json' }],
  schedule: [{ operation: 'refresh' }],
};
const FILES = {
  'part.json': '{"template": {"settings": {"index": {"final_pipeline": "p", "codec": "best_compression"}}}}',
  'whole.json': '{"index_patterns": ["shop-*"]}',
};

function made(type: string, params: Record<string, unknown> = {}): Conversion {
  const track = madeTrack(TRACK, FILES);
  const operation = { name: type, type, params };
  const task = { name: type, operation, place: 'schedule[0]', clients: 1 };
  return convert({ task, operation, params, track, python: NO_PYTHON });
}

/** Returns the requests as `METHOD path {params} {body}`. */
const sent = (...given: Parameters<typeof made>): string[] => {
  const conversion = made(...given);
  if (!('sends' in conversion)) return [JSON.stringify(conversion)];
  return conversion.sends.map(({ method, path, params = {}, body }) =>
    [
      method,
      path,
      Object.keys(params).length === 0 ? '' : JSON.stringify(params),
      body === undefined ? '' : JSON.stringify(body),
    ]
      .filter(Boolean)
      .join(' '),
  );
};

const body = { a: 1 };

test.each<[string, Record<string, unknown>, string[]]>([
  ['search', { body, cache: true }, ['GET /shop/_search {"request_cache":true} {"a":1}']],
  [
    'search',
    { body, index: 'a,b*', 'request-params': { preference: 'x' } },
    ['GET /a,b*/_search {"preference":"x"} {"a":1}'],
  ],
  ['esql', { query: 'FROM shop', filter: { f: 1 } }, ['POST /_query {"query":"FROM shop","filter":{"f":1}}']],
  ['esql-profile', { query: 'FROM shop' }, ['POST /_query {"query":"FROM shop","profile":true}']],
  ['sql', { body: { query: 'SELECT 1' } }, ['POST /_sql {"query":"SELECT 1"}']],
  ['search', { body, 'results-per-page': '50' }, ['GET /shop/_search {"a":1,"size":"50"}']],
  [
    'search',
    { body, 'results-per-page': 0, cache: 'True' },
    ['GET /shop/_search {"request_cache":"true"} {"a":1}'],
  ],
  ['force-merge', { 'max-num-segments': '1' }, ['POST /shop/_forcemerge {"max_num_segments":"1"}']],
  [
    'create-snapshot',
    { repository: 'r', snapshot: 't', body, 'wait-for-completion': 'true' },
    ['PUT /_snapshot/r/t {"wait_for_completion":"true"} {"a":1}'],
  ],
  ['delete-index', { 'only-if-exists': 0 }, ['DELETE /shop']],
  ['field-caps', { index: 'shop' }, ['POST /shop/_field_caps {"fields":"*"}']],
  ['raw-request', { path: '/_cat/x?v=true', method: 'get' }, ['GET /_cat/x {"v":"true"}']],
  [
    'composite',
    {
      requests: [
        { 'operation-type': 'search', body },
        { 'operation-type': 'raw-request', path: '/' },
      ],
    },
    ['GET /shop/_search {"a":1}', 'GET /'],
  ],
  ['create-index', { settings: { n: 1 } }, ['PUT /shop {"settings":{"n":1}}']],
  ['delete-index', {}, ['DELETE /shop {"ignore_unavailable":true}']],
  ['create-data-stream', { 'data-stream': 'logs' }, ['PUT /_data_stream/logs']],
  ['delete-data-stream', { 'data-stream': 'logs' }, ['DELETE /_data_stream/logs']],
  ['create-composable-template', {}, ['PUT /_index_template/whole {"index_patterns":["shop-*"]}']],
  ['create-index-template', {}, ['PUT /_template/old {"index_patterns":["shop-*"]}']],
  ['delete-composable-template', {}, ['DELETE /_index_template/whole', 'DELETE /shop-*']],
  ['delete-component-template', {}, ['DELETE /_component_template/part']],
  ['delete-index-template', {}, ['DELETE /_template/old', 'DELETE /old-*']],
  [
    'cluster-health',
    { index: 'shop', 'request-params': { wait_for_status: 'green' } },
    ['GET /_cluster/health/shop {"wait_for_status":"green"}'],
  ],
  ['refresh', {}, ['POST /_refresh']],
  [
    'force-merge',
    { 'max-num-segments': 1, mode: 'polling' },
    ['POST /shop/_forcemerge {"max_num_segments":1,"wait_for_completion":false}'],
  ],
  ['index-stats', {}, ['GET /_all/_stats/_all']],
  ['node-stats', {}, ['GET /_nodes/stats/_all']],
  ['put-settings', { body }, ['PUT /_cluster/settings {"a":1}']],
  ['put-pipeline', { id: 'p', body }, ['PUT /_ingest/pipeline/p {"a":1}']],
  ['create-ilm-policy', { 'policy-name': 'p', body }, ['PUT /_ilm/policy/p {"a":1}']],
  ['delete-ilm-policy', { 'policy-name': 'p' }, ['DELETE /_ilm/policy/p']],
  ['create-snapshot-repository', { repository: 'r', body }, ['PUT /_snapshot/r {"a":1}']],
  ['delete-snapshot-repository', { repository: 'r' }, ['DELETE /_snapshot/r']],
  [
    'create-snapshot',
    { repository: 'r', snapshot: 's', body },
    ['PUT /_snapshot/r/s {"wait_for_completion":false} {"a":1}'],
  ],
  [
    'restore-snapshot',
    { repository: 'r', snapshot: 's' },
    ['POST /_snapshot/r/s/_restore {"wait_for_completion":false} {}'],
  ],
  [
    'downsample',
    { 'source-index': 'shop', 'fixed-interval': '1h' },
    ['POST /shop/_downsample/shop-1h {"fixed_interval":"1h"}'],
  ],
  [
    'create-transform',
    { 'transform-id': 't', body },
    ['PUT /_transform/t {"defer_validation":false} {"a":1}'],
  ],
  ['start-transform', { 'transform-id': 't' }, ['POST /_transform/t/_start']],
  ['delete-transform', { 'transform-id': 't' }, ['DELETE /_transform/t {"force":false}']],
  ['transform-stats', { 'transform-id': 't' }, ['GET /_transform/t/_stats']],
  ['create-ml-job', { 'job-id': 'j', body }, ['PUT /_ml/anomaly_detectors/j {"a":1}']],
  ['open-ml-job', { 'job-id': 'j' }, ['POST /_ml/anomaly_detectors/j/_open']],
  ['close-ml-job', { 'job-id': 'j' }, ['POST /_ml/anomaly_detectors/j/_close {"force":false}']],
  ['delete-ml-job', { 'job-id': 'j' }, ['DELETE /_ml/anomaly_detectors/j {"force":false}']],
  ['create-ml-datafeed', { 'datafeed-id': 'd', body }, ['PUT /_ml/datafeeds/d {"a":1}']],
  [
    'start-ml-datafeed',
    { 'datafeed-id': 'd', start: 'now' },
    ['POST /_ml/datafeeds/d/_start {"start":"now"}'],
  ],
  ['stop-ml-datafeed', { 'datafeed-id': 'd' }, ['POST /_ml/datafeeds/d/_stop {"force":false}']],
  ['delete-ml-datafeed', { 'datafeed-id': 'd' }, ['DELETE /_ml/datafeeds/d {"force":false}']],
])('%s %j', (type, params, wires) => {
  expect(sent(type, params)).toEqual(wires);
});

test.each<[string, Record<string, unknown>, string]>([
  ['search', { body, pages: 3 }, 'scroll'],
  ['scroll-search', {}, 'scroll'],
  ['paginated-search', {}, 'search_after'],
  ['composite-agg', {}, 'after_key'],
  ['sql', { body: { query: 'SELECT 1' }, pages: 2 }, 'reads 2 pages'],
  ['composite', { requests: [{ stream: [] }] }, 'several streams'],
  ['composite', { requests: [{ 'operation-type': 'open-point-in-time' }] }, 'open-point-in-time'],
  ['composite', {}, 'no list of requests'],
  ['raw-request', { path: '/x', method: 'PATCH' }, 'sends PATCH'],
  ['raw-request', {}, 'has no path'],
  ['raw-request', { path: '/a?x=1&y=2&x=3' }, 'sends the parameter x of its path several times'],
  [
    'raw-request',
    { path: '/a?x=1', 'request-params': { x: 2 } },
    'sends the parameter x in its path and in request-params',
  ],
  ['search', { body, 'request-timeout': '30s' }, 'the request-timeout "30s", which is not a number'],
  ['search', { body, 'request-timeout': true }, 'the request-timeout true, which is not a number'],
  ['search', { 'results-per-page': 5 }, 'has results-per-page but no body'],
  ['search', { body, assertions: [], 'detailed-results': false }, 'has assertions'],
  ['search', { body: 'text' }, 'a body that is not an object'],
  ['shrink-index', {}, 'looks for a node'],
  ['wait-for-snapshot-create', {}, 'until a snapshot is done'],
  ['wait-for-current-snapshots-create', {}, 'until no snapshot'],
  ['wait-for-recovery', {}, 'recovered'],
  ['wait-for-transform', {}, 'until a transform'],
  ['sleep', { duration: 3 }, '3 seconds'],
  ['bulk', {}, 'has no bulk-size'],
  ['bulk', { 'bulk-size': true }, 'the bulk-size true, which is not a number'],
  ['bulk', { 'bulk-size': '2.5' }, 'a bulk-size of 2.5, which is not a whole number'],
  ['bulk', { 'bulk-size': 0.5 }, 'a bulk-size of 0.5, which is not a whole number'],
  ['bulk', { 'bulk-size': 5, 'ingest-percentage': 0 }, 'an ingest-percentage of 0'],
  ['bulk', { 'bulk-size': 5, 'ingest-doc-count': 7 }, 'not a multiple of its bulk-size 5'],
  ['bulk', { 'bulk-size': 5, 'ingest-doc-count': 50 }, 'its corpora have 10 documents'],
  ['bulk', { 'bulk-size': 5, 'ingest-doc-count': 5, 'ingest-percentage': 5 }, 'has both'],
  ['bulk', { corpora: 'none', 'bulk-size': 1 }, 'has no documents: `corpora` names "none"'],
  ['bulk', { indices: ['none'], 'bulk-size': 1 }, 'has no documents: `indices` names "none"'],
])('%s %j is left out', (type, params, reason) => {
  const conversion = made(type, params);
  expect('left' in conversion ? conversion.left : '').toContain(reason);
});

test('converts documents, ids and parameters of a bulk', () => {
  expect(
    made('bulk', {
      'bulk-size': 5,
      conflicts: 'random',
      'on-conflict': 'update',
      recency: 0.5,
      refresh: 'true',
      pipeline: 'p',
    }),
  ).toMatchObject({
    ingest: {
      files: [{ file: 'd.json', count: 10, times: 1, target: 'shop' }],
      bulkSize: 5,
      pipeline: 'p',
      more: {
        ids: { by: 'random', recency: 0.5 },
        actions: { index: 75, update: 25 },
        update: { doc: 'whole' },
        params: { refresh: true },
      },
    },
  });
});

test.each([
  [
    { 'on-conflict': 'update', 'conflict-probability': 20 },
    { actions: { index: 80, update: 20 }, ids: { by: 'sequential' } },
  ],
  [{ 'on-conflict': 'index', 'conflict-probability': 20 }, { ids: { by: 'sequential', conflicts: 0.2 } }],
  [{ 'on-conflict': 'update', 'conflict-probability': 0 }, { ids: { by: 'sequential', conflicts: 0 } }],
  [
    { 'on-conflict': 'update', 'conflict-probability': 100 },
    {
      actions: { update: 1 },
      ids: { by: 'sequential', conflicts: 1 },
      update: { doc: 'whole', doc_as_upsert: true },
    },
  ],
])('of documents that conflict as %j says, only those are updates', (params, more) => {
  const found = made('bulk', { 'bulk-size': 5, conflicts: 'sequential', ...params });
  expect(found).toMatchObject({ ingest: { more } });
});

test.each([
  [{ conflicts: 'sometimes' }, 'has conflicts: sometimes, which is not one of sequential, random'],
  [{ conflicts: 'random', 'on-conflict': 'delete' }, 'has on-conflict: delete'],
  [
    { conflicts: 'random', 'conflict-probability': 120 },
    'has a conflict-probability that is not between 0 and 100',
  ],
  [{ conflicts: 'random', recency: 2 }, 'has a recency that is not between 0 and 1'],
])('a bulk with %j is left out', (params, reason) => {
  expect(made('bulk', { 'bulk-size': 5, ...params })).toMatchObject({
    left: expect.stringContaining(reason),
  });
});

test('suggests the correct type for a misspelt one', () => {
  expect(made('serach')).toMatchObject({ left: expect.stringContaining('did you mean search?') });
});

test('converts conditions and assertions to expectations', () => {
  expect(
    made('index-stats', { condition: { path: '_all.total.merges.current', 'expected-value': 0 } }),
  ).toMatchObject({
    expect: ['_all.total.merges.current == 0'],
  });
  expect(
    made('search', { body, assertions: [{ property: 'hits', condition: '>', value: 0 }] }),
  ).toMatchObject({ expect: ['hits.total.value > 0'] });
});

test('covers or excludes every known type in this test', () => {
  expect(KNOWN_TYPES.length).toBeGreaterThan(50);
});

test('reads a timeout in seconds as a number or a text', () => {
  expect(made('search', { body, 'request-timeout': '30' })).toMatchObject({ timeout: 30 });
  expect(made('bulk', { 'bulk-size': 5, 'request-timeout': 7.5 })).toMatchObject({ timeout: 7.5 });
  expect(made('search', { body, 'request-timeout': 0 })).not.toHaveProperty('timeout');
});

test('truncates a bulk-size with a fraction, like Python', () => {
  expect(made('bulk', { 'bulk-size': 110.00000000000001 })).toMatchObject({ ingest: { bulkSize: 110 } });
});

test('reports unknown names in a bulk', () => {
  expect(made('bulk', { 'bulk-size': 5, corpora: ['c', 'd'], indices: ['shop', 'shp'] })).toMatchObject({
    lost: [
      '`corpora` names "d", which is not a corpus of the track; did you mean c?',
      '`indices` names "shp", which is not the target of any of its documents; did you mean shop?',
    ],
  });
  expect(made('bulk', { 'bulk-size': 5, corpora: 'c', indices: 'shop' })).not.toHaveProperty('lost');
});
