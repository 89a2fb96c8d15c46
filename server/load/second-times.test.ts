import { countedValues, createHistogram, recordMs } from '../../common/measurement/histogram';
import { createRandom } from '../../common/random';
import { SecondTimes } from './second-times';

// Around the number that is listed, which is no round one for whoever reads the answers.
test.each([0, 1, 2, 100, 1023, 1024, 1025, 5000])(
  'what it holds of %i requests is what a histogram holds, second by second',
  (requests) => {
    const random = createRandom(requests);
    const times = new SecondTimes();
    for (let second = 0; second < 3; second += 1) {
      const histogram = createHistogram();
      for (let request = 0; request < requests; request += 1) {
        // Some µs to some hours: out of the range of a histogram on both sides.
        const ms = 10 ** (11 * random.unit() - 4);
        times.record(ms);
        recordMs(histogram, ms);
      }
      const p99 = histogram.getValueAtPercentile(99) / 1000;
      expect(Math.abs(times.p99() - p99)).toBeLessThanOrEqual(0.001 * p99);
      expect([...times.take()]).toEqual([...countedValues(histogram)]);
    }
    expect([times.p99(), times.take().length]).toEqual([0, 0]);
  },
);

test('what is left out of one second is none of the next', () => {
  const times = new SecondTimes();
  for (const requests of [3, 2000, 3]) {
    for (let request = 0; request < requests; request += 1) times.record(5);
    times.reset();
    expect(times.take()).toHaveLength(0);
  }
});
