import {
  notationOf,
  sayInterval,
  sayRange,
  sayRatio,
  shortEffect,
  shortInterval,
  SIZE,
  SPEED,
} from './effect';

const interval = (low: number, high: number) => ({ low, high, level: 0.95 });

test.each([
  [1.3, 1.1, 1.9, 'percent'],
  [1.5, 1.1, 2.1, 'factor'],
  [0.8, 0.49, 1.2, 'factor'],
  [0.8, 0.51, 1.9, 'percent'],
  // If there is an interval, only the interval determines the notation.
  [2.4, 1.5, 1.9, 'percent'],
] as const)('%d with %d to %d is written as a %s', (ratio, low, high, notation) => {
  expect(notationOf([{ ratio, interval: interval(low, high) }])).toBe(notation);
});

test('without an interval the ratio decides, and one wide interval decides for all', () => {
  expect(notationOf([{ ratio: 2.4, interval: null }])).toBe('factor');
  expect(notationOf([{ ratio: null, interval: null }])).toBe('percent');
  expect(
    notationOf([
      { ratio: 1.1, interval: interval(1, 1.2) },
      { ratio: 3, interval: interval(2.5, 3.5) },
    ]),
  ).toBe('factor');
});

test.each([
  [4.31, 'factor', '4.3 times faster'],
  [0.2326, 'factor', '4.3 times slower'],
  [12.4, 'factor', '12 times faster'],
  [1.04, 'factor', '1.04 times faster'],
  [5000, 'factor', 'over 1,000 times faster'],
  [0.0001, 'factor', 'over 1,000 times slower'],
  [1.35, 'percent', '35% faster'],
  [0.654, 'percent', '35% slower'],
  [1.046, 'percent', '4.6% faster'],
  [1, 'percent', 'unchanged'],
  [0.9998, 'factor', 'unchanged'],
] as const)('a ratio of %d as a %s is "%s"', (ratio, notation, text) => {
  expect(sayRatio(ratio, notation, SPEED)).toBe(text);
});

test.each([
  [2.1, 8.7, 'factor', '2.1 to 8.7 times', '2.1 to 8.7 times higher'],
  [0.115, 0.476, 'factor', '2.1 to 8.7 times', '2.1 to 8.7 times lower'],
  [0.59, 0.72, 'percent', '28% to 41%', '28% to 41% lower'],
  [1.04, 1.11, 'percent', '4% to 11%', '4% to 11% higher'],
  [0.96, 1.11, 'percent', '4% lower to 11% higher', '4% lower to 11% higher'],
  [0.77, 2.4, 'factor', '1.3 times lower to 2.4 times higher', '1.3 times lower to 2.4 times higher'],
  [1, 1.35, 'percent', '0% to 35%', '0% to 35% higher'],
  [0.9998, 2.3, 'factor', 'unchanged to 2.3 times higher', 'unchanged to 2.3 times higher'],
  [2.08, 2.14, 'factor', '2.08 to 2.14 times', '2.08 to 2.14 times higher'],
] as const)('an interval from %d to %d as a %s', (low, high, notation, after, alone) => {
  expect(sayInterval(interval(low, high), notation, SIZE)).toBe(after);
  expect(sayRange(interval(low, high), notation, SIZE)).toBe(alone);
});

test('in large type a ratio has a sign or a times sign, never both', () => {
  expect(shortEffect(4.31, 'factor')).toBe('4.3×');
  expect(shortEffect(0.2326, 'factor')).toBe('0.23×');
  expect(shortEffect(0.65, 'percent')).toBe('−35%');
  expect(shortEffect(1.35, 'percent')).toBe('+35%');
  expect(shortEffect(1.0001, 'percent')).toBe('±0%');
  expect(shortEffect(null, 'percent')).toBe('–');
  expect(notationOf([{ ratio: 0, interval: null }])).toBe('percent');
  expect(shortEffect(0, 'percent')).toBe('−100%');
  expect(shortInterval(interval(2.1, 8.7), 'factor')).toBe('2.1× to 8.7×');
  expect(shortInterval(null, 'factor')).toBe('');
});
