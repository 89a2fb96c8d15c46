import { limitsOf } from '../../../common/executors/highest-rate';
import { noCounts } from '../../../common/measurement/counts';
import { createRandom } from '../../../common/random';
import { LimitTallies, mergeTallies, testLimit, type LimitTally } from './limit-test';

const MINUTE = 60_000;
const limitOf = (text: string) => limitsOf({ limits: [text] })[0]!;

/**
 * Returns the counts by which a limit is tested, for a minute of requests: one every `each` ms. `ms` returns the duration of a request from
 * its number.
 */
function timed(limit: string, ms: (number: number) => number, each = 5): LimitTally {
  const tallies = new LimitTallies([limitOf(limit)], 0, MINUTE);
  for (let number = 0; number * each < MINUTE; number += 1) {
    tallies.timed('latency', number * each, ms(number));
  }
  return tallies.report()[0]!;
}

const P99 = 'latency.p99 < 100ms';
const judge = (ms: (number: number) => number, alpha = 0.01) =>
  testLimit(limitOf(P99), timed(P99, ms), alpha);

/** Makes a share of the requests slow: single requests, or `run` consecutive ones. */
const slow = (share: number, run: number, seed = 1) => {
  const random = createRandom(seed);
  let left = 0;
  return (): number => {
    if (left === 0 && random.unit() < share / run) left = run;
    if (left === 0) return 10;
    left -= 1;
    return 200;
  };
};

test('far from its limit a percentile is decided, and near it is not, on either side', () => {
  expect(judge(slow(0.004, 1))).toBe('kept');
  expect(judge(slow(0.02, 1))).toBe('broken');
  expect(judge(slow(0.0095, 1))).toBe('undecided');
  expect(judge(slow(0.0105, 1))).toBe('undecided');
});

test('slow requests that come together say less than as many that come alone', () => {
  expect(judge(slow(0.005, 1, 3))).toBe('kept');
  expect(judge((number) => (number >= 6000 && number < 6060 ? 200 : 10))).toBe('undecided');
  expect(judge(slow(0.02, 1, 3))).toBe('broken');
  expect(judge((number) => (number >= 6000 && number < 6240 ? 200 : 10))).toBe('undecided');
});

test('none too slow passes where so many were to be expected, unless slow ones nearly too slow came together', () => {
  expect(judge(() => 10)).toBe('kept');
  const few = new LimitTallies([limitOf(P99)], 0, MINUTE);
  for (let number = 0; number < 400; number += 1) few.timed('latency', number * 150, 10);
  expect(testLimit(limitOf(P99), few.report()[0]!, 0.01)).toBe('undecided');
  expect(testLimit(limitOf(P99), few.report()[0]!, 0.05)).toBe('kept');
  // A third of the minute at 90 ms, without interruption: the next third may be over the limit for as long.
  expect(judge((number) => (number < 4000 ? 90 : 10))).toBe('undecided');
});

test('at the very limit, few tests are wrong on either side, with requests that come alone and in runs', () => {
  for (const run of [1, 5]) {
    const verdicts = Array.from({ length: 40 }, (_, seed) =>
      testLimit(limitOf(P99), timed(P99, slow(0.01, run, seed), 10), 0.05),
    );
    for (const wrong of ['kept', 'broken'] as const) {
      expect(verdicts.filter((verdict) => verdict === wrong).length / 40).toBeLessThan(0.15);
    }
  }
});

test('rejections, errors and means are judged by the same test', () => {
  const text = 'rejection_rate < 1%';
  const rejecting = (share: number) => {
    const tallies = new LimitTallies([limitOf(text)], 0, MINUTE);
    const random = createRandom(4);
    for (let due = 0; due < MINUTE; due += 10) {
      const rejected = random.unit() < share ? 1 : 0;
      tallies.count(due, { ...noCounts(), attempted: 1, rejected });
    }
    return testLimit(limitOf(text), tallies.report()[0]!, 0.01);
  };
  expect([0, 0.003, 0.01, 0.03].map(rejecting)).toEqual(['kept', 'kept', 'undecided', 'broken']);
  const mean = 'latency.mean < 50ms';
  const random = createRandom(5);
  const around = (centre: number) =>
    testLimit(
      limitOf(mean),
      timed(mean, () => centre * (0.5 + random.unit())),
      0.01,
    );
  expect([45, 50, 55].map(around)).toEqual(['kept', 'undecided', 'broken']);
  expect(
    testLimit(
      limitOf('latency.max < 1s'),
      timed('latency.max < 1s', () => 10),
      0.01,
    ),
  ).toBeNull();
});

test('shares are added batch by batch', () => {
  const whole = timed(P99, (number) => (number % 50 === 0 ? 200 : 10));
  const [merged] = mergeTallies([[whole], [whole]]);
  expect(merged!.over).toEqual(whole.over.map((over) => 2 * over));
  expect(merged!.of[19]).toBe(1200);
});
