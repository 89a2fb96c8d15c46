import { makeRun, REFRESH } from '../analysis/testing/made-run';
import { parseMetric, readMetric, whyNoData, type Metric } from './metric';

const { trials } = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 10 } } }));
const [MADE] = trials;
const index = { ...MADE!.index!, docs: 200, storeBytes: 50_000, segments: 3 };

const of = (text: string, more: object = {}): number | null =>
  readMetric(parseMetric(text) as Metric, { tasks: MADE!.tasks, index: { ...index, ...more }, server: null });

it('reads metrics of the indices after the trial', () => {
  expect(of('index.bytes_per_document')).toBe(250);
  expect(of('index.store_bytes')).toBe(50_000);
  expect(of('index.segments')).toBe(3);
  expect(of('index.field.geo.src.bytes_per_document', { fields: { 'geo.src': 800 } })).toBe(4);
});

it('reads the ratio of the largest shard to the mean of all shards', () => {
  const shardSizes = { shards: 5, docs: 200, largestDocs: 100, bytes: 50_000, largestBytes: 20_000 };
  expect(of('index.shard_skew.docs', { shardSizes })).toBe(2.5);
  expect(of('index.shard_skew.bytes', { shardSizes })).toBe(2);
});

it.each<[string, object | null]>([
  ['the indices were not read after the trial', null],
  ['the cluster does not report its shards', { primaries: '' }],
  ['the trial was stored by an older version of Dyno, which did not read this value', { primaries: '2-1' }],
  [
    'the indices contain no document',
    { shardSizes: { shards: 2, docs: 0, largestDocs: 0, bytes: 0, largestBytes: 0 } },
  ],
])('returns the reason for a missing shard skew: %s', (reason, more) => {
  const metric = parseMetric('index.shard_skew.docs') as Metric;
  const own = more && { ...index, ...more };
  expect(readMetric(metric, { tasks: MADE!.tasks, index: own, server: null })).toBeNull();
  expect(whyNoData(metric, { tasks: [], index: own }, 'too few')).toBe(reason);
});

it('has no bytes of missing documents or fields', () => {
  expect(of('index.bytes_per_document', { docs: 0 })).toBeNull();
  expect(of('index.field.message.bytes_per_document')).toBeNull();
  const metric = parseMetric('index.segments') as Metric;
  expect(readMetric(metric, { tasks: MADE!.tasks, index: null, server: null })).toBeNull();
});

it('keeps the metrics of a task called index apart from those of the indices', () => {
  const tasks = [{ ...MADE!.tasks[0]!, task: 'index' }];
  const metric = parseMetric('index.throughput') as Metric;
  expect(metric.ofIndex).toBeUndefined();
  expect(readMetric(metric, { tasks, index, server: null })).toBe(tasks[0]!.throughput);
});
