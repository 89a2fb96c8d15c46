import type { Engine } from '../../../common/elasticsearch/engine';
import { makePlan } from '../../../common/experiment/plan';
import { readDefinition } from '../../../common/experiment/read';
import { NEEDS } from '../../../common/privileges';
import { PRESETS } from '../../../common/presets';
import { presetDefinition } from '../../../common/presets/preset';
import { privilegesOnExisting } from './existing';
import { privilegesBeyond } from './preflight';

const needed = (more: object, engine: Engine = 'elasticsearch'): ReturnType<typeof privilegesBeyond> => {
  const definition = readDefinition({
    version: 1,
    name: 'privileges',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'apache-access-lines' } } }],
    ...more,
  });
  return privilegesBeyond(makePlan(definition), engine);
};

test('most runs need no extra privileges', () => {
  expect(needed({})).toEqual({ cluster: [], index: [] });
  expect(needed({ preload: { documents: 1 } })).toEqual({ cluster: [], index: [] });
});

test('a cell that changes cluster settings, or parses in the cluster, needs a cluster privilege', () => {
  expect(
    needed({
      tasks: [
        {
          name: 'ingest',
          ingest: {
            source: { generator: 'apache-access-lines' },
            parse: { pattern: '%{COMBINEDAPACHELOG}' },
          },
        },
      ],
      factors: {
        'tasks.ingest.ingest.parse.by': ['workers', 'pipeline'],
        'cluster.settings.indices.recovery.max_bytes_per_sec': ['40mb', '80mb'],
      },
    }).cluster,
  ).toEqual(['manage', 'manage_pipeline']);
});

test('scrolls need a permission of OpenSearch, and no privilege of Elasticsearch', () => {
  const list = [{ name: 'pages', scroll: { size: 10, pages: 2 } }];
  const tasks = [{ name: 'reads', requests: { list }, executor: { 'constant-clients': { clients: 1 } } }];
  expect(needed({ tasks }).cluster).toEqual([]);
  expect(needed({ tasks }, 'opensearch').cluster).toEqual(['indices:data/read/scroll/clear']);
  expect(needed({}, 'opensearch').cluster).toEqual([]);
});

test.each(['copy', 'same'])('indices that trials share (%s) need an index privilege', (reuse) => {
  const search = { requests: [{ name: 'all', body: {} }] };
  const executor = { 'constant-clients': { clients: 1 } };
  expect(
    needed({
      preload: { documents: 1, reuse, source: { generator: 'systembase' } },
      tasks: [{ name: 'search', search, executor }],
    }).index,
  ).toEqual(['manage']);
});

const EXISTING = { index: { existing: 'products,logs-*' } };
const SEARCHING = { tasks: [{ name: 'search', search: { requests: [{ name: 'all', body: {} }] } }] };

const onExisting = (more: object): ReturnType<typeof privilegesOnExisting> =>
  privilegesOnExisting(
    makePlan(readDefinition({ version: 1, name: 'privileges', ...EXISTING, ...SEARCHING, ...more })),
  );

test('existing data needs the privileges of a search, and none to create or delete', () => {
  expect(onExisting({})).toEqual([
    { names: ['products'], privileges: ['read', 'view_index_metadata', 'monitor'] },
  ]);
  expect(needed({ ...EXISTING, ...SEARCHING })).toEqual({ cluster: [], index: [] });
  expect(onExisting({ index: {} })).toEqual([]);
});

test('writing to existing data, and emptying its caches, needs more privileges', () => {
  const factors = { 'measure.caches': ['cold', 'warm'] };
  expect(onExisting({ factors })[0]!.privileges).toContain('manage');
  expect(needed({ ...EXISTING, ...SEARCHING, factors }).index).toEqual([]);
  expect(needed({ ...SEARCHING, factors }).index).toEqual(['manage']);
  const tasks = [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }];
  expect(onExisting({ index: { existing: 'products', 'allow-writes': true }, tasks })[0]!.privileges).toEqual(
    expect.arrayContaining(['read', 'index', 'maintenance']),
  );
});

test('an index that a replay names needs the privileges of its requests', () => {
  const privileges = (replay: object): readonly string[] =>
    onExisting({
      index: {},
      tasks: [
        { name: 'shop', replay: { file: 'a.traffic', indices: { shop: { existing: 'copy' } }, ...replay } },
      ],
    }).flatMap((needs) => (needs.names.includes('copy') ? needs.privileges : []));
  expect(privileges({})).toEqual(['read', 'view_index_metadata', 'monitor']);
  expect(privileges({ 'allow-writes': true })).toContain('index');
  expect(privileges({ 'allow-writes': true, types: ['search'] })).not.toContain('index');
});

test.each(PRESETS.map((preset) => [preset.name, preset] as const))(
  '%s can be run with the role that the Kibana documentation recommends',
  (_, preset) => {
    const definition = readDefinition(presetDefinition(preset, 'full'));
    const { cluster, index } = privilegesBeyond(makePlan(definition));
    expect(NEEDS.run.elasticsearch.cluster).toEqual(expect.arrayContaining([...cluster]));
    expect(NEEDS.run.elasticsearch.indices[0]!.privileges).toEqual(expect.arrayContaining([...index]));
  },
);
