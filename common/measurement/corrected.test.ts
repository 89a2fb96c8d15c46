import { createRandom } from '../random';
import { correctedTimes } from './corrected';
import { createHistogram, recordMs, summariseHistogram } from './histogram';

/** Serves in 5 to 8 ms, and not at all in the first 3 s of each 10 s: 30% of the time. */
const answeredAt = (time: number, random: () => number): number => {
  const within = time % 10_000;
  return (within < 3000 ? time - within + 3000 : time) + 5 + 3 * random();
};

/** What requests take that come at any time: each waits for the end of the stall that it falls into. */
function truth(random: () => number) {
  const times = createHistogram();
  for (let n = 0; n < 200_000; n += 1) {
    const due = random() * 600_000;
    recordMs(times, answeredAt(due, random) - due);
  }
  return summariseHistogram(times);
}

test('a client that waits hides a stall, and the corrected figure shows it', () => {
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

test('think time is in the interval, and a steady target needs no correction', () => {
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

test('nothing is made up where times lie too far apart, or there are none', () => {
  expect(correctedTimes(createHistogram(), 0)).toBeNull();
  const times = createHistogram();
  for (let n = 0; n < 5000; n += 1) recordMs(times, 0.001);
  for (let n = 0; n < 100; n += 1) recordMs(times, 60_000 + n);
  expect(correctedTimes(times, 0)).toBeNull();
});
