import { formatChange, formatChanges } from './wording';

test('a change is said in percent, and from four times on as a factor', () => {
  expect([1.234, 0.95, 1.004, 1, 12, 0].map(formatChange)).toEqual([
    '+23%',
    '−5%',
    '+0.4%',
    '±0%',
    '×12',
    '−100%',
  ]);
});

test('a ratio beyond what is measured says no figure that nobody knows', () => {
  expect(formatChanges({ low: 2.4e-7, high: 62_345, level: 0.95 })).toBe('under ×0.001 to over ×1,000');
  expect([0.001, 1000].map(formatChange)).toEqual(['−99.9%', '×1,000']);
});
