import type { TaskPoint } from '../../../common/api/timeline';
import { countedValues, createHistogram, recordMs } from '../../../common/measurement/histogram';
import { areTooShort, withWindows, type AnsweredSecond } from './windows';

/** Returns a second in which requests with these durations (in ms) were answered. */
function second(at: number, ...values: number[]): AnsweredSecond {
  const histogram = createHistogram();
  for (const ms of values) recordMs(histogram, ms);
  return { at: at * 1000, count: values.length, values: countedValues(histogram) };
}

const point = (at: number, p50: number | null = null): TaskPoint =>
  ({ at: at * 1000, p50, p90: null, p99: null, max: 1 }) as TaskPoint;

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Returns `count` durations of `ms`. */
const answers = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms);

test('the window is the shortest that has enough answers for the percentile', () => {
  const seconds = times(40, (at) => second(at, ...answers(25, 10 + at)));
  const { points, windows } = withWindows(
    times(40, (at) => point(at, 10 + at)),
    [seconds],
    1000,
  );
  expect(windows).toEqual({ p50: 1, p90: 5, p99: null });
  expect(points[20]!.p50).toBe(30);
  // The window covers the seconds 16 to 20, the last of which has the slowest answers.
  expect(points[20]!.p90).toBeCloseTo(30, 1);
  expect(points[2]!.p90).toBeNull();
  expect(points.every(({ p99 }) => p99 === null)).toBe(true);
});

test('a window does not extend into the trial before it', () => {
  const slow = times(20, (at) => second(at, ...answers(10, 500)));
  const fast = times(20, (at) => second(20 + at, ...answers(10, 5)));
  const { points, windows } = withWindows(
    times(40, (at) => point(at)),
    [slow, fast],
    1000,
  );
  expect(windows.p50).toBe(2);
  expect(points[19]!.p50).toBeCloseTo(500, -1);
  expect(points[20]!.p50).toBeNull();
  expect(points[21]!.p50).toBeCloseTo(5, 1);
});

test('a window is at least as long as a point', () => {
  const seconds = times(40, (at) => second(at, ...answers(10, 1 + at)));
  const { points, windows } = withWindows(
    times(4, (at) => point(at * 10)),
    [seconds],
    10_000,
  );
  expect(windows.p50).toBe(10);
  expect(points[1]!.p50).toBeCloseTo(15, 0);
});

test('windows are needed if seconds with answers have no percentile', () => {
  const answered = (p99: number | null): TaskPoint => ({ ...point(0), p50: 1, p90: 1, p99, max: 1 });
  expect(areTooShort(times(10, () => answered(1)))).toBe(false);
  expect(areTooShort([...times(8, () => answered(1)), answered(null), answered(null)])).toBe(true);
  expect(areTooShort([{ ...answered(null), max: null }])).toBe(false);
  expect(areTooShort([])).toBe(false);
});
