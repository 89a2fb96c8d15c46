import { createRandom } from '../random';
import { correctedTimes } from './corrected';
import { createHistogram, recordMs, summariseHistogram } from './histogram';

/**
 * Returns the time at which a simulated target answers a request that it gets at `time`, in ms. It needs 5 to 8 ms, but stalls in the first
 * 3 s of every 10 s, which is 30% of the time.
 */
const answeredAt = (time: number, random: () => number): number => {
  const within = time % 10_000;
  return (within < 3000 ? time - within + 3000 : time) + 5 + 3 * random();
};

/** Summarises the true response times: requests arrive at random moments, and each waits for the end of the stall in which it arrives. */
function truth(random: () => number) {
  const times = createHistogram();
  for (let n = 0; n < 200_000; n += 1) {
    const due = random() * 600_000;
    recordMs(times, answeredAt(due, random) - due);
  }
  return summariseHistogram(times);
}

test('a client that waits hides a stall, and the corrected times show it', () => {
  const random = createRandom(1);
  const next = (): number => random.unit();
  const times = createHistogram();
  for (let now = 0; now < 600_000;) {
    const end = answeredAt(now, next);
    recordMs(times, end - now);
    now = end;
  }
  const raw = summariseHistogram(times);
  const real = truth(next);
  const { intervalMs, times: corrected } = correctedTimes(times, 0)!;
  expect(raw.p99).toBeLessThan(20);
  expect(real.p90).toBeCloseTo(2000, -2);
  expect(real.p99).toBeCloseTo(2900, -2);
  expect(intervalMs).toBeCloseTo(6.5, 0);
  expect(Math.abs(corrected.p90! / real.p90! - 1)).toBeLessThan(0.03);
  expect(Math.abs(corrected.p99! / real.p99! - 1)).toBeLessThan(0.02);
});

test('the interval includes the think time, and a steady target needs no correction', () => {
  const times = createHistogram();
  for (let n = 0; n < 1000; n += 1) recordMs(times, 10);
  const { intervalMs, times: corrected } = correctedTimes(times, 90)!;
  expect(intervalMs).toBeCloseTo(100, 0);
  expect(corrected).toMatchObject({
    count: 1000,
    p50: summariseHistogram(times).p50,
    max: summariseHistogram(times).max,
  });
});

test('times that differ too much, or no times at all, are not corrected', () => {
  expect(correctedTimes(createHistogram(), 0)).toBeNull();
  const times = createHistogram();
  for (let n = 0; n < 5000; n += 1) recordMs(times, 0.001);
  for (let n = 0; n < 100; n += 1) recordMs(times, 60_000 + n);
  expect(correctedTimes(times, 0)).toBeNull();
});
