import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import { NODE_METRICS } from '../../../common/measurement/node-metrics';
import { nodeTimelines } from './nodes';

const GRID = { from: 0, to: 10_000, bucketMs: 10_000, offsetMs: 0 };

/** Simulates a results cluster with one node and one bucket. `values`: results of its aggregations. All others are empty. */
function clusterOf(values: Readonly<Record<string, number>>): {
  client: ElasticsearchClient;
  asked: () => string[];
} {
  let asked: string[] = [];
  const answer = (path: string, body: unknown): unknown => {
    if (path.endsWith('/_field_caps'))
      return {
        indices: ['dyno-metrics-1'],
        fields: Object.fromEntries(
          ['young', 'zgc_cycles'].map((name) => [`dyno.node.gc.${name}.time.ms.change`, {}]),
        ),
      };
    const { aggs } = body as { aggs: { nodes: { aggs: { timeline: { aggs: object } } } } };
    asked = Object.keys(aggs.nodes.aggs.timeline.aggs);
    const own = { doc_count: 1, names: { buckets: [{ key: 'es-1', doc_count: 1 }] } };
    const results = Object.fromEntries(
      asked.map((key) => [key, { value: values[key] ?? (key.startsWith('sum ') ? 0 : null) }]),
    );
    const buckets = [
      { key: 'n1', doc_count: 1, own, timeline: { buckets: [{ key: 0, doc_count: 1, ...results }] } },
    ];
    return {
      took: 1,
      timed_out: false,
      _shards: { total: 1, failed: 0 },
      hits: { hits: [] },
      aggregations: { nodes: { buckets } },
    };
  };
  const client = {
    request: ({ path, body }: { path: string; body?: unknown }) =>
      Promise.resolve({ status: 200, body: answer(path, body) }),
  } as unknown as ElasticsearchClient;
  return { client, asked: () => asked };
}

const pointOf = async (values: Readonly<Record<string, number>>) => {
  const [node] = await nodeTimelines(clusterOf(values).client)(GRID, { run: 'r', trial: undefined });
  return node!.points[0]!;
};

test('a point has a value for every metric with a chart, null if the node does not report it', async () => {
  const point = await pointOf({});
  const { at, ...values } = point;
  expect(at).toBe(0);
  expect(Object.keys(values)).toEqual(
    NODE_METRICS.flatMap(({ name, chart }) => [
      ...(chart ? [name] : []),
      ...(chart?.capacity ? [`${name}.capacity`] : []),
    ]),
  );
  expect(new Set(Object.values(values))).toEqual(new Set([null]));
});

test('CPU is that of the machine, or of the process if no collector reads the machine', async () => {
  const process = { 'avg dyno.node.cpu.process.pct': 0.25 };
  expect(await pointOf(process)).toMatchObject({ cpu: 0.25 });
  const machine = { 'sum dyno.host.cpu.user.ms.change': 600, 'sum dyno.host.cpu.idle.ms.change': 200 };
  expect(await pointOf({ ...process, ...machine })).toMatchObject({ cpu: 0.75 });
});

test('iowait is the time that all events of an interval report, as the trial’s own value is', async () => {
  const times = { user: 300, system: 100, iowait: 200, idle: 200 };
  const sums = Object.entries(times).map(([mode, ms]) => [`sum dyno.host.cpu.${mode}.ms.change`, ms]);
  // The mean of the shares of single events would weight a long interval like a short one.
  const point = await pointOf({ ...Object.fromEntries(sums), 'avg dyno.host.cpu.iowait.pct': 0.9 });
  expect(point).toMatchObject({ iowait: 0.25, cpu: 0.5 });
});

test('a rate is the change divided by the time that its events cover, and null if no event contains the field', async () => {
  const rejected = 'dyno.node.thread_pool.write.rejected.change';
  const interval = { 'sum dyno.node.interval.ms': 5000 };
  expect(await pointOf({ ...interval, [`sum ${rejected}`]: 20, [`avg ${rejected}`]: 4 })).toMatchObject({
    'rejections.write': 4,
  });
  expect(await pointOf(interval)).toMatchObject({ 'rejections.write': null });
  expect(await pointOf({ [`sum ${rejected}`]: 20, [`avg ${rejected}`]: 4 })).toMatchObject({
    'rejections.write': null,
  });
});

test('time in garbage collection counts pauses without concurrent cycles, and is at most 100%', async () => {
  const { client, asked } = clusterOf({});
  await nodeTimelines(client)(GRID, { run: 'r', trial: undefined });
  expect(asked().filter((key) => key.includes('.gc.'))).toEqual([
    'sum dyno.node.gc.young.time.ms.change',
    'avg dyno.node.gc.young.time.ms.change',
  ]);
  const young = 'dyno.node.gc.young.time.ms.change';
  const of = (sum: number) =>
    pointOf({ 'sum dyno.node.interval.ms': 1000, [`sum ${young}`]: sum, [`avg ${young}`]: sum });
  expect(await of(100)).toMatchObject({ gc: 0.1 });
  expect(await of(1500)).toMatchObject({ gc: 1 });
});
