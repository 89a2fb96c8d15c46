import { clockOffset, sayClock, sayReading } from './target-clock';

const reading = (offsetMs: number, errorMs = 5, apartMs = 0) => ({ offsetMs, errorMs, apartMs });

test('dates are shifted only by a difference above the error of the reading', () => {
  expect([reading(3), reading(-5), reading(6), reading(-600_000)].map(clockOffset)).toEqual([
    0, 0, 6, -600_000,
  ]);
  expect(clockOffset(null)).toBe(0);
});

test('a difference above a second is reported, unless it may be the error of the reading', () => {
  expect(sayReading(reading(1000))).toBe('');
  expect(sayReading(reading(1400, 500))).toBe('');
  expect(sayReading(reading(-600_000))).toBe(
    'the target’s clock is 10m 00s behind that of the machine that carries the run',
  );
  expect(sayReading(reading(2000, 5, 3000))).toBe(
    'the target’s clock is 2s ahead of that of the machine that carries the run, and the clocks of the target’s nodes differ by 3s',
  );
});

test('a clock that was set during a trial is reported', () => {
  expect(sayClock({ before: null, after: null })).toBe('');
  expect(sayClock({ before: reading(0), after: reading(1) })).toBe('');
  expect(sayClock({ before: reading(0), after: reading(-5000) })).toBe(
    'the target’s clock is 5s behind that of the machine that carries the run; the difference changed by 5s during the trial',
  );
});
