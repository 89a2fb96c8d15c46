import { createRandom, deriveSeed } from '../random';
import { resolvePlan } from '../experiment/plan';
import type { SteadyState } from '../measurement/trial';
import { normal, refreshRun } from './testing/made-run';
import { steadyState } from './steady';
import { trialWarnings } from './warnings';

const WARMUP = 30;

/**
 * Returns the throughput of each second of a load. `measured`: length of the measured phase in seconds. `level`: returns the relative
 * throughput at a point of time. The point is a share of the measured phase, negative in the warm-up. `cv`: coefficient of variation of
 * single seconds.
 */
const load = (measured: number, level: (share: number, second: number) => number, seed = 1, cv = 0.05) => {
  const random = createRandom(seed);
  return Array.from(
    { length: WARMUP + measured },
    (_, second) => 10_000 * level((second - WARMUP) / measured, second) * (1 + cv * normal(random)),
  );
};

/** Returns the share of a hundred loads whose throughput is classified as not steady. */
function unsettled(measured: number, level: (share: number, second: number) => number, cv = 0.05): number {
  const found = Array.from({ length: 100 }, (_, seed) =>
    steadyState(load(measured, level, deriveSeed(7, measured, seed), cv), WARMUP),
  );
  return found.filter((steady) => !steady!.settled).length / 100;
}

describe('steady state', () => {
  test('is unknown with less than a minute after the warm-up', () => {
    expect(
      steadyState(
        load(59, () => 1),
        WARMUP,
      ),
    ).toBeNull();
    expect(steadyState([], 0)).toBeNull();
    expect(
      steadyState(
        Array.from({ length: 120 }, () => 0),
        0,
      ),
    ).toMatchObject({ settled: true, change: 0 });
  });

  test('begins with a flat load', () => {
    const { settled, afterSeconds, change } = steadyState(
      load(300, () => 1),
      WARMUP,
    )!;
    expect(settled).toBe(true);
    expect(afterSeconds).toBeLessThanOrEqual(WARMUP);
    expect(Math.abs(change)).toBeLessThan(0.03);
  });

  test('begins when a start-up ends, in the warm-up or in the first quarter of the measured phase', () => {
    for (const end of [15, 60]) {
      const steady = steadyState(
        load(300, (_, second) => (second < end ? 0.4 : 1)),
        WARMUP,
      )!;
      expect(steady.settled).toBe(true);
      expect(steady.afterSeconds).toBeGreaterThanOrEqual(end);
      expect(steady.afterSeconds).toBeLessThanOrEqual(Math.max(WARMUP, end + 15));
    }
  });

  test('is never reached by a load that keeps falling, or that changes halfway or at the end', () => {
    expect(unsettled(300, (share) => 1 - 0.64 * Math.max(0, share))).toBe(1);
    for (const at of [0.35, 0.5, 0.7, 0.9]) {
      expect(unsettled(300, (share) => (share > at ? 0.36 : 1))).toBeGreaterThan(0.95);
    }
  });

  test('is not found for a drift of 10% in 15 minutes, or in five minutes with seconds that vary by 10%', () => {
    const drift = (share: number): number => 1 - 0.1 * Math.max(0, share);
    expect(unsettled(900, drift)).toBeGreaterThan(0.95);
    expect(unsettled(300, drift, 0.1)).toBeGreaterThan(0.85);
  });

  test('is not found for at most one in twenty stable loads: flat ones, and ones with regular dips or stalls', () => {
    for (const measured of [60, 120, 300]) {
      expect(unsettled(measured, () => 1, 0.2)).toBeLessThanOrEqual(0.05);
      if (measured === 60) continue;
      expect(unsettled(measured, (_, second) => (second % 60 < 10 ? 0.3 : 1))).toBeLessThanOrEqual(0.05);
      expect(unsettled(measured, (_, second) => (second % 30 < 2 ? 0.02 : 1))).toBeLessThanOrEqual(0.05);
    }
  });

  test('reports which drift it could have found: a smaller one in a longer phase', () => {
    const [short, long] = [60, 600].map(
      (measured) =>
        steadyState(
          load(measured, () => 1, 3, 0.1),
          WARMUP,
        )!.findsFrom,
    );
    expect(short).toBeGreaterThan(0.1);
    expect(long).toBeLessThan(0.1);
  });
});

describe('the warnings of a trial', () => {
  const { run, trials } = refreshRun();
  const sayings = (steady: SteadyState | null, seconds = 300): string => {
    const [first] = trials;
    const tasks = first!.tasks.map((task) => ({ ...task, steady, elapsedMs: seconds * 1000 }));
    return trialWarnings(run.definition, resolvePlan(run), [{ ...first!, tasks }])
      .filter((warning) => /settled/.test(warning))
      .join('\n');
  };

  test('say by how much an unsettled load changed, and when the test is weak', () => {
    const steady = { settled: true, afterSeconds: 30, change: 0.01, findsFrom: 0.17 };
    expect(sayings({ ...steady, settled: false, change: -0.64 })).toMatch(
      /never settled in the only trial: throughput changed by −64%\. Its mean/,
    );
    expect(sayings(steady, 90)).toMatch(
      /uncertain in .*a drift below 17% may be missed in 90 s\. Below 300 measured seconds/,
    );
    expect(sayings(steady)).toBe('');
    expect(sayings({ ...steady, findsFrom: 0.04 }, 90)).toBe('');
    expect(sayings({ ...steady, afterSeconds: 35 })).toContain('settled only within the measured phase');
    expect(sayings(null, 50)).toContain('Less than a minute was measured');
  });

  test('are unchanged for documents that were judged by MSER-5 alone', () => {
    expect(sayings({ settled: true, afterSeconds: 35 }, 90)).toBe('');
    expect(sayings({ settled: true, afterSeconds: 120 })).toContain('settled only within');
    expect(sayings({ settled: false, afterSeconds: 240 })).toContain('throughput drifted to the end');
  });
});
