import { constantSchedule } from './constant-rate';
import { clientsAt } from './ramping-clients';
import { rampingSchedule } from './ramping-rate';
import { Lane, type Schedule } from './schedule';

const ramp = rampingSchedule({
  start: 0,
  stages: [
    { perSecond: 100, overMs: 10_000 },
    { perSecond: 100, overMs: 5000 },
    { perSecond: 20, overMs: 4000 },
  ],
});

test('a constant rate does not drift, however long it lasts', () => {
  expect(constantSchedule(3).due(3 * 86_400)).toBe(86_400_000);
  expect(constantSchedule(1000 / 7).due(1000)).toBeCloseTo(7000, 6);
});

test('a ramp has as many requests due as the area under its rate', () => {
  const lane = new Lane(ramp, 0, 1);
  expect(lane.dueBefore(10_000)).toBe(500);
  expect(lane.dueBefore(15_000)).toBe(1000);
  expect(lane.dueBefore(19_000)).toBe(1240);
  // The last rate stays.
  expect(lane.dueBefore(29_000)).toBe(1440);
});

test('dues rise from stage to stage without a jump', () => {
  for (let number = 1; number < 1500; number += 1)
    expect(ramp.due(number)).toBeGreaterThan(ramp.due(number - 1));
  expect(ramp.due(500)).toBeCloseTo(10_000, 6);
  expect(ramp.due(1000)).toBeCloseTo(15_000, 6);
});

test('a ramp down to nothing ends', () => {
  const falling = rampingSchedule({ start: 10, stages: [{ perSecond: 0, overMs: 2000 }] });
  expect(falling.due(9)).toBeLessThan(2000);
  expect(falling.due(11)).toBe(Infinity);
  expect(new Lane(falling, 0, 1).dueBefore(1e9)).toBe(10);
});

test.each<[string, Schedule]>([
  ['constant', constantSchedule(7)],
  ['ramping', ramp],
])('the lanes of a %s rate take turns and together do exactly the schedule', (_, schedule) => {
  const lanes = [0, 1, 2].map((lane) => new Lane(schedule, lane, 3));
  for (const time of [0, 1, 142.857, 143, 1000, 9999.5, 20_000]) {
    const together = lanes.reduce((sum, lane) => sum + lane.dueBefore(time), 0);
    expect(together).toBe(new Lane(schedule, 0, 1).dueBefore(time));
  }
  expect(lanes[1]!.due(2)).toBe(schedule.due(7));
});

test('what is due at a moment is not due before it', () => {
  const lane = new Lane(constantSchedule(10), 0, 1);
  expect([lane.dueBefore(0), lane.dueBefore(100), lane.dueBefore(100.001)]).toEqual([0, 1, 2]);
});

test('clients ramp linearly from stage to stage, and the last number stays', () => {
  const job = {
    start: 2,
    stages: [
      { clients: 10, overMs: 1000 },
      { clients: 0, overMs: 500 },
      { clients: 5, overMs: 0 },
    ],
  };
  expect([0, 500, 999, 1250, 1500, 9999].map((time) => clientsAt(job, time))).toEqual([2, 6, 10, 5, 5, 5]);
});
