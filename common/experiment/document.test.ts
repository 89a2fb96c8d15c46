import { DynoError } from '../problem';
import { parseText } from './document';

const problemOf = (text: string): string => {
  try {
    parseText(text, 'a.yml');
  } catch (error) {
    if (error instanceof DynoError) return `${error.code} ${error.message}`;
    throw error;
  }
  return '';
};

it.each([
  ['an alias without an anchor', 'a: *b', /^definition\.syntax a\.yml: Unresolved alias/],
  [
    'an alias inside its own anchor',
    'a: &a [*a]',
    /^definition\.syntax a\.yml: an alias is inside its own anchor/,
  ],
  [
    'aliases that multiply',
    ['- &a [1]', ...[...'abcdefgh'].map((c, at) => `- &${'bcdefghi'[at]} [${`*${c},`.repeat(9)}]`)].join(
      '\n',
    ),
    /^definition\.syntax a\.yml: Excessive alias count/,
  ],
])('%s is a syntax problem', (_, text, expected) => {
  expect(problemOf(text)).toMatch(expected);
});

describe('nesting', () => {
  const flow = (levels: number): string => 'a: ' + '['.repeat(levels) + ']'.repeat(levels);

  it.each([
    ['in lists', '['.repeat(200_000) + ']'.repeat(200_000)],
    ['in lists without an end', '['.repeat(1_000_000)],
    ['in objects', '{a: '.repeat(200_000) + '}'.repeat(200_000)],
    ['in block lists', '- '.repeat(200_000) + 'a'],
    ['in block objects', Array.from({ length: 1000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
  ])('%s without limit is refused at once', (_, text) => {
    const begun = performance.now();
    expect(problemOf(text)).toMatch(
      /^definition\.syntax a\.yml:\d+:\d+: is nested more than 100 levels deep$/,
    );
    expect(performance.now() - begun).toBeLessThan(500);
  });

  it('up to the allowed depth is read', () => {
    expect(problemOf(flow(99))).toBe('');
    expect(problemOf(flow(101))).toMatch(/^definition\.syntax a\.yml:1:104: is nested more than/);
  });

  it('does not include brackets in a text', () => {
    expect(problemOf(`a: "${'['.repeat(5000)}"\n# ${'['.repeat(5000)}\nb: x${'['.repeat(5000)}`)).toBe('');
  });
});
