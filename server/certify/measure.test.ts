import { truthAt } from './measure';

test('the true value is read at the rank that HdrHistogram uses', () => {
  // 99.9 / 100 * 15,000 is slightly above 14,985 as a floating-point number.
  expect(
    truthAt(
      Float64Array.from({ length: 15_000 }, (_, at) => at + 1),
      'p99_9',
    ),
  ).toBe(14_985);
});
