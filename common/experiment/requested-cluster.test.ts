import {
  allNodes,
  attributesOfNodes,
  requestedCluster,
  requestsClusters,
  checkClusters,
  clusterChanges,
  describeCluster,
  differsByCluster,
  labelsOf,
  parseHeap,
  settingThatFits,
} from './requested-cluster';
import type { Definition } from './definition';
import { costOf } from './cost';
import { makePlan } from './plan';
import { readDefinition } from './read';
import { resolveCells } from './resolved-cells';

const read = (more: object): Definition =>
  readDefinition({
    version: 1,
    name: 'clusters',
    tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
    trials: 1,
    ...more,
  });

const MIB = 1024 ** 2;

describe('the cluster of an environment', () => {
  it('has one heap and one version for any number of nodes by default', () => {
    expect(requestedCluster({ nodes: '3' })).toEqual({ nodes: 3, heapBytes: 512 * MIB, version: null });
    expect(requestedCluster({ heap: '1g', version: '8.19.4' })).toEqual({
      nodes: 1,
      heapBytes: 1024 * MIB,
      version: '8.19.4',
    });
    expect(describeCluster(requestedCluster({ nodes: '3' }), '9.5.3')).toBe(
      '3 nodes of Elasticsearch 9.5.3, heap 512 MB each',
    );
  });

  it('has what its nodes read when they start: an attribute in turn, and settings by name', () => {
    const asked = requestedCluster({
      nodes: '3',
      'node-attribute': 'zone=a,b',
      'index-buffer': '30%',
      'write-queue': '50',
    });
    expect(asked).toMatchObject({
      attribute: { name: 'zone', values: ['a', 'b'] },
      settings: { 'indices.memory.index_buffer_size': '30%', 'thread_pool.write.queue_size': '50' },
    });
    expect(attributesOfNodes(asked.attribute!, 3)).toEqual([{ zone: 'a' }, { zone: 'b' }, { zone: 'a' }]);
  });

  it('can have nodes without data, which count as nodes', () => {
    const asked = requestedCluster({ nodes: '4', 'client-nodes': '1' });
    expect(allNodes(asked)).toBe(5);
    expect(describeCluster(asked, '9.5.3')).toBe(
      '4 nodes and 1 client node of Elasticsearch 9.5.3, heap 512 MB each',
    );
    expect(requestedCluster({ nodes: '4', 'client-nodes': '0' })).not.toHaveProperty('clientNodes');
  });

  it('is one of Elasticsearch unless it names an engine', () => {
    expect(describeCluster(requestedCluster({ engine: 'elasticsearch' }), '9.5.3')).toBe(
      '1 node of Elasticsearch 9.5.3, heap 512 MB',
    );
    const asked = requestedCluster({ engine: 'opensearch', nodes: '2' });
    expect(asked).toMatchObject({ engine: 'opensearch', nodes: 2, version: null });
    expect(describeCluster(asked)).toBe('2 nodes of OpenSearch, heap 512 MB each');
    expect(describeCluster(asked, '3.6.0')).toBe('2 nodes of OpenSearch 3.6.0, heap 512 MB each');
  });

  it.each([
    [{ engine: 'opensearch', version: '3.6.0' }, []],
    [{ engine: 'opensearch', version: '4.0.1' }, []],
    [{ engine: 'elasticsearch', version: '3.6.0' }, ['environment.version']],
    [{ engine: 'opensearch', version: '2.19.6' }, []],
    [{ engine: 'opensearch', version: '2.19.5' }, ['environment.version']],
    [{ version: '2.19.6' }, ['environment.version']],
    [{ engine: 'elasticsearch', distribution: 'full' }, []],
    [{ engine: 'opensearch', distribution: 'full' }, ['environment.distribution']],
    [{ engine: 'solr' }, ['environment.engine']],
  ])('is checked by the rules of its engine: %j', (environment, paths) => {
    expect(checkClusters(resolveCells(read({ environment }))).map(({ path }) => path)).toEqual(paths);
  });

  it('may vary in engine and version together, as a list of cells', () => {
    const factors = [
      { 'environment.engine': 'elasticsearch', 'environment.version': '9.5.3' },
      { 'environment.engine': 'opensearch', 'environment.version': '3.6.0' },
    ];
    const cells = resolveCells(read({ factors }));
    expect(checkClusters(cells)).toEqual([]);
    expect(cells.map(({ definition }) => describeCluster(requestedCluster(definition.environment)))).toEqual([
      '1 node of Elasticsearch 9.5.3, heap 512 MB',
      '1 node of OpenSearch 3.6.0, heap 512 MB',
    ]);
  });

  it.each([
    ['node-attribute', 'zone'],
    ['node-attribute', 'zone=a,,b'],
    ['index-buffer', '130%'],
    ['index-buffer', 'much'],
    ['write-queue', 0],
    ['write-threads', 'all'],
  ])('is refused with %s %s', (name, level) => {
    const [problem, ...more] = checkClusters(resolveCells(read({ environment: { [name]: level } })));
    expect(more).toEqual([]);
    expect(problem).toMatchObject({ path: `environment.${name}`, found: String(level) });
  });

  it.each([
    ['512m', 512 * MIB],
    ['1g', 1024 * MIB],
    ['1.5gb', 1536 * MIB],
    ['12', undefined],
    ['64m', undefined],
    ['big', undefined],
  ])('reads a heap of %s as %s bytes', (text, bytes) => {
    expect(parseHeap(text)).toBe(bytes);
  });

  it('is refused with the allowed values, each value once', () => {
    const factors = { 'environment.nodes': [0, 1, 1.5, 'many'], 'environment.heap': [12, '256m'] };
    const environment = { version: 'latest', disk: 'anything at all' };
    const problems = checkClusters(resolveCells(read({ factors, environment })));
    expect(problems.map(({ path, found }) => `${path} ${found}`).sort()).toEqual([
      'environment.heap 12',
      'environment.nodes 0',
      'environment.nodes 1.5',
      'environment.nodes many',
      'environment.version latest',
    ]);
    expect(problems.find(({ found }) => found === '12')!.allowed).toContain('512m');
    for (const version of ['7.17.29', '8.18.0', '9.x', '9.5', '../9.5.3'])
      expect(checkClusters(resolveCells(read({ environment: { version } })))).toHaveLength(1);
    for (const version of ['8.19.0', '9.0.1', '10.0.0'])
      expect(checkClusters(resolveCells(read({ environment: { version } })))).toEqual([]);
  });
});

describe('the labels for a person', () => {
  it('are all except nodes, heap and version', () => {
    expect(labelsOf({ nodes: '1', disk: 'premium', heap: '1g', version: '9.5.3' })).toEqual({
      disk: 'premium',
    });
    expect(differsByCluster({ nodes: '1', disk: 'a' }, { disk: 'a', nodes: '2' })).toBe(true);
    expect(differsByCluster({ nodes: '1', disk: 'a' }, { disk: 'b', nodes: '1' })).toBe(false);
  });

  it('are shown with the cost: started clusters, and environments to wait for', () => {
    const factors = { 'environment.disk': ['a', 'b'], 'environment.nodes': [1, 3] };
    const definition = read({ factors });
    expect(requestsClusters(resolveCells(definition))).toBe(true);
    expect(costOf(definition).clusters).toMatchObject({
      names: ['nodes'],
      clusters: [{ nodes: 1 }, { nodes: 3 }, { nodes: 1 }, { nodes: 3 }],
      waitsFor: ['disk: b'],
    });
    const [one, three] = [1, 3].map((nodes) => {
      const single = read({ environment: { nodes } });
      return clusterChanges(makePlan(single))!.ms;
    });
    expect(three).toBeGreaterThan(one!);
    expect(costOf(read({ factors: { 'environment.disk': ['a', 'b'] } })).clusters).toBeNull();
  });
});

describe('the option that reduces a definition to what fits', () => {
  const setting = (more: object): string => {
    const definition = read(more);
    return settingThatFits(definition, resolveCells(definition), ({ nodes }) => nodes <= 3);
  };

  it('keeps the levels that fit', () => {
    const factors = { 'environment.nodes': [1, 3, 9], 'index.settings.number_of_shards': [1, 2] };
    expect(setting({ factors })).toBe("--set 'factors.environment.nodes=[1, 3]'");
  });

  it('keeps the listed cells that fit', () => {
    const factors = [{ 'environment.nodes': '3' }, { 'environment.nodes': '9' }];
    expect(setting({ factors })).toBe(`--set 'factors=[{"environment.nodes":"3"}]'`);
  });

  it('is empty if nothing fits, or everything does', () => {
    expect(setting({ environment: { nodes: 9 } })).toBe('');
    expect(setting({ environment: { nodes: 1 } })).toBe('');
  });
});
