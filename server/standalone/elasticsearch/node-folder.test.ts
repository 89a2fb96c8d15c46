import { jvmOptions, nodeSettings, settingsAsYaml, withLogsIn, type NodePlan } from './node-folder';
import { PRODUCTS } from './products';

const PLAN: NodePlan = {
  product: PRODUCTS.elasticsearch,
  name: 'dyno-1',
  folder: '/data/node-1',
  clusterName: 'dyno',
  httpPort: 9200,
  transportPort: 9300,
  transportPorts: [9300],
  heap: '1g',
  founds: true,
  settings: {},
};

test('sets only the heap of the JVM, and options of tests', () => {
  expect(jvmOptions('512m', {})).toBe('-Xms512m\n-Xmx512m\n-XX:+EnableDynamicAgentLoading\n');
  const environment = { DYNO_TEST_JVM_OPTIONS: '-XX:TieredStopAtLevel=1 -Da=b' };
  expect(jvmOptions('1g', environment)).toBe(
    '-Xms1g\n-Xmx1g\n-XX:+EnableDynamicAgentLoading\n-XX:TieredStopAtLevel=1\n-Da=b\n',
  );
});

test('logs and heap dumps of older versions go to the folder of the node', () => {
  const old = '-XX:HeapDumpPath=data\n-XX:ErrorFile=logs/hs_err.log\n-Xlog:gc*:file=logs/gc.log:utctime\n';
  expect(withLogsIn('/data/node-1', old)).toBe(
    '-XX:HeapDumpPath=/data/node-1/data\n-XX:ErrorFile=/data/node-1/logs/hs_err.log\n' +
      '-Xlog:gc*:file=/data/node-1/logs/gc.log:utctime\n',
  );
  const recent = '-Xlog:gc*:file=gc.log:utctime\n';
  expect(withLogsIn('/data/node-1', recent)).toBe(recent);
});

describe('the settings of a node', () => {
  it('make a single node a cluster, only on loopback', () => {
    expect(nodeSettings(PLAN)).toMatchObject({
      'discovery.type': 'single-node',
      'network.host': '127.0.0.1',
    });
  });

  it('let the first of several nodes form the cluster, which the others join', () => {
    const several = { ...PLAN, transportPorts: [9300, 9301] };
    expect(nodeSettings(several)).toMatchObject({
      'discovery.seed_hosts': ['127.0.0.1:9300', '127.0.0.1:9301'],
      'cluster.initial_master_nodes': ['dyno-1'],
    });
    expect(nodeSettings({ ...several, founds: false })).not.toHaveProperty(['cluster.initial_master_nodes']);
  });

  it('keep Elasticsearch’s defaults for everything that affects performance and disk space', () => {
    const names = Object.keys(nodeSettings(PLAN)).join();
    expect(names).not.toMatch(/watermark|thread_pool|indices\.|breaker/);
  });

  it('are those of the engine', () => {
    const several = { ...PLAN, transportPorts: [9300, 9301] };
    expect(nodeSettings(several)).toHaveProperty(['xpack.security.enabled'], false);
    const opensearch = nodeSettings({ ...several, product: PRODUCTS.opensearch });
    expect(Object.keys(opensearch).join()).not.toMatch(/xpack|master/);
    expect(opensearch).toMatchObject({
      'network.host': '127.0.0.1',
      'cluster.initial_cluster_manager_nodes': ['dyno-1'],
    });
  });

  it('are overridden by the given settings', () => {
    const settings = { 'cluster.name': 'other', 'node.attr.box': 'hot' };
    expect(nodeSettings({ ...PLAN, settings })).toMatchObject(settings);
  });

  it('are written as YAML with quotes', () => {
    expect(settingsAsYaml({ a: 'x: #y', b: 1, c: ['d', 'e'] })).toBe('a: "x: #y"\nb: 1\nc: ["d","e"]\n');
  });
});
