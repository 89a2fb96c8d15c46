/** Generates texts from the words of a profile, in an order drawn from its Markov chain. */
import { jsonOfText } from '../../json/exact';
import { mix, type Random } from '../../random';
import { Choice } from './choice';
import { countOf } from './levels';
import { FEWER_WORDS, PER_TEXTS, type Chain } from './profile';
import { termsOf, type WordClass } from './words';

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();

/** Letters of each class of words. Classes without letters have their own code. */
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

/** Letters with the frequencies of English, so that generated words compress like real ones. */
const FREQUENT_LETTERS =
  'eeeeeeeeeeeetttttttttaaaaaaaaooooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrrddddllllcccuuummmwwffggyyppbbvk';

const LONGEST_TEXT_WORDS = 300;
const TRIES = 100;

/** A word of the chain with the characters after it. */
export interface Token {
  kind: WordClass;
  size: number;
  /** Escaped for JSON. */
  after: string;
  /** The word if it is always the same; undefined if it differs each time. */
  word: string | undefined;
  /** Number of characters, with those after the word. A reference to another field counts as one. */
  length: number;
  /** Words generated for texts of the vocabulary. */
  made: string[];
  /** Words for texts that only one document has, and their number. */
  words?: NumberedWord;
  numbered: number;
  /** Makes tokens generate different words for the same number. */
  salt: number;
}

interface Step {
  /** Number of the word, from 1; 0 for the end; {@link FEWER_WORDS} if only the state changes. */
  token: number;
  state: number;
}

export const escaped = (text: string): string => jsonOfText(text).slice(1, -1);

export class ChainText {
  readonly tokens: readonly Token[];
  private readonly states: readonly Choice<Step>[];
  private readonly first: number;
  private readonly chanceOfFresh: number;
  /** New terms per text; undefined if the profile does not contain it. */
  private readonly newsPerText: number | undefined;
  /** Terms of all texts so far. */
  private readonly terms = new Set<string>();
  private texts = 0;
  private news = 0;
  private readonly taken = new Set<string>();
  /** Lists to which the current text has added a word. */
  private added: string[][] = [];

  /** `commonWords`: words that several fields share, by number. New ones are added. */
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

  /** Returns the words of a text. */
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

  /** Returns the words of a text of about this many characters. */
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

  /** Returns the words at these places, which count from 1. */
  tokensAt(places: readonly number[]): Token[] {
    return places.map((place) => this.tokens[place - 1]!);
  }

  /** Returns a word for a token that is not a reference, for the text of a single document. */
  ownWord(token: Token, random: Random): string {
    if (token.word !== undefined) return token.word;
    if (!canBeNumbered(token)) return randomWord(token.kind, token.size, random);
    const isNew = token.numbered === 0 || random.unit() < this.chanceOfFresh;
    if (isNew) token.numbered += 1;
    token.words ??= new NumberedWord(token);
    return token.words.of(isNew ? token.numbered - 1 : random.below(token.numbered));
  }

  /** Starts the next repeated text whose words the chain chooses. It raises the target for the number of new terms. */
  begin(): void {
    this.texts += 1;
    this.added = [];
  }

  /** Returns a new word while the number of terms is below its target, and then one of the words that were generated for this token. */
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

  /** Forgets the new words of the current text, which is not used. */
  discard(): void {
    for (const made of this.added) this.taken.delete(made.pop()!);
    this.added = [];
  }

  /** Counts the terms of the current text. `isWalked`: the chain chose its words. */
  use(text: string, isWalked: boolean): void {
    this.added = [];
    const before = this.terms.size;
    for (const term of termsOf(text)) this.terms.add(term);
    if (isWalked) this.news += this.terms.size - before;
  }
}

/** Returns whether {@link NumberedWord} can generate words of this class. */
export const canBeNumbered = ({ kind }: Token): boolean => !['e', 'r', 't', 'w', 'v'].includes(kind);

/** A prime that does not divide the number of letters of any alphabet. Multiplying by it makes consecutive numbers look different. */
const SPREAD = 1_299_709;
const MOST_NUMBERS = 2 ** 31;

/** Words that encode a number with letters. Different numbers give different words as long as the word is long enough. */
export class NumberedWord {
  private readonly letters: string;
  private readonly salt: number;
  /** Number of leading letters that encode the number, and how many numbers they can distinguish. */
  private readonly unique: number;
  private readonly capacity: number;

  /** `occurrence`: number of the token's occurrence in its text, so that each has different words. */
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
