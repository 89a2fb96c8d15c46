import { broken, hasValues, highest, meanOf, stepOf, valueAt, type LinePoint } from './lines';

const at = (...points: [number, number | null][]): LinePoint[] => points;

describe('lines over time', () => {
  it('are whole if every bucket has a point', () => {
    const points = at([0, 1], [1000, 2], [2000, 3]);
    expect(broken(points, 1000, [0])).toEqual(points);
  });

  it('are interrupted if buckets are missing', () => {
    expect(broken(at([0, 1], [5000, 2]), 1000, [0])).toEqual([
      [0, 1],
      [2500, null],
      [5000, 2],
    ]);
  });

  it('are interrupted between trials, however close they are', () => {
    const result = broken(at([0, 1], [1000, 2], [2000, 3], [3000, 4]), 1000, [0, 1500, 3000]);
    expect(result.map(([, value]) => value)).toEqual([1, 2, null, 3, null, 4]);
  });

  it('are interrupted once if several trials are within a bucket', () => {
    const result = broken(at([0, 1], [60_000, 2], [120_000, 3]), 60_000, [1000, 20_000, 40_000]);
    expect(result.map(([, value]) => value)).toEqual([1, null, 2, 3]);
  });

  it('are in the order of time', () => {
    const times = broken(at([0, 1], [1000, 2], [9000, 3]), 1000, [500, 8000]).map(([time]) => time);
    expect([...times].sort((a, b) => a - b)).toEqual(times);
  });
});

describe('the value under the cursor', () => {
  const points = at([0, 1], [1000, 2], [1500, null], [2000, 3]);

  it('is that of the nearest bucket', () => {
    expect(valueAt(points, 1100, 1000)).toBe(2);
    expect(valueAt(points, 1990, 1000)).toBe(3);
    expect(valueAt(points, -500, 1000)).toBe(1);
  });

  it('is missing if no bucket is near', () => {
    expect(valueAt(points, 9000, 1000)).toBeNull();
    expect(valueAt([], 0, 1000)).toBeNull();
  });

  it('without a cursor is the last one', () => {
    expect(valueAt(points, null, 1000)).toBe(3);
    expect(valueAt(at([0, 4], [1, null]), null, 1000)).toBe(4);
  });
});

it('the usual step is the median, and never below a bucket', () => {
  expect(stepOf(at([0, 1], [10_000, 1], [20_000, 1], [90_000, 1]), 1000)).toBe(10_000);
  expect(stepOf(at([0, 1], [1000, 1]), 4000)).toBe(4000);
  expect(stepOf([], 1000)).toBe(1000);
});

it('the highest of all lines, and whether there is any', () => {
  const lines = [{ points: at([0, 1], [1, null]) }, { points: at([0, 7]) }];
  expect(highest(lines)).toBe(7);
  expect(highest([])).toBe(0);
  expect(hasValues(lines)).toBe(true);
  expect(hasValues([{ points: at([0, null]) }])).toBe(false);
});

describe('the mean of a line', () => {
  const phases = [
    { phase: 'warm-up', from: 0, to: 2000 },
    { phase: 'measure', from: 2000, to: 5000 },
    { phase: 'drain', from: 5000, to: 6000 },
  ];

  it('includes only its measured points', () => {
    const points = at([0, 1], [1000, 1], [2000, 10], [3000, 20], [4000, null], [5000, 1]);
    expect(meanOf(points, phases)).toBe(15);
  });

  it('includes all points if none is measured, and is null without points', () => {
    expect(meanOf(at([0, 1], [1000, 3]), phases)).toBe(2);
    expect(meanOf(at([0, null]), phases)).toBeNull();
  });
});
