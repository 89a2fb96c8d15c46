/**
 * Splits texts into words and the characters between them. A profile describes a word only by its class and its length. Words that several
 * texts share also have a number.
 */

/**
 * Classes of words:
 * - `d`: digits.
 * - `l`: lower case; `u`: upper case; `c`: a capital letter followed by lower case; `x`: mixed case.
 * - `h`, `g`: hexadecimal, in lower and upper case.
 * - `m`, `n`: letters and digits, in lower and upper case; `b`: letters of mixed case and digits.
 * - `w`, `v`: other words, whose characters have two or three bytes each.
 * - `e`: an empty word; `r`: a reference to another field of the document; `t`: the document's time.
 */
export const WORD_CLASSES = [
  'd',
  'l',
  'u',
  'c',
  'x',
  'h',
  'g',
  'm',
  'n',
  'b',
  'w',
  'v',
  'e',
  'r',
  't',
] as const;
export type WordClass = (typeof WORD_CLASSES)[number];

export interface Word {
  text: string;
  class: WordClass;
  /**
   * Length of the word in characters. For a reference: the field's position in the profile. For a time: the index of its format in
   * `TIME_FORMS`.
   */
  size: number;
  /** The characters between this word and the next one, at most three. Further characters belong to empty words. */
  after: string;
}

export const LONGEST_WORD = 999;
const LONGEST_BETWEEN = 3;

/** First of the private-use characters that stand for values of other fields within a text, while a profile is made. */
const FIRST_REFERENCE = 0xe000;
/**
 * First of the private-use characters that stand for the document's time within a text. There is one character for each format of times, up
 * to `LAST_TIME`.
 */
const FIRST_TIME = 0xf000;
const LAST_TIME = 0xf0ff;
export const MOST_REFERENCES = 900;
export const referenceMark = (number: number): string => String.fromCharCode(FIRST_REFERENCE + number);
export const timeMark = (format: number): string => String.fromCharCode(FIRST_TIME + format);

const WORDS = /[\uE000-\uF0FF]|[\p{L}\p{N}\p{M}]+/gu;

function classOf(word: string): WordClass {
  if (/^\d+$/.test(word)) return 'd';
  if (/^[a-z]+$/.test(word)) return 'l';
  if (/^[A-Z]+$/.test(word)) return 'u';
  if (/^[A-Z][a-z]+$/.test(word)) return 'c';
  if (/^[\da-f]{6,}$/.test(word)) return 'h';
  if (/^[\dA-F]{6,}$/.test(word)) return 'g';
  if (/^[a-z\d]+$/.test(word)) return 'm';
  if (/^[A-Z\d]+$/.test(word)) return 'n';
  if (/^[A-Za-z]+$/.test(word)) return 'x';
  if (/^[A-Za-z\d]+$/.test(word)) return 'b';
  return /[\u0800-\uffff]/.test(word) ? 'v' : 'w';
}

function wordOf(text: string): Omit<Word, 'after'> {
  const code = text.charCodeAt(0);
  if (code >= FIRST_TIME && code <= LAST_TIME) return { text, class: 't', size: code - FIRST_TIME };
  if (code >= FIRST_REFERENCE && code < FIRST_TIME) return { text, class: 'r', size: code - FIRST_REFERENCE };
  return { text, class: classOf(text), size: Math.min(LONGEST_WORD, text.length) };
}

const NOTHING = { text: '', class: 'e', size: 0 } as const;

/**
 * Yields a word with the characters after it. A word can have at most three such characters. If there are more, empty words follow, each
 * with up to three of the remaining characters.
 */
function* withBetween(word: Omit<Word, 'after'>, between: string): Generator<Word> {
  yield { ...word, after: between.slice(0, LONGEST_BETWEEN) };
  for (let at = LONGEST_BETWEEN; at < between.length; at += LONGEST_BETWEEN)
    yield { ...NOTHING, after: between.slice(at, at + LONGEST_BETWEEN) };
}

/** Returns the first `most` words of `text`. */
export function wordsOf(text: string, most = 500): Word[] {
  const words: Word[] = [];
  let before: Omit<Word, 'after'> | null = null;
  let from = 0;
  for (const match of text.matchAll(WORDS)) {
    const between = text.slice(from, match.index);
    if (before !== null) words.push(...withBetween(before, between));
    else if (between !== '') words.push(...withBetween(NOTHING, between));
    if (words.length >= most) return words.slice(0, most);
    before = wordOf(match[0]);
    from = match.index + match[0].length;
  }
  const rest = text.slice(from);
  if (before !== null) words.push(...withBetween(before, rest));
  else if (rest !== '') words.push(...withBetween(NOTHING, rest));
  return words.slice(0, most);
}

const TERMS = /[\p{L}\p{N}_]+(?:[.'][\p{L}\p{N}_]+)*/gu;

/** Returns the terms of a text, similar to Elasticsearch's standard analyzer: `file.png` and `10.0.1` are one term each. */
export const termsOf = (text: string): string[] => text.toLowerCase().match(TERMS) ?? [];
