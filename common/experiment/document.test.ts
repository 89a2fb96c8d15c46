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
  ['an alias within what it names', 'a: &a [*a]', /^definition\.syntax a\.yml: an alias stands within what/],
  [
    'aliases that multiply',
    ['- &a [1]', ...[...'abcdefgh'].map((c, at) => `- &${'bcdefghi'[at]} [${`*${c},`.repeat(9)}]`)].join(
      '\n',
    ),
    /^definition\.syntax a\.yml: Excessive alias count/,
  ],
])('%s is a problem of the text', (_, text, expected) => {
  expect(problemOf(text)).toMatch(expected);
});
