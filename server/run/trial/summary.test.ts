import { noCounts } from '../../../common/measurement/counts';
import { createHistogram, encodeHistogram, recordMs } from '../../../common/measurement/histogram';
import type { Sample } from '../../../common/measurement/sample';
import type { LoadOutcome, TaskOutcome } from '../../load/contract';
import { parseCondition, type Condition } from '../../../common/measurement/condition';
import { RecentSamples } from './progress';
import { stopReason } from './steps/early-stop';
import { generatorSummary, taskSummary } from './summary';

const histogramOf = (...ms: number[]): string => {
  const histogram = createHistogram();
  ms.forEach((value) => recordMs(histogram, value));
  return encodeHistogram(histogram);
};

const sample = (
  second: number,
  more: Partial<Sample> = {},
  health: Partial<Sample['generator']> = {},
): Sample => ({
  task: 'ingest',
  at: second * 1000,
  phase: 'measure',
  counts: { ...noCounts(), requests: 1, attempted: 100, accepted: 100 },
  service: histogramOf(10),
  latency: histogramOf(10),
  clients: 1,
  offered: null,
  backlog: 0,
  failures: {},
  requests: {},
  generator: { cpuMs: 100, utilisation: 0.2, eventLoopDelayMs: 1, scheduleLagMs: 0, ...health },
  ...more,
});

const seconds = (count: number, of: (second: number) => Sample): Sample[] =>
  Array.from({ length: count }, (_, n) => of(n));

const taskOutcome = (more: Partial<TaskOutcome> = {}): TaskOutcome => ({
  task: 'ingest',
  kind: 'ingest',
  measured: {
    ...noCounts(),
    requests: 10,
    attempted: 1000,
    accepted: 900,
    rejected: 60,
    failed: 40,
    bytes: 5000,
  },
  cohort: {
    ...noCounts(),
    requests: 10,
    attempted: 1000,
    accepted: 840,
    rejected: 120,
    failed: 40,
    bytes: 5000,
  },
  total: { ...noCounts(), attempted: 1200, accepted: 1100, rejected: 60, failed: 40 },
  elapsedMs: 2000,
  service: histogramOf(10, 20, 30),
  latency: histogramOf(10, 20, 60),
  unanswered: histogramOf(),
  neverSent: histogramOf(),
  requests: {},
  failures: {},
  offered: null,
  sent: null,
  unsent: 0,
  replay: null,
  senders: null,
  parsers: null,
  ...more,
});

describe('the summary of a task', () => {
  it('contains the accepted documents per second of the phase, and the outcomes of all that were sent in it', () => {
    expect(taskSummary(taskOutcome(), [])).toMatchObject({
      throughput: 450,
      attemptedPerSecond: 500,
      bytesPerSecond: 2500,
      rejectionRate: 0.12,
      errorRate: 0.16,
      offeredPerSecond: null,
    });
  });

  it('contains the offered rate and the sent rate', () => {
    const summary = taskSummary(taskOutcome({ offered: 200, sent: 150, unsent: 50 }), []);
    expect(summary).toMatchObject({ offeredPerSecond: 100, sentPerSecond: 75, unsent: 50 });
  });

  it('is zero, not infinite, when nothing was measured', () => {
    expect(taskSummary(taskOutcome({ elapsedMs: 0 }), []).throughput).toBe(0);
  });
});

describe('the generator', () => {
  const outcome = { workers: 2, tasks: [] as LoadOutcome['tasks'] } as LoadOutcome;

  it('was not the limit if it had capacity left', () => {
    const samples = seconds(20, (n) => sample(n));
    expect(generatorSummary(outcome, samples)).toMatchObject({
      limited: false,
      reason: '',
      cpuMs: 100,
      workers: 2,
    });
  });

  it('was the limit if its busiest thread was never idle', () => {
    const samples = seconds(20, (n) => sample(n, {}, { utilisation: 0.97 }));
    expect(generatorSummary(outcome, samples)).toMatchObject({
      limited: true,
      reason: expect.stringContaining('idle') as string,
    });
  });

  it('is not blamed for single bad seconds of the machine', () => {
    const samples = seconds(20, (n) =>
      sample(n, {}, n === 3 ? { utilisation: 0.99, scheduleLagMs: 500 } : {}),
    );
    expect(generatorSummary(outcome, samples)).toMatchObject({ limited: false, scheduleLagMs: 500 });
  });

  it('was the limit if requests of an open schedule were repeatedly late', () => {
    const samples = seconds(20, (n) => sample(n, {}, { scheduleLagMs: 50 }));
    expect(generatorSummary(outcome, samples).reason).toContain('schedule');
  });

  it.each([
    ['first', ['late', 'punctual']],
    ['last', ['punctual', 'late']],
  ])('is as late in a second as the latest of its tasks, if that task reports %s', (_, tasks) => {
    const samples = tasks.flatMap((task) =>
      seconds(20, (n) => sample(n, { task }, { scheduleLagMs: task === 'late' ? 50 : 1 })),
    );
    expect(generatorSummary(outcome, samples)).toMatchObject({
      scheduleLagMs: 50,
      cpuMs: 100,
      limited: true,
      reason: expect.stringContaining('schedule') as string,
    });
  });

  it('is judged by the measured phase alone', () => {
    const samples = seconds(20, (n) => sample(n, { phase: 'warm-up' }, { utilisation: 1 }));
    expect(generatorSummary(outcome, samples).limited).toBe(false);
  });
});

describe('stop-when', () => {
  const conditions = ['ingest.error_rate > 50%'].map((text) => parseCondition(text) as Condition);
  const definition = { tasks: [{ name: 'ingest', ingest: {} }] };
  const failing = (n: number): Sample =>
    sample(n, { counts: { ...noCounts(), attempted: 100, failed: 80, accepted: 20 } });
  const recentOf = (samples: Sample[]): RecentSamples => {
    const recent = new RecentSamples();
    samples.forEach((each) => recent.add(each));
    return recent;
  };

  it('waits for ten seconds before it judges', () => {
    expect(stopReason(conditions, definition, recentOf(seconds(9, failing)))).toBeUndefined();
    expect(stopReason(conditions, definition, recentOf(seconds(10, failing)))).toContain(
      'ingest.error_rate > 50%',
    );
  });

  it('forgets what is older than ten seconds', () => {
    const samples = [...seconds(10, failing), ...seconds(10, (n) => sample(n + 10))];
    expect(stopReason(conditions, definition, recentOf(samples))).toBeUndefined();
  });
});
