import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { sayAllUnasked } from '../../common/analysis/unasked';
import { unaskedParts, type WantedIndex } from './index-parts';

const FORBIDDEN = { status: 403, body: { error: { type: 'security_exception', reason: 'no' } } };

/** Simulates a target with `index` and these templates. Records other requests. */
function target(index: object, templates: Record<string, unknown> = {}) {
  const asked: string[] = [];
  const bodies: Record<string, unknown> = {
    '/_index_template': { index_templates: [] },
    '/_template': {},
    ...templates,
    '/t-1': { 't-1': { aliases: {}, mappings: {}, settings: {}, ...index } },
  };
  const client: ElasticsearchClient = {
    request: <T>({ path }: ElasticsearchRequest) => {
      asked.push(path);
      const body = bodies[path];
      return Promise.resolve(
        body === undefined ? { ...FORBIDDEN, body: FORBIDDEN.body as T } : { status: 200, body: body as T },
      );
    },
  };
  return { client, asked };
}

const AUTOMATIC = {
  'index.creation_date': '1',
  'index.uuid': 'u',
  'index.provided_name': 't-1',
  'index.version.created': '9050399',
  'index.number_of_shards': '1',
  'index.number_of_replicas': '1',
  'index.routing.allocation.include._tier_preference': 'data_content',
};

const wanted: WantedIndex = { index: 't-1', settings: {}, mapping: {} };
const found = async (
  index: object,
  templates?: Record<string, unknown>,
  more: Partial<WantedIndex> = {},
): Promise<string> =>
  sayAllUnasked(await unaskedParts(target(index, templates).client, [{ ...wanted, ...more }]));

const composable = (name: string, template: object, more: object = {}): object => ({
  name,
  index_template: { index_patterns: ['t-*'], template, composed_of: [], ...more },
});

test('for an index that matches its definition, one request suffices and templates are not read', async () => {
  const settings = { ...AUTOMATIC, 'index.refresh_interval': '30s', 'index.sort.field': ['a', 'b'] };
  const mappings = {
    _meta: { dyno: {} },
    dynamic: 'false',
    properties: { a: { properties: { b: { type: 'keyword', ignore_above: 256 } } }, v: { type: 'text' } },
  };
  const { client, asked } = target({ settings, mappings });
  const own = {
    ...wanted,
    settings: { index: { refresh_interval: '30s' }, 'sort.field': ['a', 'b'], codec: null },
    mapping: {
      dynamic: false,
      properties: { 'a.b': { type: 'keyword', ignore_above: 256 }, v: { type: 'text' } },
    },
  };
  expect(await unaskedParts(client, [own])).toEqual([]);
  expect(asked).toEqual(['/t-1']);
});

test('the origin is the index template with the highest priority, or its component template', async () => {
  const settings = {
    ...AUTOMATIC,
    'index.refresh_interval': '45s',
    'index.translog.durability': 'async',
    'index.number_of_shards': '3',
  };
  const templates = {
    '/_index_template': {
      index_templates: [
        composable('low', { settings: { index: { refresh_interval: '45s' } } }, { priority: 1 }),
        composable(
          'high',
          { settings: { index: { refresh_interval: '45s', number_of_shards: '3' } } },
          { priority: 7, composed_of: ['part'] },
        ),
        composable('other', {}, { index_patterns: ['x-*'], priority: 99 }),
      ],
    },
    '/_component_template/part': {
      component_templates: [
        {
          name: 'part',
          component_template: { template: { settings: { index: { translog: { durability: 'async' } } } } },
        },
      ],
    },
    // A template that does not apply because a composable template matches.
    '/_template': { old: { index_patterns: ['*'], settings: { index: { refresh_interval: '45s' } } } },
  };
  expect(await found({ settings }, templates)).toBe(
    'index.number_of_shards 3 (index template high); index.refresh_interval 45s (index template high); ' +
      'index.translog.durability async (component template part of index template high)',
  );
});

test('the origin may be a legacy template, also of aliases, pipelines and parts of the mapping', async () => {
  const mappings = {
    dynamic: 'strict',
    _source: { enabled: false },
    properties: {
      mine: { type: 'keyword', doc_values: false },
      theirs: { type: 'long' },
      deep: { properties: { one: { type: 'ip' } } },
    },
  };
  const settings = { ...AUTOMATIC, 'index.default_pipeline': 'strip', 'index.final_pipeline': 'end' };
  const legacy = {
    order: 2,
    index_patterns: ['t-*'],
    settings: { index: { default_pipeline: 'strip', final_pipeline: 'end' } },
    mappings: {
      dynamic: 'strict',
      _source: { enabled: false },
      properties: {
        mine: { doc_values: false },
        theirs: { type: 'long' },
        deep: { properties: { one: { type: 'ip' } } },
      },
    },
    aliases: { all: {} },
  };
  const own = { mapping: { properties: { mine: { type: 'keyword' } } } };
  expect(
    await found(
      { settings, mappings, aliases: { all: {} } },
      { '/_template': { legacy, earlier: { ...legacy, order: 1 } } },
      own,
    ),
  ).toBe(
    'alias all (legacy template legacy); index.default_pipeline strip (legacy template legacy); ' +
      'index.final_pipeline end (legacy template legacy); ' +
      'mapping _source.enabled: false, deep.one, dynamic: strict, mine, theirs (legacy template legacy)',
  );
});

test('if templates may not be read, the origin of additional parts is unknown', async () => {
  const index = {
    settings: { ...AUTOMATIC, 'index.refresh_interval': '45s' },
    mappings: { properties: { theirs: { type: 'long' }, v: { type: 'dense_vector', index: true } } },
  };
  const unreadable = { '/_index_template': undefined, '/_template': undefined };
  const own = { mapping: { properties: { v: { type: 'dense_vector' } } } };
  expect(await found(index, unreadable, own)).toBe(
    'index.refresh_interval 45s (elsewhere; these credentials may not read the index templates); ' +
      'mapping theirs (elsewhere; these credentials may not read the index templates)',
  );
});

test('a setting without a template is reported if trials depend on it, and otherwise counts as a new default of Elasticsearch', async () => {
  const settings = { ...AUTOMATIC, 'index.mode': 'logsdb', 'index.some_default_of_version_10': 'true' };
  expect(await found({ settings })).toBe('index.mode logsdb (elsewhere)');
});

test('a requested setting with another value is reported', async () => {
  const settings = { ...AUTOMATIC, 'index.number_of_replicas': '0', 'index.refresh_interval': '5s' };
  const asked = { number_of_replicas: 0, refresh_interval: '1s' };
  expect(await found({ settings }, {}, { settings: asked })).toBe(
    'index.refresh_interval 5s instead of 1s (elsewhere)',
  );
});

test('settings that follow from an index mode, and expanded replicas, are not reported', async () => {
  const settings = {
    ...AUTOMATIC,
    'index.mode': 'time_series',
    'index.time_series.start_time': '2026',
    'index.routing_path': ['a'],
    'index.sort.field': ['_tsid'],
    'index.mapping.source.mode': 'synthetic',
    'index.auto_expand_replicas': '0-1',
    'index.number_of_replicas': '0',
  };
  const asked = {
    mode: 'time_series',
    routing_path: ['a'],
    auto_expand_replicas: '0-1',
    number_of_replicas: 1,
  };
  expect(await found({ settings }, {}, { settings: asked })).toBe('');
});

test('a data stream is compared by its backing indices, and its own template is ignored', async () => {
  const backing = (own: object): object => ({
    '/t-1': {
      '.ds-t-1-2026.11.26-000001': {
        data_stream: 't-1',
        aliases: {},
        settings: { ...AUTOMATIC, 'index.hidden': 'true', ...own },
        mappings: {
          _data_stream_timestamp: { enabled: true },
          properties: { '@timestamp': { type: 'date' } },
        },
      },
    },
  });
  const look = async (own: object): Promise<string> => {
    const { client } = target(
      {},
      { '/_index_template': { index_templates: [composable('t-1', {}, { priority: 1_000_000 })] } },
    );
    const bodies = backing(own) as Record<string, unknown>;
    const streaming: ElasticsearchClient = {
      request: <T>(request: ElasticsearchRequest) =>
        bodies[request.path] === undefined
          ? client.request<T>(request)
          : Promise.resolve({ status: 200, body: bodies[request.path] as T }),
    };
    return sayAllUnasked(await unaskedParts(streaming, [{ ...wanted, stream: {} }]));
  };
  expect(await look({})).toBe('');
  expect(await look({ 'index.mode': 'logsdb' })).toBe('index.mode logsdb (elsewhere)');
});
