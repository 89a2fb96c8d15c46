import { LoadClock, loadStart } from './clock';

afterEach(() => jest.restoreAllMocks());

test('time goes from the start on, in every thread by the same clock', () => {
  const at = Date.now() + 60_000;
  const start = loadStart(at);
  const clocks = [new LoadClock(), new LoadClock()];
  for (const clock of clocks) {
    expect(clock.now()).toBeLessThan(-1e6);
    clock.begin(start);
  }
  const before = performance.now();
  const [first, second] = clocks.map((clock) => clock.now());
  expect(second! - first!).toBeLessThanOrEqual(performance.now() - before + 1);
  expect(first).toBeGreaterThan(-60_005);
  expect(first).toBeLessThan(0);
  expect(clocks[0]!.wall(1000.5)).toBe(at + 1000);
});

test.each([3_600_000, -3_600_000])('a wall clock that jumps by %d ms moves no start', (jump) => {
  const clock = new LoadClock();
  const start = loadStart(Date.now() + 20);
  const wall = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => wall() + jump);
  clock.begin(start);
  expect(Math.abs(clock.now() + 20)).toBeLessThan(15);
  const late = new LoadClock();
  late.begin(start);
  expect(Math.abs(late.now() - clock.now())).toBeLessThan(5);
});

test('dates of what is sent are by the clock of the target', () => {
  const clock = new LoadClock(-600_000);
  clock.begin(loadStart(Date.now()));
  expect(Math.abs(clock.targetTime() - (Date.now() - 600_000))).toBeLessThan(50);
  expect(Math.abs(clock.wall() - Date.now())).toBeLessThan(50);
});
