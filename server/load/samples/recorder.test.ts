import { noCounts, type Counts } from '../../../common/measurement/counts';
import { decodeHistogram, type CountedValues } from '../../../common/measurement/histogram';
import { Phases } from '../timing/phases';
import { TaskRecorder } from './recorder';

const accepted = (documents: number): Counts => ({
  ...noCounts(),
  requests: 1,
  attempted: documents,
  accepted: documents,
});
const recorder = (phases: Phases): TaskRecorder =>
  new TaskRecorder('ingest', phases, () => ({ clients: 1, offered: null, backlog: 0 }));
const count = (encoded: string): number => decodeHistogram(encoded).totalCount;
const counted = (values: CountedValues): number =>
  values.reduce((sum, one, at) => (at % 2 === 1 ? sum + one : sum), 0);

test('throughput belongs to the phase in which requests end, fate to that of sending, times to that in which they were due', () => {
  const record = recorder(new Phases(1000, 2000));
  // This request was sent in the warm-up and ended in the measured phase.
  record.served(1200, 900, 900);
  record.completed(1200, 900);
  record.count(1200, accepted(10), 900);
  // This request was due in the warm-up and was sent in the measured phase.
  record.served(1500, 1100, 990);
  record.completed(1500, 990);
  // This request was due in the measured phase and ended in the drain.
  record.served(3500, 2900, 2000);
  record.completed(3500, 2000);
  record.count(3500, accepted(5), 2900);
  const seconds = record.takeLast(3600);
  const outcome = record.outcome();
  expect(seconds.map(({ phase, counts }) => [phase, counts.accepted])).toEqual([
    ['warm-up', 0],
    ['measure', 10],
    ['measure', 0],
    ['drain', 5],
  ]);
  expect(outcome.measured.accepted).toBe(10);
  expect(outcome.cohort.accepted).toBe(5);
  expect(outcome.total.accepted).toBe(15);
  expect(count(outcome.service)).toBe(1);
  expect(decodeHistogram(outcome.service).maxValue / 1000).toBeCloseTo(600, 0);
  expect(decodeHistogram(outcome.latency).maxValue / 1000).toBeCloseTo(1500, -1);
});

test('a second starts empty: nothing of the last one is in it', () => {
  const record = recorder(new Phases(0, null));
  record.served(500, 400, 400);
  record.completed(500, 400);
  record.named(500, 400, 'a', 100, 120, false);
  record.named(600, 400, 'b', null, null, true);
  record.failed(500, 'timeout', 3, 'late', 400);
  record.lagged(500, 2);
  const [first, next] = [record.takeSeconds(1000)[0]!, record.takeLast(1500)[0]!];
  expect([counted(first.service), first.failures['timeout']?.count]).toEqual([1, 3]);
  expect(first.scheduleLagMs).toBeCloseTo(2, 1);
  expect([counted(next.service), next.failures, next.scheduleLagMs]).toEqual([0, {}, 0]);
  expect(first.requests).toMatchObject({
    a: { count: 1, failed: 0 },
    b: { count: 1, failed: 1, latency: null },
  });
  expect(next.requests).toEqual({});
  const { requests, failures } = record.outcome();
  expect(count(requests['a']!.latency!)).toBe(1);
  expect(failures['timeout']).toEqual({ count: 3, example: 'late' });
});
