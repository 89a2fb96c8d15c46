import { WallClockWatch } from './wall-clock';

test('a jump is reported once, with direction and size; routine adjustments are not reported', () => {
  let [wall, monotonic] = [1_800_000_000_000, 5000];
  const watch = new WallClockWatch({ wall: () => wall, monotonic: () => monotonic });
  const pass = (ms: number, jump = 0): string => {
    wall += ms + jump;
    monotonic += ms;
    return watch.look();
  };
  expect(pass(60_000)).toBe('');
  expect(pass(60_000, 400)).toBe('');
  expect(pass(1000, 3_600_000)).toMatch(/^the wall clock jumped ahead by 1h/);
  expect(pass(1000)).toBe('');
  expect(pass(1000, -90_000)).toMatch(/^the wall clock jumped back by 1m 30s$/);
  expect(pass(1000)).toBe('');
});

test('time that passes between the two readings is not a jump', () => {
  let wall = 0;
  let late = 0;
  const watch = new WallClockWatch({ wall: () => wall, monotonic: () => wall + late });
  wall += 1000;
  late = 5000;
  const once = (): number => {
    const reading = wall + late;
    late = 0;
    return reading;
  };
  const busy = new WallClockWatch({ wall: () => wall, monotonic: once });
  late = 5000;
  expect(busy.look()).toBe('');
  expect(watch.look()).toBe('');
});
