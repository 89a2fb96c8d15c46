import { formatChange, formatChanges, formatPoints } from './wording';

test('a change is written in percent, and as a factor from four times on', () => {
  expect([1.234, 0.95, 1.004, 1, 12, 0].map(formatChange)).toEqual([
    '+23%',
    '−5%',
    '+0.4%',
    '±0%',
    '×12',
    '−100%',
  ]);
});

test('a ratio that is too large to be measured is written as over or under a factor', () => {
  expect(formatChanges({ low: 2.4e-7, high: 62_345, level: 0.95 })).toBe('under ×0.001 to over ×1,000');
  expect([0.001, 1000].map(formatChange)).toEqual(['−99.9%', '×1,000']);
});

test.each([
  [-0.12, '−12'],
  [0.042, '+4.2'],
  [0.03, '+3'],
  [-0.0999, '−10'],
  [-0.0001, '0'],
  [1, '+100'],
])('%d is %s points', (difference, points) => {
  expect(formatPoints(difference)).toBe(points);
});
