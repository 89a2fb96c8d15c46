import { freeRepetition } from './backtracking';

test.each([
  ['(a+)+', '(a+)+'],
  ['x(\\w+\\s?)*y', '(\\w+\\s?)*'],
  ['(?:[^"\\\\]+|\\\\.)*', '(?:[^"\\\\]+|\\\\.)*'],
  ['(.*)*', '(.*)*'],
  ['(?:(?:a|b+)+)', '(?:a|b+)+'],
  ['(?:x{2,})*', '(?:x{2,})*'],
])('%s tries too many ways', (source, found) => {
  expect(freeRepetition(source)).toBe(found);
});

test.each([
  'a*b*',
  '(?:ab*)*c',
  '(?:\\.\\w+)*',
  '(?:/[^/\\s]*)+',
  '(?:"[^"]*",?)*',
  '(?:[^"\\\\]|\\\\.)*',
  '(a+)?',
  '(?:a+){1,3}',
  '(?=.*x)[a-z]+',
  '\\d+(?:,\\d+)*',
])('%s does not', (source) => {
  expect(freeRepetition(source)).toBeNull();
});
