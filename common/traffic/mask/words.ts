/**
 * Masks texts. Each word is replaced by a word of the same length, with letters of the same alphabets. In documents and in queries, equal
 * words have equal masks, except for their case. Searches therefore find the same documents. Everything between words stays: spaces,
 * punctuation, symbols.
 *
 * The masks of dates, IP addresses, UUIDs and hexadecimal ids have the same format as the originals.
 */
import { Addresses, IPV4_PATTERN } from './addresses';
import { alphabetOf, HEX } from './alphabets';
import { DATE_PATTERN, shiftedDate } from './dates';
import { permuted, type Digest } from './keyed';

/** Format of a part of a text. The mask of the part has the same format. */
export type TextForm = 'words' | 'date' | 'ip' | 'uuid' | 'hex';

const UUID = String.raw`(?<![\p{L}\p{N}])[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?![\p{L}\p{N}])`;
/** Matches hexadecimal ids: at least 16 hexadecimal digits, at least one of them a letter and one a decimal digit. */
const HEX_ID = String.raw`(?<![\p{L}\p{N}])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,}(?![\p{L}\p{N}])`;
/** Matches characters that are a token by themselves: analysers make a token of each Han and Hiragana character. */
const SINGLE = String.raw`[\p{Script=Han}\p{Script=Hiragana}]`;
const WORD = String.raw`${SINGLE}|(?:(?!${SINGLE})[\p{L}\p{N}\p{M}])+`;

const PARTS = new RegExp(
  `(?<uuid>${UUID})|(?<date>${DATE_PATTERN})|(?<ip>${IPV4_PATTERN})|(?<hex>${HEX_ID})|${WORD}`,
  'gu',
);
const WORDS = new RegExp(WORD, 'gu');
const LAST_WORD = new RegExp(`(?:${WORD})$`, 'u');

/** Words that are not masked, because they are not secret and have a meaning for Elasticsearch in any field. */
const MEANINGFUL = new Set(['true', 'false', 'null']);

/** Positions, among the 32 digits of a UUID, of the digits that stay: those of its version and of its variant. */
const UUID_FIXED = new Set([12, 16]);

/** Maximum number of words whose masks are cached. */
const MOST_KNOWN = 300_000;

export class Words {
  /**
   * Beginnings of words that prefix queries look for, in lower case. A word with such a beginning is masked in several pieces. Therefore a
   * prefix query finds the same words after masking.
   */
  private readonly prefixes = new Set<string>();
  private levels: ReadonlyMap<string, Level> | undefined;
  private readonly addresses: Addresses;
  private readonly known = new Map<string, string>();

  constructor(
    private readonly digest: Digest,
    private readonly weeks: number,
  ) {
    this.addresses = new Addresses(digest);
  }

  /** Masks a text. `onPart`: called with the format of each part of the text, to count them. */
  text(text: string, onPart?: (form: TextForm) => void): string {
    const count = onPart ?? ((): void => undefined);
    if (MEANINGFUL.has(text)) return text;
    // Most texts contain only words, and this code is faster for them. All other formats contain a digit or a colon.
    if (!/[\d:]/.test(text)) {
      const masked = this.words(text);
      if (masked !== text) count('words');
      return masked;
    }
    const whole = this.whole(text, count);
    if (whole !== null) return whole;
    return text.replace(PARTS, (part, ...rest) => {
      const { uuid, date, ip, hex } = rest.at(-1) as Record<string, string | undefined>;
      const shifted = date === undefined ? null : shiftedDate(date, this.weeks);
      if (shifted !== null) {
        count('date');
        return shifted;
      }
      if (ip !== undefined) {
        count('ip');
        return this.addresses.v4(ip);
      }
      if (uuid !== undefined || hex !== undefined) {
        count(uuid === undefined ? 'hex' : 'uuid');
        return this.hex(part, uuid !== undefined);
      }
      count('words');
      return this.words(part);
    });
  }

  /** Masks a text word by word, even if a part of it looks like a date or another format. */
  words(text: string): string {
    return text.replace(WORDS, (word) => this.word(word));
  }

  /** Masks a text whose last word is incomplete, because a query looks for words that begin with it. */
  prefix(text: string): string {
    const at = text.search(LAST_WORD);
    return at < 0 ? this.text(text) : this.text(text.slice(0, at)) + this.word(text.slice(at));
  }

  /** Records that a query looks for words that begin with the last word of a text. */
  learnPrefix(text: string): void {
    const word = LAST_WORD.exec(text)?.[0];
    if (word !== undefined) this.prefixes.add(lower(word).join(''));
    this.levels = undefined;
  }

  /** Masks a text that is a single value as a whole, such as an id or an IPv6 address. Returns null if the text is not such a value. */
  private whole(text: string, count: (form: TextForm) => void): string | null {
    const month = /^\d{4}-\d{2}$/.test(text) ? shiftedDate(text, this.weeks) : null;
    if (month !== null) count('date');
    if (month !== null || !text.includes(':')) return month;
    const address = this.addresses.v6(text);
    if (address !== null) count('ip');
    return address;
  }

  private hex(text: string, isUuid: boolean): string {
    const isUpper = text === text.toUpperCase();
    const digits = [...text.toLowerCase().replaceAll('-', '')];
    const moved = digits.flatMap((_, at) => (isUuid && UUID_FIXED.has(at) ? [] : [at]));
    const symbols = permuted(
      this.digest,
      isUuid ? 'uuid' : 'hex',
      moved.map((at) => HEX.positions.get(digits[at]!)!),
      moved.map(() => 16),
    );
    moved.forEach((at, number) => {
      digits[at] = HEX.letters[symbols[number]!]!;
    });
    let next = 0;
    const masked = text.replaceAll(/[^-]/g, () => digits[next++]!);
    return isUpper ? masked.toUpperCase() : masked;
  }

  private word(word: string): string {
    const known = this.known.get(word);
    if (known !== undefined) return known;
    const letters = lower(word);
    const made = this.madeWord(letters);
    const masked = [...word]
      .map((letter, at) => (letters[at] === letter ? made[at]! : upper(made[at]!)))
      .join('');
    if (this.known.size > MOST_KNOWN) this.known.clear();
    this.known.set(word, masked);
    return masked;
  }

  private madeWord(letters: readonly string[]): string[] {
    this.levels ??= levelsOf(this.prefixes);
    const made: string[] = [];
    let before = '';
    while (made.length < letters.length) {
      const rest = letters.slice(made.length);
      const next = this.levels.get(before);
      const length = next?.lengths.find(
        (one) => one < rest.length && next.parts.has(rest.slice(0, one).join('')),
      );
      const part = rest.slice(0, length);
      made.push(...this.part(before, part));
      before += part.join('');
    }
    return made;
  }

  /**
   * Returns the mask of `letters`, a piece of a word that follows the unmasked beginning `before`. The masked word must not begin like the
   * mask of another beginning that prefix queries look for, because a query would then find this word by mistake. If it does, the letters
   * are permuted again.
   */
  private part(before: string, letters: readonly string[]): string[] {
    const next = this.levels?.get(before);
    let made = this.permutedLetters(before, letters);
    for (;;) {
      const found = next?.lengths.find(
        (one) => one < letters.length && this.unmasked(before, next, made.slice(0, one)),
      );
      if (next === undefined || found === undefined) return made;
      const beginning = this.unmasked(before, next, made.slice(0, found))!;
      made = this.permutedLetters(before, [...beginning, ...made.slice(found)]);
    }
  }

  /**
   * Returns the letters whose mask is `masked`, if they follow `before` in a beginning of words that prefix queries look for. Otherwise,
   * returns undefined. `level`: the texts that continue `before` in such beginnings.
   */
  private unmasked(before: string, level: Level, masked: readonly string[]): readonly string[] | undefined {
    let known = level.unmasked.get(masked.length);
    if (known === undefined) {
      known = new Map();
      for (const part of level.parts) {
        const letters = [...part];
        if (letters.length === masked.length) known.set(this.part(before, letters).join(''), letters);
      }
      level.unmasked.set(masked.length, known);
    }
    return known.get(masked.join(''));
  }

  private permutedLetters(before: string, letters: readonly string[]): string[] {
    const alphabets = letters.map(alphabetOf);
    const symbols = permuted(
      this.digest,
      `word|${before}|${letters.map(kindOf).join('')}`,
      letters.map((letter, at) => alphabets[at]!.positions.get(letter)!),
      alphabets.map((one) => one.letters.length),
    );
    return symbols.map((symbol, at) => alphabets[at]!.letters[symbol]!);
  }
}

/**
 * Texts that continue one beginning of words to the next longer beginnings that prefix queries look for. If queries look for `a`, `ab` and
 * `abc`, `b` continues `a`, and `c` continues `ab`.
 */
interface Level {
  parts: Set<string>;
  /** Different lengths of the texts in `parts`, ascending. */
  lengths: number[];
  /** Texts of `parts`, as lists of letters. The outer key is the length of the text, the inner key is its mask. */
  unmasked: Map<number, Map<string, readonly string[]>>;
}

/**
 * Groups the beginnings of words that prefix queries look for. The key is the next shorter beginning, or '' if there is none. The value
 * contains the texts that continue it. With `a`, `ab` and `abc`, the value of `ab` contains `c`.
 */
function levelsOf(prefixes: ReadonlySet<string>): Map<string, Level> {
  const levels = new Map<string, Level>();
  for (const prefix of prefixes) {
    const letters = [...prefix];
    let length = letters.length - 1;
    while (length > 0 && !prefixes.has(letters.slice(0, length).join(''))) length -= 1;
    const before = letters.slice(0, length).join('');
    const level = levels.get(before) ?? { parts: new Set(), lengths: [], unmasked: new Map() };
    levels.set(before, level);
    level.parts.add(letters.slice(length).join(''));
  }
  for (const level of levels.values())
    level.lengths = [...new Set([...level.parts].map((part) => [...part].length))].sort((a, b) => a - b);
  return levels;
}

const kindOf = (letter: string): string => alphabetOf(letter).letters[0]!;

/** Returns the letters of a word in lower case, one for each letter of the word. */
const lower = (word: string): string[] =>
  [...word].map((letter) => {
    const small = letter.toLowerCase();
    return [...small].length === 1 ? small : letter;
  });

const upper = (letter: string): string => {
  const large = letter.toUpperCase();
  return [...large].length === 1 ? large : letter;
};
