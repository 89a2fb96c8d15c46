import { parseLimit } from '../../../common/executors/highest-rate';
import type { Condition } from '../../../common/measurement/condition';
import { noCounts } from '../../../common/measurement/counts';
import {
  createHistogram,
  decodeHistogram,
  encodeHistogram,
  recordMs,
} from '../../../common/measurement/histogram';
import type { GeneratorHealth } from '../../../common/measurement/sample';
import { judgeStep } from './judge';
import { LimitTallies } from './limit-test';
import type { StepReport } from './orders';

const limits = (...texts: string[]): Condition[] =>
  texts.map((text) => {
    const limit = parseLimit(text);
    if ('message' in limit) throw new Error(limit.message);
    return limit;
  });

const times = (count: number, ms: number): string => {
  const histogram = createHistogram();
  for (let i = 0; i < count; i += 1) recordMs(histogram, ms);
  return encodeHistogram(histogram);
};

const LIMITS = limits('latency.p99 < 500ms', 'rejection_rate < 0.1%');

/** Returns the counts by which each limit in `by` is tested. The requests of the report are spread evenly over the step. */
function talliesOf({ due, counts, latency, service }: Omit<StepReport, 'tallies'>, by: readonly Condition[]) {
  const tallies = new LimitTallies(by, 0, 10_000);
  const spread = (encoded: string, of: 'latency' | 'service_time'): void => {
    const { totalCount, mean } = decodeHistogram(encoded);
    for (let i = 0; i < totalCount; i += 1) tallies.timed(of, (10_000 * i) / totalCount, mean / 1000);
  };
  spread(latency, 'latency');
  spread(service, 'service_time');
  if (due > 0) tallies.count(5000, counts);
  return tallies.report();
}

const report = (more: Partial<StepReport> = {}): Omit<StepReport, 'tallies'> => ({
  number: 1,
  due: 1000,
  unsent: 0,
  unsettled: 0,
  waitingBefore: 2,
  waitingAfter: 3,
  counts: { ...noCounts(), requests: 1000, attempted: 1000, accepted: 1000 },
  service: times(1000, 10),
  latency: times(1000, 12),
  unanswered: times(0, 0),
  neverSent: times(0, 0),
  requests: {},
  failures: {},
  ...more,
});

const health = (more: Partial<GeneratorHealth> = {}): GeneratorHealth => ({
  cpuMs: 100,
  utilisation: 0.3,
  eventLoopDelayMs: 1,
  scheduleLagMs: 1,
  ...more,
});

const judge = (own: Partial<StepReport>, seconds: GeneratorHealth[] = [health()], by = LIMITS) => {
  const reported = report(own);
  const whole = { ...reported, tallies: own.tallies ?? talliesOf(reported, by) };
  return judgeStep(whole, 10_000, seconds, { limits: by, alpha: 0.05, clients: 256 });
};

test('a rate is held where every limit is kept and what was due was answered', () => {
  expect(judge({})).toMatchObject({
    held: true,
    stop: null,
    why: '',
    answeredPerSecond: 100,
    acceptedPerSecond: 100,
    limits: [
      { limit: 'latency.p99 < 500ms', held: true },
      { limit: 'rejection_rate < 0.1%', value: 0, held: true },
    ],
  });
});

test('a broken limit is named with its value', () => {
  expect(judge({ service: times(1000, 800), latency: times(1000, 800) })).toMatchObject({
    held: false,
    stop: 'limit',
    why: 'latency.p99 was 800 ms (latency.p99 < 500ms)',
  });
  const counts = { ...noCounts(), requests: 1000, attempted: 1000, accepted: 995, rejected: 5 };
  expect(judge({ counts })).toMatchObject({
    stop: 'limit',
    why: 'rejection_rate was 0.5% (rejection_rate < 0.1%)',
  });
});

test('a queue that grows is not sustained, even where the limits allow it', () => {
  expect(judge({ waitingAfter: 150 })).toMatchObject({
    held: false,
    stop: 'behind',
    why: '148 more requests waited at its end than at its beginning',
  });
  // A queue of this length may occur by chance with so many requests.
  expect(judge({ waitingAfter: 60 }).held).toBe(true);
});

test('requests that waited for a client while those that were sent kept the limits are not of the target', () => {
  const waited = judge({ unsent: 50, latency: times(1000, 900) });
  expect(waited).toMatchObject({ stop: 'clients' });
  expect(waited.why).toContain('at least 900 ms');
  expect(waited.why).toContain('5% of the requests were not sent, all 256 clients being busy');
  expect(judge({ unsent: 50, latency: times(1000, 900), service: times(1000, 700) }).stop).toBe('limit');
});

test('a generator that had no more is named, but only where a rate was not held', () => {
  const busy = [health({ utilisation: 0.99 })];
  expect(judge({ latency: times(1000, 900) }, busy)).toMatchObject({ held: false, stop: 'generator' });
  expect(judge({}, busy).held).toBe(true);
  const late = [health({ scheduleLagMs: 300 })];
  expect(judge({ latency: times(1000, 900) }, late).stop).toBe('generator');
  // Late or not, the requests were slow after they were sent.
  expect(judge({ latency: times(1000, 900), service: times(1000, 700) }, late).stop).toBe('limit');
});

test('too few answers decide nothing', () => {
  const few = judge({ due: 50, latency: times(50, 10), service: times(50, 10) });
  expect(few).toMatchObject({ held: false, stop: 'samples', why: 'too few answers for latency.p99' });
  expect(
    judge(
      { due: 0, waitingAfter: 2, latency: times(0, 0), service: times(0, 0) },
      [],
      limits('error_rate < 1%'),
    ),
  ).toMatchObject({
    held: false,
    stop: 'samples',
    why: 'no request was due',
  });
});
