import { effectWords } from './effect-words';

const words = (ratio: number, low?: number, high?: number): string => {
  const interval = low === undefined || high === undefined ? null : { low, high, level: 0.95 };
  const { value, direction, interval: ends } = effectWords(ratio, interval);
  return [value, direction, ends].filter(Boolean).join(' | ');
};

test.each([
  ['a small change is a percentage', words(1.23, 1.17, 1.29), '+23% | +17% to +29%'],
  ['a small loss has its sign', words(0.85, 0.8, 0.92), '−15% | −20% to −8%'],
  ['an interval across no change keeps its signs', words(1.03, 0.9, 1.18), '+3% | −10% to +18%'],
  ['a bound beyond two makes everything a factor', words(1.8, 1.2, 2.6), '1.8× | higher | 1.2× to 2.6×'],
  ['a large gain is a factor', words(4.3, 2.1, 8.7), '4.3× | higher | 2.1× to 8.7×'],
  ['a large loss is a factor above one', words(0.4, 0.25, 0.5), '2.5× | lower | 2× to 4×'],
  [
    'a wide interval across no change names both directions',
    words(1.1, 0.4, 2.6),
    '1.1× | higher | 2.5× lower to 2.6× higher',
  ],
  ['without an interval the effect is alone', words(1.5), '+50%'],
])('%s', (_, found, wanted) => {
  expect(found).toBe(wanted);
});
