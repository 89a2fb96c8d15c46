import { constantSchedule } from '../../../common/executors/constant-rate';
import type { Schedule } from '../../../common/executors/executor';
import { rampingSchedule } from '../../../common/executors/ramping-rate';
import { ShareOfSchedule } from './due-times';

const ramp = rampingSchedule({
  start: 0,
  stages: [
    { perSecond: 100, overMs: 10_000 },
    { perSecond: 100, overMs: 5000 },
    { perSecond: 20, overMs: 4000 },
  ],
});

test('a ramp has as many requests due as the area under its rate', () => {
  const alone = new ShareOfSchedule(ramp, { index: 0, of: 1 });
  expect(alone.dueBefore(10_000)).toBe(500);
  expect(alone.dueBefore(15_000)).toBe(1000);
  expect(alone.dueBefore(19_000)).toBe(1240);
  // After the last step, the rate stays constant.
  expect(alone.dueBefore(29_000)).toBe(1440);
});

test('a ramp down to nothing ends', () => {
  const falling = rampingSchedule({ start: 10, stages: [{ perSecond: 0, overMs: 2000 }] });
  expect(falling.due(9)).toBeLessThan(2000);
  expect(falling.due(11)).toBe(Infinity);
  expect(new ShareOfSchedule(falling, { index: 0, of: 1 }).dueBefore(1e9)).toBe(10);
});

test.each<[string, Schedule]>([
  ['constant', constantSchedule(7)],
  ['ramping', ramp],
])('the shares of a %s rate take turns and together do exactly the schedule', (_, schedule) => {
  const shares = [0, 1, 2].map((index) => new ShareOfSchedule(schedule, { index, of: 3 }));
  for (const time of [0, 1, 142.857, 143, 1000, 9999.5, 20_000]) {
    const together = shares.reduce((sum, share) => sum + share.dueBefore(time), 0);
    expect(together).toBe(new ShareOfSchedule(schedule, { index: 0, of: 1 }).dueBefore(time));
  }
  expect(shares[1]!.due(2)).toBe(schedule.due(7));
});

test('what is due at a moment is not due before it', () => {
  const alone = new ShareOfSchedule(constantSchedule(10), { index: 0, of: 1 });
  expect([alone.dueBefore(0), alone.dueBefore(100), alone.dueBefore(100.001)]).toEqual([0, 1, 2]);
});
