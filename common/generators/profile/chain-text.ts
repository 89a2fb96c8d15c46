/**
 * Generates texts like those in a user's documents, which a profile describes. The words have the same lengths, and the same classes
 * (digits, lower case, ...), as those of the user. The profile contains a Markov chain, which determines the order of the words.
 */
import { jsonOfText } from '../../json/exact';
import { mix, type Random } from '../../random';
import { Choice } from './choice';
import { countOf } from './levels';
import { FEWER_WORDS, PER_TEXTS, type Chain } from './profile';
import { termsOf, type WordClass } from './words';

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();

/**
 * For each class of words (see `WORD_CLASSES`), the characters of which its words consist. Three classes have no characters here, because
 * other code generates their texts: empty words, values of other fields of the document, and times.
 */
const ALPHABETS: Readonly<Record<WordClass, string>> = {
  d: DIGITS,
  l: LOWER,
  u: UPPER,
  c: LOWER,
  x: LOWER + UPPER,
  h: '0123456789abcdef',
  g: '0123456789ABCDEF',
  m: LOWER + DIGITS,
  n: UPPER + DIGITS,
  b: LOWER + UPPER + DIGITS,
  w: 'éèüöäñçåøšžćłąęőțğıß',
  v: '語日本東京大学生時間会社国年月水火木金土',
  e: '',
  r: '',
  t: '',
};

/** Letters, repeated in proportion to their frequency in English, so that generated words compress about as well as real ones. */
const FREQUENT_LETTERS =
  'eeeeeeeeeeeetttttttttaaaaaaaaooooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrrddddllllcccuuummmwwffggyyppbbvk';

const LONGEST_TEXT_WORDS = 300;
const TRIES = 100;

/** A word of the Markov chain with the characters that follow it. */
export interface Token {
  kind: WordClass;
  size: number;
  /** The characters between this word and the next one, escaped for JSON. */
  after: string;
  /** The word itself, if all texts have the same word here. Undefined if the word may differ from text to text. */
  word: string | undefined;
  /** Number of characters of the word and of the characters that follow it. The value of another field counts as one character. */
  length: number;
  /** Words that were generated for this token so far, in texts that may occur in several documents. Later texts may contain them again. */
  made: string[];
  /** Generates the words of this token for texts that occur in only one document. Undefined until the first such word is needed. */
  words?: NumberedWord;
  /** Number of words that `words` has generated so far. */
  numbered: number;
  /** Number that is different for each token, so that {@link NumberedWord} generates different words for different tokens. */
  salt: number;
}

interface Step {
  /**
   * Position of the following word in the profile, from 1; 0 if the text ends. {@link FEWER_WORDS} stands for no word: the next step then
   * depends on the last word alone, and not on the last two.
   */
  token: number;
  /** Index of the state after this step. A state is a choice between the words that may follow the last one or two words. */
  state: number;
}

export const escaped = (text: string): string => jsonOfText(text).slice(1, -1);

export class ChainText {
  readonly tokens: readonly Token[];
  private readonly states: readonly Choice<Step>[];
  private readonly first: number;
  private readonly chanceOfFresh: number;
  /** Average number of terms of a text that no earlier text contains. Undefined if the profile does not contain this number. */
  private readonly newsPerText: number | undefined;
  /** All terms of the texts generated so far. */
  private readonly terms = new Set<string>();
  private texts = 0;
  private news = 0;
  private readonly taken = new Set<string>();
  /**
   * For each new word of the current text, the list `made` of a token to which the word was added. {@link discard} removes the words from
   * these lists again.
   */
  private added: string[][] = [];

  /**
   * `vocabulary`: random numbers that are the same in all load threads. `commonWords`: words that occur in several fields, by their number
   * in the profile. The constructor adds those that occur in this field for the first time.
   */
  constructor(chain: Chain, vocabulary: Random, commonWords: Map<number, string>) {
    const words = new Map<number, string>();
    const wordOf = ([kind, size, , number, common]: Chain['words'][number]): string | undefined => {
      if (number === undefined) return undefined;
      const known = words.get(number) ?? (common === undefined ? undefined : commonWords.get(common));
      const word = known ?? freshWord(kind, size, this.taken, vocabulary);
      this.taken.add(word);
      words.set(number, word);
      if (common !== undefined) commonWords.set(common, word);
      return word;
    };
    this.tokens = chain.words.map((described, salt): Token => {
      const [kind, size, after] = described;
      const length = (kind === 'r' || kind === 't' ? 1 : size) + after.length;
      const word = wordOf(described);
      return { kind, size, after: escaped(after), word, length, made: [], numbered: 0, salt };
    });
    this.chanceOfFresh = chain.fresh / 100;
    this.newsPerText = chain.news === undefined ? undefined : countOf(chain.news) / PER_TEXTS;
    const places = new Map(chain.next.map(([context], at) => [context.join(), at]));
    const stateAfter = (...context: number[]): number =>
      places.get(context.join()) ?? places.get(`${context.at(-1) ?? ''}`) ?? places.get('') ?? 0;
    this.states = chain.next.map(([context, next]) => {
      const last = context.at(-1) ?? 0;
      return new Choice(
        next.map(([token, level]): [Step, number] => [
          { token, state: token === FEWER_WORDS ? stateAfter(last) : stateAfter(last, token) },
          level,
        ]),
        { token: 0, state: 0 },
      );
    });
    this.first = stateAfter(0, 0);
  }

  /** Generates a random text and returns its words. */
  walk(random: Random): Token[] {
    const found: Token[] = [];
    let state = this.states[this.first];
    for (let steps = 0; state !== undefined && steps < 2 * LONGEST_TEXT_WORDS; steps += 1) {
      const { token, state: next } = state.draw(random);
      if (token === 0 || found.length === LONGEST_TEXT_WORDS) break;
      if (token !== FEWER_WORDS) found.push(this.tokens[token - 1]!);
      state = this.states[next];
    }
    return found;
  }

  /** Generates several random texts. Returns the words of the text whose length is nearest to `length` (in characters). */
  walkOfLength(length: number, random: Random): Token[] {
    const distanceOf = (tokens: readonly Token[]): number =>
      Math.abs(tokens.reduce((sum, token) => sum + token.length, 0) - length);
    let best = this.walk(random);
    for (let tried = 0; tried < TRIES && distanceOf(best) > 0; tried += 1) {
      const walked = this.walk(random);
      if (distanceOf(walked) < distanceOf(best)) best = walked;
    }
    return best;
  }

  /** Returns the words of the profile at these positions, from 1. */
  tokensAt(places: readonly number[]): Token[] {
    return places.map((place) => this.tokens[place - 1]!);
  }

  /** Returns a word for a text that occurs in only one document. The token must not stand for the value of another field. */
  ownWord(token: Token, random: Random): string {
    if (token.word !== undefined) return token.word;
    if (!canBeNumbered(token)) return randomWord(token.kind, token.size, random);
    const isNew = token.numbered === 0 || random.unit() < this.chanceOfFresh;
    if (isNew) token.numbered += 1;
    token.words ??= new NumberedWord(token);
    return token.words.of(isNew ? token.numbered - 1 : random.below(token.numbered));
  }

  /** Starts a text that may occur in several documents. Each such text increases the number of new terms that are expected so far. */
  begin(): void {
    this.texts += 1;
    this.added = [];
  }

  /**
   * Returns a word for a text that may occur in several documents. The word is new if the texts so far contain too few new terms.
   * Otherwise, it is a word that was generated for this token earlier.
   */
  freshWord(token: Token, random: Random): string {
    const { kind, size, made } = token;
    if (ALPHABETS[kind] === '') return '';
    if (made.length > 0 && !this.isNewDue(random)) return made[random.below(made.length)]!;
    const word = freshWord(kind, size, this.taken, random);
    made.push(word);
    this.added.push(made);
    return word;
  }

  private isNewDue(random: Random): boolean {
    return this.newsPerText === undefined
      ? random.unit() < this.chanceOfFresh
      : this.news + this.added.length < this.newsPerText * this.texts;
  }

  /**
   * Removes the new words of the current text, so that they can be generated again. The caller does this if the same text exists already
   * and is therefore not used.
   */
  discard(): void {
    for (const made of this.added) this.taken.delete(made.pop()!);
    this.added = [];
  }

  /**
   * Records the terms of the finished text. `isWalked`: whether the Markov chain has chosen its words. New terms are counted only for such
   * texts.
   */
  use(text: string, isWalked: boolean): void {
    this.added = [];
    const before = this.terms.size;
    for (const term of termsOf(text)) this.terms.add(term);
    if (isWalked) this.news += this.terms.size - before;
  }
}

/**
 * Returns whether {@link NumberedWord} can generate words for a token. This is not possible for empty words, values of other fields, times,
 * and words with letters outside ASCII.
 */
export const canBeNumbered = ({ kind }: Token): boolean => !['e', 'r', 't', 'w', 'v'].includes(kind);

/**
 * A prime by which the numbers of words are multiplied. The words of consecutive numbers therefore look different. The prime has no factor
 * in common with the size of an alphabet, so different numbers give different words.
 */
const SPREAD = 1_299_709;
const MOST_NUMBERS = 2 ** 31;

/**
 * Generates words from numbers: the letters of a word encode its number. Different numbers give different words if the words are long
 * enough.
 */
export class NumberedWord {
  private readonly letters: string;
  private readonly salt: number;
  /** Number of letters at the beginning of a word that encode the number of the word. */
  private readonly unique: number;
  /** Number of different words that the {@link unique} letters allow. */
  private readonly capacity: number;

  /**
   * `occurrence`: position of the token in its text. A token that occurs several times in a text therefore gets a different word each time.
   */
  constructor(
    private readonly token: Token,
    occurrence = 0,
  ) {
    this.letters = ALPHABETS[token.kind];
    this.salt = mix(token.salt * LONGEST_TEXT_WORDS + occurrence + 1);
    const most = Math.floor(Math.log(MOST_NUMBERS) / Math.log(this.letters.length));
    this.unique = Math.min(token.size, most);
    this.capacity = this.letters.length ** this.unique;
  }

  of(number: number): string {
    const { letters, salt, unique, capacity, token } = this;
    const base = letters.length;
    let rest = ((number % capacity) * SPREAD + salt) % capacity;
    let state = number ^ salt;
    let word = '';
    for (let at = 0; at < token.size; at += 1) {
      if (at >= unique) rest = state = mix(state + at);
      word += letters[rest % base]!;
      rest = Math.floor(rest / base);
    }
    return token.kind === 'c' ? capitalized(word) : word;
  }
}

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

function randomWord(kind: WordClass, size: number, random: Random): string {
  if (ALPHABETS[kind] === '') return '';
  const letters = kind === 'l' || kind === 'c' || kind === 'u' ? FREQUENT_LETTERS : ALPHABETS[kind];
  let word = '';
  for (let at = 0; at < size; at += 1) word += letters[random.below(letters.length)]!;
  if (kind === 'u') return word.toUpperCase();
  if (kind === 'c') return capitalized(word);
  if (kind === 'd' && size > 1 && word.startsWith('0')) return `${1 + random.below(9)}${word.slice(1)}`;
  return word;
}

function freshWord(kind: WordClass, size: number, taken: Set<string>, random: Random): string {
  let word = randomWord(kind, size, random);
  for (let tried = 0; tried < TRIES && taken.has(word); tried += 1) word = randomWord(kind, size, random);
  taken.add(word);
  return word;
}
