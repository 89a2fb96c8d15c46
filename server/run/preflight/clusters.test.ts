import type { NodeFacts } from '../../../common/experiment/run';
import { readDefinition } from '../../../common/experiment/read';
import { resolveCells, type ResolvedCell } from '../../../common/experiment/resolved-cells';
import { missingOnStarted } from '../../../common/experiment/feature-uses';
import { cellsOn, clusterFor } from './clusters';
import { unlikeRequested } from './preflight';

const MIB = 1024 ** 2;
const node = (version: string, heapBytes: number): NodeFacts => ({
  name: 'dyno-1',
  version,
  jvm: 'OpenJDK 25',
  heapBytes,
  cores: 2,
  memoryBytes: 8 * 1024 * MIB,
  os: 'Debian',
  roles: ['data'],
  disk: 'ssd',
  diskTotalBytes: 1,
  diskFreeBytes: 1,
});
const ASKED = { nodes: 2, heapBytes: 256 * MIB, version: '9.5.3' };

test('a cluster as requested, or with a heap that the JVM has rounded, is not reported', () => {
  expect(unlikeRequested(ASKED, [node('9.5.3', 256 * MIB), node('9.5.3', 250 * MIB)])).toBe('');
});

test('all other differences are reported', () => {
  expect(unlikeRequested(ASKED, [node('9.5.2', 512 * MIB)])).toBe(
    '1 node instead of 2; Elasticsearch 9.5.2 instead of Elasticsearch 9.5.3; heap 512 MB instead of 256 MB',
  );
  const asked = { ...ASKED, engine: 'opensearch', version: '3.6.0', nodes: 1 } as const;
  expect(unlikeRequested(asked, [node('3.6.0', 256 * MIB)], 'opensearch')).toBe('');
  expect(unlikeRequested(asked, [node('3.6.0', 256 * MIB)], 'elasticsearch')).toBe(
    'Elasticsearch 3.6.0 instead of OpenSearch 3.6.0',
  );
});

describe('cells whose engines Dyno starts', () => {
  const esql = { name: 'queries', requests: { list: [{ name: 'all', esql: { query: 'FROM {{index}}' } }] } };
  const cells = (factors: object): readonly ResolvedCell[] =>
    resolveCells(readDefinition({ version: 1, name: 'engines', tasks: [esql], factors }));
  const engines = cells({ 'environment.engine': ['elasticsearch', 'opensearch'] });

  it('are refused with the path and the engine before any cluster starts', () => {
    expect(missingOnStarted(engines)).toEqual([
      expect.objectContaining({
        code: 'target.missing-feature',
        path: expect.stringContaining('esql'),
        message: expect.stringContaining('OpenSearch 3.6.0'),
      }),
    ]);
    expect(missingOnStarted(cells({ 'environment.engine': ['elasticsearch'] }))).toEqual([]);
    const settings = { 'index.settings.number_of_shards': [1, 2] };
    expect(missingOnStarted(cells({ 'environment.engine': ['opensearch'], ...settings }))).toHaveLength(1);
  });

  it('are checked only on clusters with the same engine', () => {
    const ids = (started?: { engine?: 'elasticsearch' | 'opensearch' }): number[] =>
      cellsOn(engines, started).map(({ index }) => index);
    expect(ids()).toEqual([0, 1]);
    expect(ids({})).toEqual([0]);
    expect(ids({ engine: 'opensearch' })).toEqual([1]);
  });
});

test('all cells on a version of OpenSearch get the plugin that one of them needs', () => {
  const vectors = { type: 'knn_vector', dimension: 3 };
  const cells = resolveCells(
    readDefinition({
      version: 1,
      name: 'plugins',
      tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
      factors: [
        { 'environment.engine': 'elasticsearch' },
        { 'environment.engine': 'opensearch' },
        { 'environment.engine': 'opensearch', 'index.mapping.properties.v': vectors },
        { 'environment.engine': 'opensearch', 'environment.version': '3.5.0' },
      ],
    }),
  );
  expect(cells.map(({ definition }) => clusterFor(definition.environment, cells).plugins)).toEqual([
    undefined,
    ['opensearch-knn'],
    ['opensearch-knn'],
    undefined,
  ]);
  expect(missingOnStarted(cells)).toEqual([]);
});
