/**
 * Alphabets. An alphabet contains the letters that may replace each other when a text is masked. Elasticsearch's analysers treat all
 * letters of an alphabet alike, and these letters have the same size in UTF-8.
 */

export interface Alphabet {
  readonly letters: readonly string[];
  /** Position of each letter in `letters`. */
  readonly positions: ReadonlyMap<string, number>;
}

const alphabet = (letters: readonly string[]): Alphabet => ({
  letters,
  positions: new Map(letters.map((letter, at) => [letter, at])),
});

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at));

/**
 * Scripts that use several blocks of 128 characters, or share a block with another script. Each script gets a separate alphabet, because
 * Elasticsearch's analysers split texts differently in each of them.
 */
const SCRIPTS: readonly [script: RegExp, from: number, to: number][] = [
  [/\p{Script=Han}/u, 0x4e00, 0x9fff],
  [/\p{Script=Hangul}/u, 0xac00, 0xd7a3],
  [/\p{Script=Hiragana}/u, 0x3041, 0x3096],
  [/\p{Script=Katakana}/u, 0x30a1, 0x30fa],
];

const CATEGORIES = [
  /\p{Ll}/u,
  /\p{Lu}/u,
  /\p{Lt}/u,
  /\p{Lm}/u,
  /\p{Lo}/u,
  /\p{Nd}/u,
  /\p{Nl}/u,
  /\p{No}/u,
  /\p{Mn}/u,
  /\p{Mc}/u,
];

/**
 * Returns whether the case of a lower-case letter can be kept by masking. It can if the letter has exactly one upper-case letter, and this
 * upper-case letter has exactly this lower-case letter.
 */
const hasUpper = (letter: string): boolean => {
  const upper = letter.toUpperCase();
  return upper !== letter && [...upper].length === 1 && upper.toLowerCase() === letter;
};

const known = new Map<string, Alphabet>();

/** Alphabet of hexadecimal digits. */
export const HEX = alphabet([...'0123456789abcdef']);

/** Returns the alphabet of a lower-case letter, digit or combining mark. */
export function alphabetOf(letter: string): Alphabet {
  const found = known.get(letter);
  if (found !== undefined) return found;
  const made = madeFor(letter);
  for (const one of made.letters) known.set(one, made);
  return made;
}

const scriptOf = (code: number): (typeof SCRIPTS)[number] | undefined =>
  SCRIPTS.find(([, from, to]) => code >= from && code <= to);

/**
 * Returns the alphabet of a letter, digit or combining mark for which no alphabet exists yet: the characters of the same category in its
 * block of 128 characters. All characters of a block have the same size in UTF-8.
 */
function madeFor(letter: string): Alphabet {
  const code = letter.codePointAt(0)!;
  const script = scriptOf(code);
  if (script !== undefined) return alphabet(range(script[1], script[2]).filter((one) => script[0].test(one)));
  const category = CATEGORIES.find((one) => one.test(letter));
  if (category === undefined) return alphabet([letter]);
  const cased = hasUpper(letter);
  const start = code - (code % 128);
  const isIn = (one: string): boolean =>
    category.test(one) &&
    hasUpper(one) === cased &&
    one.toLowerCase() === one &&
    scriptOf(one.codePointAt(0)!) === undefined;
  const letters = range(start, start + 127).filter(isIn);
  return alphabet(letters.includes(letter) ? letters : [letter]);
}
