import { createRandom } from '../random';
import { normal } from './testing/made-run';
import { steadyState } from './steady';

const load = (seconds: number, level: (share: number) => number, seed = 1): number[] => {
  const random = createRandom(seed);
  return Array.from(
    { length: seconds },
    (_, second) => 10_000 * level(second / seconds) * (1 + 0.05 * normal(random)),
  );
};

describe('steady state', () => {
  test('cannot be told from less than a minute', () => {
    expect(steadyState(load(59, () => 1))).toBeNull();
    expect(steadyState([])).toBeNull();
  });

  test('is there from the start of a flat load', () => {
    expect(steadyState(load(330, () => 1))).toEqual({ settled: true, afterSeconds: expect.any(Number) });
    expect(steadyState(load(330, () => 1))!.afterSeconds).toBeLessThanOrEqual(60);
  });

  test('begins where a start-up ends', () => {
    const { settled, afterSeconds } = steadyState(load(300, (share) => (share < 0.2 ? 0.5 : 1)))!;
    expect(settled).toBe(true);
    expect(afterSeconds).toBeGreaterThanOrEqual(60);
    expect(afterSeconds).toBeLessThanOrEqual(75);
  });

  test('is never reached by a load that keeps falling, nor by one that turns at the end', () => {
    expect(steadyState(load(300, (share) => 1 - 0.6 * share))!.settled).toBe(false);
    expect(steadyState(load(300, (share) => (share > 0.7 ? 0.6 : 1)))!.settled).toBe(false);
  });

  test('is denied to at most one in twenty flat loads, short ones too', () => {
    for (const seconds of [60, 120, 330]) {
      const denied = Array.from({ length: 400 }, (_, seed) =>
        steadyState(load(seconds, () => 1, seed))!,
      ).filter(({ settled }) => !settled);
      expect(denied.length / 400).toBeLessThan(0.05);
    }
  });
});
