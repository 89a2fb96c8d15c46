import { nearest } from './near';

const KEYS = ['completed-by', 'warmup-time-period', 'time-period', 'iterations', 'size'];

test.each([
  ['completed-bye', 'completed-by'],
  ['warm-up-time-period', 'warmup-time-period'],
  ['time_period', 'time-period'],
  ['Iterations', 'iterations'],
  ['itertaions', 'iterations'],
  ['siz', 'size'],
])('%s suggests %s', (word, meant) => {
  expect(nearest(word, KEYS)).toBe(meant);
});

test('a word that is not close to any suggests nothing', () => {
  expect(nearest('frobnicate', KEYS)).toBeUndefined();
  expect(nearest('', KEYS)).toBeUndefined();
  expect(nearest('size', ['size'])).toBeUndefined();
});
