import { effectFormat, effectWords, formatFactor } from './effect-words';

const words = (ratio: number, low?: number, high?: number): string => {
  const interval = low === undefined || high === undefined ? null : { low, high };
  const { value, direction, interval: ends } = effectWords(ratio, interval);
  return [value, direction, ends].filter(Boolean).join(' | ');
};

test.each([
  ['a small change is a percentage', words(1.23, 1.17, 1.29), '+23% | +17% to +29%'],
  ['a small loss has its sign', words(0.85, 0.8, 0.92), '−15% | −20% to −8%'],
  ['an interval across no change keeps its signs', words(1.03, 0.9, 1.18), '+3% | −10% to +18%'],
  ['a bound beyond two makes everything a factor', words(1.8, 1.2, 2.6), '1.8× | higher | 1.2× to 2.6×'],
  ['a large gain is a factor', words(4.3, 2.1, 8.7), '4.3× | higher | 2.1× to 8.7×'],
  ['a large loss is a factor above one', words(0.4, 0.25, 0.5), '2.5× | lower | 2.0× to 4.0×'],
  ['a wide interval across no change has no direction', words(1.1, 0.4, 2.6), '1.1× | 0.40× to 2.6×'],
  ['without an interval the effect is alone', words(1.5), '+50%'],
  ['nothing that rounds to zero has a sign', words(1.0002), '±0%'],
])('%s', (_, found, wanted) => {
  expect(found).toBe(wanted);
});

test('factors have at most three digits, and say where they are beyond what is measured', () => {
  expect([0.0004, 0.05, 0.25, 1, 4, 9.96, 12.4, 640, 5000].map(formatFactor)).toEqual([
    'under 0.001×',
    '0.05×',
    '0.25×',
    '1.0×',
    '4.0×',
    '10×',
    '12×',
    '640×',
    'over 1,000×',
  ]);
});

test('numbers of one axis are all percentages or all factors', () => {
  expect([1, 1.5].map(effectFormat([1, 1.5]))).toEqual(['±0%', '+50%']);
  expect([1, 2.5].map(effectFormat([1, 2.5]))).toEqual(['1.0×', '2.5×']);
});
