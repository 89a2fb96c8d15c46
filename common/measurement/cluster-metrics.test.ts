import { makeRun, REFRESH } from '../analysis/testing/made-run';
import { aHost, aNode } from './testing/made-collected';
import { node, shards } from './testing/made-nodes';
import {
  clusterMetricName,
  commonSource,
  parseClusterMetric,
  readClusterMetric,
  type ClusterMetric,
} from './cluster-metrics';
import { parseCondition } from './condition';
import { parseMetric } from './metric';
import { counter, metric as nodeMetric, type NodeMetric } from './node-metric';
import { NODE_METRICS } from './node-metrics';
import type { NodeDelta, ServerDelta, StoredShardWork } from './server';
import type { TrialDocument } from './trial';

const [MADE] = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 10 } } })).trials;

const trial = (perNode: NodeDelta[], more: Partial<TrialDocument> = {}): TrialDocument => ({
  ...MADE!,
  server: { ...(MADE!.server as ServerDelta), nodes: perNode.length, partial: false, perNode },
  collected: null,
  ...more,
});

const described = (name: string, more: Partial<NodeMetric>): NodeMetric =>
  nodeMetric(name, { title: name, text: name, group: 'store', ...more });

const metric = (text: string): ClusterMetric => parseClusterMetric(text)!;
const value = (text: string, of: TrialDocument): number | string => {
  const found = readClusterMetric(metric(text), of);
  return found.value ?? (found as { reason: string }).reason;
};

it('parses every name that it writes, for every way to combine nodes', () => {
  for (const nodeMetric of NODE_METRICS) {
    for (const over of ['mean', 'busiest', 'sum'] as const) {
      const own = { nodeMetric, role: 'data_hot', over };
      const written = clusterMetricName(own);
      const isThere = !(over === 'sum' && nodeMetric.isRatio);
      expect(parseMetric(written)?.ofCluster).toEqual(isThere ? own : undefined);
    }
    expect(nodeMetric.sources.length).toBeGreaterThan(0);
  }
});

describe('a trial of an older version of Dyno', () => {
  const older = /stored by an older version/;
  const withoutRequestCache = <T extends { requestCache?: unknown }>(work: T): Omit<T, 'requestCache'> => {
    const rest = { ...work };
    delete rest.requestCache;
    return rest;
  };

  it('has no value for counters of shards that it lacks, and keeps those that it has', () => {
    const made = trial([node('a', { shards: withoutRequestCache<StoredShardWork>(shards(10)) })]);
    expect(value('request-cache.hits', made)).toMatch(older);
    expect(value('merges.count', made)).toBe(10);
  });

  it('has no value in the sums over all nodes either', () => {
    const hits = described('x', { stats: ({ shards: own }) => own?.requestCache?.hits });
    const server = withoutRequestCache({ ...MADE!.server!, perNode: [] });
    const made = { ...MADE!, collected: null, server };
    const sum = { nodeMetric: hits, role: undefined, over: 'sum' } as const;
    expect(readClusterMetric(sum, made, 'totals')).toMatchObject({
      value: null,
      reason: expect.stringMatching(older),
    });
    expect(readClusterMetric(sum, { ...made, server: MADE!.server! }, 'totals')).toMatchObject({
      source: 'totals',
    });
  });

  it('has no value for a counter that its metric describes', () => {
    const evicted = described('x', counter({ of: 'shards', kept: 'evictedCount', path: 'x.evictions' }));
    const read = (made: TrialDocument) =>
      readClusterMetric({ nodeMetric: evicted, role: undefined, over: 'sum' }, made);
    expect(read(trial([node('a')]))).toMatchObject({ value: null, reason: expect.stringMatching(older) });
    expect(read(trial([node('a', { counted: { evictedCount: null } })]))).toMatchObject({
      value: null,
      reason: expect.stringMatching(/a does not report it/),
    });
    const both = [node('a', { counted: { evictedCount: 3 } }), node('b', { counted: { evictedCount: 0 } })];
    expect(read(trial(both))).toEqual({ value: 3, source: 'stats' });
  });
});

it('leaves names that are not metrics of the cluster to a task called cluster', () => {
  expect(parseMetric('cluster.throughput')?.ofCluster).toBeUndefined();
  expect(parseMetric('cluster.throughput')).toMatchObject({ task: 'cluster', figure: 'throughput' });
});

it('sums and averages the nodes, or takes the busiest one, over all nodes or those of a role', () => {
  const made = trial([
    node('a'),
    node('b', { shards: shards(30), cpuMs: 40_000 }),
    node('c', { roles: ['ingest'], shards: shards(0), cpuMs: 0 }),
  ]);
  expect(value('merges.count', made)).toBe(40);
  expect(value('merges.count.busiest', made)).toBe(30);
  expect(value('data.merges.count.mean', made)).toBe(20);
  expect(value('cpu.process', made)).toBe(0.5);
  expect(value('cpu.process.busiest', made)).toBe(1);
  expect(value('rejections', made)).toBe(21);
  expect(value('ml.heap', made)).toContain('no node has the role ml');
});

it('weights the shares of nodes by their wholes', () => {
  const made = trial([node('a', { shards: shards(0, 9, 1) }), node('b', { shards: shards(0, 0, 0) })]);
  expect(value('request-cache.hits', made)).toBe(0.9);
  expect(value('request-cache.hits', trial([node('a')]))).toContain('no search looked it up');
});

it('counts a machine once if several nodes run on it', () => {
  const made = trial([node('a', { machine: 'm' }), node('b', { machine: 'm' }), node('c')]);
  expect(value('disk.write', made)).toBe(8000);
  expect(value('transport.in', made)).toBe(300);
});

it('returns the reason for a missing value, never 0', () => {
  expect(value('iowait', trial([node('a')]))).toBe(
    'no collector read the nodes; the statistics of the nodes do not contain it',
  );
  expect(value('disk.write', trial([node('a'), node('b', { disk: null })]))).toBe(
    'no collector read the nodes; b does not report it: nodes report it only on Linux',
  );
  const partial = trial([node('a')]);
  partial.server!.partial = true;
  expect(value('merges.count', partial)).toContain('was added, removed or restarted');
  const old = trial([{ name: 'a', elapsedMs: 1, cpuMs: 1, gcPauseMs: 0, diskBusyMs: null }]);
  expect(value('merges.count.busiest', old)).toContain('an older version of Dyno');
  expect(value('gc', old)).toBe(0);
  expect(value('merges.count', trial([], { server: null }))).toContain('could not be read at both ends');
});

it('prefers the collector for machines, the statistics for nodes, and one source for all trials', () => {
  const elapsed = Math.max(...MADE!.tasks.map(({ elapsedMs }) => elapsedMs));
  const seen = aNode('a', {
    coveredMs: elapsed,
    host: aHost({ coveredMs: elapsed, busyShare: 0.7 }),
  });
  const both = trial(
    [
      node('a', {
        sampled: { samples: 1, cpuShare: 0.6, heapShare: 0.5, writeQueue: 0, writeQueueHighest: 0 },
      }),
    ],
    {
      collected: { events: 1, nodes: [seen] },
    },
  );
  const one = { ...both, collected: null };
  expect(readClusterMetric(metric('cpu'), both)).toEqual({ value: 0.7, source: 'collector' });
  expect(readClusterMetric(metric('merges.count'), both)).toEqual({ value: 10, source: 'stats' });
  expect(readClusterMetric(metric('cpu'), one)).toEqual({ value: 0.6, source: 'stats' });
  expect(commonSource(metric('cpu'), [both, both])).toBe('collector');
  expect(commonSource(metric('cpu'), [both, one])).toBe('stats');
  expect(commonSource(metric('iowait'), [one])).toBeUndefined();
  const scant = {
    ...both,
    collected: { events: 1, nodes: [{ ...seen, host: aHost({ coveredMs: elapsed / 3 }) }] },
  };
  expect(value('iowait', scant)).toContain('covers too little of the measured phase on a');
});

it('parses bounds in the units of the metrics', () => {
  expect(parseCondition('cluster.disk.write < 5mb/s')).toMatchObject({ value: 5 * 1024 ** 2 });
  expect(parseCondition('cluster.disk.write.operations < 100/s')).toMatchObject({ value: 100 });
  expect(parseCondition('cluster.heap.busiest < 80%')).toMatchObject({ value: 0.8 });
  expect(parseCondition('cluster.cpu.sum < 80%')).toMatchObject({
    message: 'no such metric: cluster.cpu.sum',
  });
});

it('reads sums over all nodes if an older result has no counters of each node', () => {
  const shards = { refresh: { count: 7, timeMs: 70 } };
  const older = trial([node('a')], {
    server: { ...(MADE!.server as ServerDelta), ...shards, nodes: 1, partial: false },
  });
  delete older.server!.perNode;
  expect(value('refresh.count', older)).toBe(7);
  expect(value('refresh.count.busiest', older)).toContain('an older version of Dyno');
  expect(value('cpu.process', older)).toContain('an older version of Dyno');
});
