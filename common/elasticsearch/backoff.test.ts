import { createRandom } from '../random';
import { jitteredPause, pauseAfterFailures } from './backoff';

test('pauses are uniform up to a ceiling that doubles until its maximum', () => {
  const random = createRandom(1);
  for (const [attempt, ceiling] of [
    [0, 100],
    [1, 200],
    [2, 400],
    [5, 1000],
    [50, 1000],
  ] as const) {
    const pauses = Array.from({ length: 2000 }, () => jitteredPause(attempt, 100, 1000, random));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(ceiling);
    expect(Math.max(...pauses)).toBeGreaterThan(ceiling * 0.98);
    expect(Math.min(...pauses)).toBeLessThan(ceiling * 0.02);
    expect(pauses.reduce((sum, pause) => sum + pause) / pauses.length / ceiling).toBeCloseTo(0.5, 1);
  }
});

test('a client without answers pauses 50 ms, doubling to a second', () => {
  expect([1, 2, 3, 5, 6, 100].map(pauseAfterFailures)).toEqual([50, 100, 200, 800, 1000, 1000]);
});
