import { printable, printableLine } from './printable';

test.each([
  ['a title and a colour', '\u001b]0;owned\u0007\u001b[31mRED', '\\u001b]0;owned\\u0007\\u001b[31mRED'],
  ['C1 controls', 'a\u009b31mb\u0085', 'a\\u009b31mb\\u0085'],
  ['a line written over', 'all failed\rall passed', 'all failed\\u000dall passed'],
  ['bidi overrides and isolates', 'a\u202egnp.exe\u2066b', 'a\\u202egnp.exe\\u2066b'],
  ['backspaces and deletion', 'a\b\u007f', 'a\\u0008\\u007f'],
  ['line feeds, tabs and ends of lines of Windows', 'a\n\tb\r\n', 'a\n\tb\r\n'],
  ['letters, emoji and right-to-left scripts', 'größe 🦀 שלום', 'größe 🦀 שלום'],
])('%s', (_what, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('JSON keeps its meaning', () => {
  const value = { a: '\u009b\u202e\u007f' };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});

test('one line has no line feeds and tabs', () => {
  expect(printableLine('a\r\n\tb\u001bc')).toBe('a b\\u001bc');
});
