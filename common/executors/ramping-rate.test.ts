import { rampingSchedule } from './ramping-rate';

const ramp = rampingSchedule({
  start: 0,
  stages: [
    { perSecond: 100, overMs: 10_000 },
    { perSecond: 100, overMs: 5000 },
    { perSecond: 20, overMs: 4000 },
  ],
});

test('due times rise from stage to stage without a jump', () => {
  for (let number = 1; number < 1500; number += 1)
    expect(ramp.due(number)).toBeGreaterThan(ramp.due(number - 1));
  expect(ramp.due(500)).toBeCloseTo(10_000, 6);
  expect(ramp.due(1000)).toBeCloseTo(15_000, 6);
});
