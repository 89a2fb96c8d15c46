import { nines, percentileName } from './nines';

describe('the axis of percentiles', () => {
  test.each([
    [0, 0],
    [90, 1],
    [99, 2],
    [99.9, 3],
    [99.99, 4],
  ])('%d%% is at %d', (percentile, place) => expect(nines(percentile)).toBeCloseTo(place, 9));

  test.each([
    [0, 'p0'],
    [nines(50), 'p50'],
    [1, 'p90'],
    [nines(95), 'p95'],
    [2, 'p99'],
    [3, 'p99.9'],
    [4, 'p99.99'],
  ])('%d is called %s', (place, name) => expect(percentileName(place)).toBe(name));
});
