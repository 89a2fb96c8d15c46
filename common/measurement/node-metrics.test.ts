import { makeRun, REFRESH } from '../analysis/testing/made-run';
import { readClusterMetric } from './cluster-metrics';
import { parseMetric } from './metric';
import { COUNTERS, GAUGES, keptValues, LIMIT_METRICS, NODE_METRICS } from './node-metrics';
import { aNode } from './testing/made-collected';
import { node } from './testing/made-nodes';

test('no two metrics have the same name, and no name ends in mean, busiest or sum', () => {
  const names = NODE_METRICS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => /\.(mean|busiest|sum)$/.test(name))).toEqual([]);
});

test('each metric has at least one source', () => {
  expect(NODE_METRICS.filter(({ sources }) => sources.length === 0)).toEqual([]);
});

test('no two values of a stored trial have the same name', () => {
  for (const all of [GAUGES, COUNTERS, keptValues('node'), keptValues('host')]) {
    const kept = all.map((one) => one.kept);
    expect(new Set(kept).size).toBe(kept.length);
  }
});

test('a ratio is never summed over nodes', () => {
  expect(NODE_METRICS.filter(({ isRatio, usually }) => isRatio && usually === 'sum')).toEqual([]);
});

test('metrics that show the limit of a trial are shares, and a weaker sign names the stronger one', () => {
  expect(LIMIT_METRICS.map(({ name, unit }) => [name, unit])).toEqual([
    ['iowait', 'share'],
    ['disk.busy', 'share'],
    ['gc', 'share'],
  ]);
  const names = LIMIT_METRICS.map(({ name }) => name);
  const stronger = LIMIT_METRICS.flatMap(({ limit }) => limit.without ?? []);
  expect(stronger.filter((one) => !names.includes(one))).toEqual([]);
});

test('cluster.translog.size is summed over the nodes, from their statistics or from the collector', () => {
  const [made] = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 10 } } })).trials;
  const trial = made!;
  const { ofCluster } = parseMetric('cluster.translog.size')!;
  const sampled = { samples: 2, translogBytes: 3000 };
  const server = {
    ...trial.server!,
    partial: false,
    nodes: 2,
    perNode: [node('a', { sampled }), node('b', { sampled })],
  };
  expect(readClusterMetric(ofCluster!, { ...trial, server, collected: null })).toEqual({
    value: 6000,
    source: 'stats',
  });
  const coveredMs = Math.max(...trial.tasks.map(({ elapsedMs }) => elapsedMs));
  const collected = { events: 9, nodes: [aNode('a', { coveredMs, translogBytes: 500 })] };
  expect(readClusterMetric(ofCluster!, { ...trial, server: null, collected })).toEqual({
    value: 500,
    source: 'collector',
  });
});

test.each([
  ['cluster.query-cache.evictions', 'queryCacheEvictionCount'],
  ['cluster.breaker.trips', 'parentBreakerTripCount'],
] as const)('%s is summed over the nodes, from their statistics or from the collector', (name, kept) => {
  const [made] = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 10 } } })).trials;
  const { ofCluster } = parseMetric(name)!;
  const perNode = [3, 4].map((count) => node(`n${count}`, { counted: { [kept]: count } }));
  const server = { ...made!.server!, partial: false, nodes: 2, perNode };
  expect(readClusterMetric(ofCluster!, { ...made!, server, collected: null })).toEqual({
    value: 7,
    source: 'stats',
  });
  const coveredMs = Math.max(...made!.tasks.map(({ elapsedMs }) => elapsedMs));
  const collected = { events: 9, nodes: [aNode('a', { coveredMs, [kept]: 5 })] };
  expect(readClusterMetric(ofCluster!, { ...made!, server: null, collected })).toEqual({
    value: 5,
    source: 'collector',
  });
});
