import { LoadClock } from './clock';
import { LoopDelay } from '../instrument/loop-delay';
import { Pacer } from './pacer';

/** Time of a simulated clock, in ms. It advances with each short sleep of the pacer, and a little with each reading. */
let time: number;
/** Delay with which the system ends each short sleep, in ms. */
let oversleepMs: number;
let naps: number;
let pacer: Pacer;

beforeEach(() => {
  time = 0;
  naps = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (time += 0.001));
  jest.spyOn(Atomics, 'wait').mockImplementation(((...[, , , ms = 0]: Parameters<typeof Atomics.wait>) => {
    naps += 1;
    time += ms + oversleepMs;
    return 'timed-out';
  }) as typeof Atomics.wait);
});
afterEach(() => {
  pacer.close();
  jest.restoreAllMocks();
});

/** Wakes up `times` times, every `everyMs` ms. Returns how late each wake-up was, in ms. */
function lateness(times: number, everyMs = 1.5): Promise<number[]> {
  const clock = new LoadClock();
  clock.begin({ at: 0, tick: 0 });
  pacer = new Pacer(clock, new LoopDelay());
  return new Promise((resolve) => {
    const late: number[] = [];
    let due = clock.now() + everyMs;
    const wakeAt = pacer.add(() => {
      late.push(clock.now() - due);
      if (late.length === times) {
        resolve(late);
        return;
      }
      due = Math.max(due, clock.now()) + everyMs;
      wakeAt(due);
    });
    wakeAt(due);
  });
}

test.each([0.005, 0.056, 0.15])('wakes on time where the system ends naps %d ms late', async (ms) => {
  oversleepMs = ms;
  const late = await lateness(50);
  expect(naps).toBeGreaterThan(50);
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
  // In its first short sleeps, the pacer measures how late the system is.
  expect(Math.max(...late.slice(5))).toBeLessThan(0.02);
});

test('one nap that others made long does not change the next ones', async () => {
  const long = 20;
  oversleepMs = 0.05;
  jest.spyOn(Atomics, 'wait').mockImplementation(((...[, , , ms = 0]: Parameters<typeof Atomics.wait>) => {
    naps += 1;
    time += ms + (naps === long ? 500 : oversleepMs);
    return 'timed-out';
  }) as typeof Atomics.wait);
  const late = await lateness(40);
  expect(naps).toBeGreaterThan(10 * long);
  expect(late.filter((ms) => ms > 0.02)).toEqual([expect.closeTo(500, -1)]);
});

test('naps between requests of a high rate too, which leave a little late for it', async () => {
  oversleepMs = 0.056;
  const late = await lateness(100, 0.1);
  expect(naps).toBeGreaterThan(60);
  expect(Math.max(...late.slice(5))).toBeLessThan(oversleepMs);
});

test('does not nap in a wait that is shorter than a nap', async () => {
  oversleepMs = 0.056;
  const late = await lateness(100, 0.06);
  expect(naps).toBe(0);
  expect(Math.max(...late)).toBeLessThan(0.01);
});
