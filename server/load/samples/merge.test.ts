import { noCounts } from '../../../common/measurement/counts';
import {
  countedValues,
  createHistogram,
  decodeHistogram,
  recordMs,
  type CountedValues,
} from '../../../common/measurement/histogram';
import type { Sample } from '../../../common/measurement/sample';
import type { TaskSecond } from '../messages';
import { SampleMerger, type SeatHealth } from './sample-merger';

const histogram = (...values: number[]): CountedValues => {
  const made = createHistogram();
  for (const value of values) recordMs(made, value);
  return countedValues(made);
};

const second = (number: number, accepted: number, more: Partial<TaskSecond> = {}): TaskSecond => ({
  task: 'ingest',
  second: number,
  phase: 'measure',
  counts: { ...noCounts(), accepted, attempted: accepted },
  service: histogram(accepted),
  latency: histogram(accepted),
  clients: 1,
  offered: null,
  backlog: 0,
  scheduleLagMs: accepted / 10,
  failures: { timeout: { count: 1, example: 'late' } },
  requests: {},
  ...more,
});

const health = (cpuMs: number): SeatHealth => ({
  threads: { cpuMs, utilisation: cpuMs / 1000, eventLoopDelayMs: cpuMs / 100 },
  machine: null,
});

test('a sample waits for all shares and carries their sums, merged histograms and worst health', () => {
  const samples: Sample[] = [];
  const merger = new SampleMerger(
    2,
    () => 10_000,
    (sample) => samples.push(sample),
  );
  merger.add(0, [second(0, 10)], health(500));
  expect(samples).toEqual([]);
  merger.add(1, [second(0, 30)], health(300));
  expect(samples).toHaveLength(1);
  const [sample] = samples as [Sample];
  expect(sample).toMatchObject({
    at: 10_000,
    clients: 2,
    offered: null,
    failures: { timeout: { count: 2, example: 'late' } },
    generator: { cpuMs: 800, utilisation: 0.5, eventLoopDelayMs: 5, scheduleLagMs: 3 },
  });
  expect(sample.counts.accepted).toBe(40);
  expect(decodeHistogram(sample.service).totalCount).toBe(2);
  expect(decodeHistogram(sample.service).maxValue).toBeGreaterThan(29_900);
});

test('seconds come in order although a share was delayed, and continue without a share that has ended', () => {
  const seen: number[] = [];
  const merger = new SampleMerger(
    2,
    () => 0,
    ({ at }) => seen.push(at),
  );
  merger.add(0, [second(0, 1)], health(1));
  merger.add(0, [second(1, 1)], health(1));
  merger.add(1, [second(0, 1), second(1, 1)], health(1));
  merger.finish(1);
  merger.add(0, [second(2, 1)], health(1));
  expect(seen).toEqual([0, 1000, 2000]);
});
