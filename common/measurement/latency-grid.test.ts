import { createHistogram, recordMs, type Histogram } from './histogram';
import { latencyRows, steppedCounts } from './latency-grid';

const histogramOf = (...values: number[]): Histogram => {
  const histogram = createHistogram();
  for (const ms of values) recordMs(histogram, ms);
  return histogram;
};

describe('latencies on a grid', () => {
  it('lose no value, from the shortest to the longest', () => {
    const values = [0.001, 0.5, 1, 1, 20, 3000, 3_600_000, 9_999_999];
    const stepped = steppedCounts(histogramOf(...values));
    const { rows, add } = latencyRows([stepped], 40);
    const counts = rows.map(() => 0);
    add(counts, stepped);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(values.length);
    expect(rows.length).toBeLessThanOrEqual(40);
    expect(rows.length).toBeGreaterThan(20);
  });

  it('are in the row of their value, within the precision of the histogram', () => {
    for (const ms of [0.2, 1, 7.7, 100, 12_345]) {
      const stepped = steppedCounts(histogramOf(0.1, ms, 60_000));
      const { rows, add } = latencyRows([stepped], 30);
      const counts = rows.map(() => 0);
      add(counts, stepped);
      const held = rows.filter(({ from, to }) => ms >= from * 0.999 && ms < to * 1.001);
      expect(held.some((row) => counts[rows.indexOf(row)]! > 0)).toBe(true);
    }
  });

  it('form rows of equal ratio without gaps', () => {
    const { rows } = latencyRows([steppedCounts(histogramOf(1, 900))], 20);
    for (let row = 1; row < rows.length; row++) expect(rows[row]!.from).toBeCloseTo(rows[row - 1]!.to, 9);
    const ratios = rows.map(({ from, to }) => to / from);
    expect(Math.max(...ratios)).toBeCloseTo(Math.min(...ratios), 9);
  });

  it('form no rows if there are no values', () => {
    expect(latencyRows([steppedCounts(createHistogram())], 40).rows).toEqual([]);
    expect(latencyRows([], 40).rows).toEqual([]);
  });

  it('form one row if all values are equal', () => {
    expect(latencyRows([steppedCounts(histogramOf(5, 5, 5))], 40).rows).toHaveLength(1);
  });
});
