import { makeRun, REFRESH } from '../analysis/testing/made-run';
import { parseMetric, readMetric, type Metric } from './metric';

const { trials } = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 10 } } }));
const [MADE] = trials;
const index = { ...MADE!.index!, docs: 200, storeBytes: 50_000, segments: 3 };

const of = (text: string, more: object = {}): number | null =>
  readMetric(parseMetric(text) as Metric, { tasks: MADE!.tasks, index: { ...index, ...more }, server: null });

it('reads figures of the indices after the trial', () => {
  expect(of('index.bytes_per_document')).toBe(250);
  expect(of('index.store_bytes')).toBe(50_000);
  expect(of('index.segments')).toBe(3);
  expect(of('index.field.geo.src.bytes_per_document', { fields: { 'geo.src': 800 } })).toBe(4);
});

it('knows no bytes of documents or fields that are not there', () => {
  expect(of('index.bytes_per_document', { docs: 0 })).toBeNull();
  expect(of('index.field.message.bytes_per_document')).toBeNull();
  const metric = parseMetric('index.segments') as Metric;
  expect(readMetric(metric, { tasks: MADE!.tasks, index: null, server: null })).toBeNull();
});

it('leaves a task that is called index its own figures', () => {
  const tasks = [{ ...MADE!.tasks[0]!, task: 'index' }];
  const metric = parseMetric('index.throughput') as Metric;
  expect(metric.ofIndex).toBeUndefined();
  expect(readMetric(metric, { tasks, index, server: null })).toBe(tasks[0]!.throughput);
});
