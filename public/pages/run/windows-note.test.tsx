import type { TaskPoint } from '../../../common/api/timeline';
import { windowsNote } from './windows-note';

const points = [{ max: 5 } as TaskPoint];

test.each([
  ['nothing where each point is a second', { p50: 1, p90: 1, p99: 1 }, 1000, undefined],
  [
    'the worst second of longer points',
    { p50: 1, p90: 1, p99: 1 },
    5000,
    'p50, p90, p99 of the worst second in each point',
  ],
  [
    'the window of each percentile',
    { p50: 2, p90: 10, p99: null },
    1000,
    'p50 over the last 2s; p90 over the last 10s; no p99, because it needs 1,000 requests, and 60 s of a trial have fewer',
  ],
  [
    'seconds beside windows',
    { p50: 1, p90: 5, p99: 5 },
    1000,
    'p50 of each second; p90, p99 over the last 5s',
  ],
])('the chart says %s', (_, windows, bucketMs, text) => {
  expect(windowsNote({ windows, points }, bucketMs)).toBe(text);
});

test('it explains how to get percentiles if the range is too long for windows, and nothing without responses', () => {
  expect(windowsNote({ windows: null, points }, 60_000)).toMatch(/choose a trial/);
  expect(windowsNote({ windows: null, points: [] }, 60_000)).toBeUndefined();
});
