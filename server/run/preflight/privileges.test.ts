import { makePlan } from '../../../common/experiment/plan';
import { readDefinition } from '../../../common/experiment/read';
import { NEEDS } from '../../../common/privileges';
import { PRESETS } from '../../../common/presets';
import { presetDefinition } from '../../../common/presets/preset';
import { privilegesOnExisting } from './existing';
import { privilegesBeyond } from './preflight';

const needed = (more: object): ReturnType<typeof privilegesBeyond> => {
  const definition = readDefinition({
    version: 1,
    name: 'privileges',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'apache-access-lines' } } }],
    ...more,
  });
  return privilegesBeyond(makePlan(definition));
};

test('what every run takes is enough for most', () => {
  expect(needed({})).toEqual({ cluster: [], index: [] });
  expect(needed({ preload: { documents: 1 } })).toEqual({ cluster: [], index: [] });
});

test('one cell that changes the cluster, or parses in it, takes a privilege of the cluster', () => {
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

test.each(['copy', 'same'])('indices that trials have in common (%s) take one of the indices', (reuse) => {
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

test('data that was there takes what a search of it takes, and no right to create or delete', () => {
  expect(onExisting({})).toEqual([
    { names: ['products'], privileges: ['read', 'view_index_metadata', 'monitor'] },
  ]);
  expect(needed({ ...EXISTING, ...SEARCHING })).toEqual({ cluster: [], index: [] });
  expect(onExisting({ index: {} })).toEqual([]);
});

test('to write to it, and to empty its caches, takes more', () => {
  const factors = { 'measure.caches': ['cold', 'warm'] };
  expect(onExisting({ factors })[0]!.privileges).toContain('manage');
  expect(needed({ ...EXISTING, ...SEARCHING, factors }).index).toEqual([]);
  expect(needed({ ...SEARCHING, factors }).index).toEqual(['manage']);
  const tasks = [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }];
  expect(onExisting({ index: { existing: 'products', 'allow-writes': true }, tasks })[0]!.privileges).toEqual(
    expect.arrayContaining(['read', 'index', 'maintenance']),
  );
});

test.each(PRESETS.map((preset) => [preset.name, preset] as const))(
  '%s can be run by the role that users of Kibana are told to have',
  (_, preset) => {
    const definition = readDefinition(presetDefinition(preset, 'full'));
    const { cluster, index } = privilegesBeyond(makePlan(definition));
    expect(NEEDS.run.elasticsearch.cluster).toEqual(expect.arrayContaining([...cluster]));
    expect(NEEDS.run.elasticsearch.indices[0]!.privileges).toEqual(expect.arrayContaining([...index]));
  },
);
