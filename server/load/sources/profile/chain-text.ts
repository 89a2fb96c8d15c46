/** Made texts: words of the kinds and lengths that a profile tells, in the order in which its chain has them. */
import { jsonOfText } from '../../../../common/json/exact';
import { countOf, shareOf } from '../../../../common/generators/profile/levels';
import { FEWER_WORDS, PER_TEXTS, type Chain } from '../../../../common/generators/profile/profile';
import { TIME_FORMS } from '../../../../common/generators/profile/times';
import { termsOf, type WordClass } from '../../../../common/generators/profile/words';
import { BEYOND, Rows, type Store, type Target } from './bytes';
import { Weights, mix, type Dice } from './dice';

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const WIDE = 'éèüöäñçåøšžćłąęőțğıß';
const WIDER = '語日本東京大学生時間会社国年月水火木金土';

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
  w: WIDE,
  v: WIDER,
  e: '',
  r: '',
  t: '',
};

/** By their codes, for holes that are written over. */
const CODES = new Map(
  Object.entries(ALPHABETS).map(([kind, letters]) => [kind as WordClass, Buffer.from(letters, 'latin1')]),
);
const BYTES_OF_WIDE: Partial<Record<WordClass, number>> = { w: 2, v: 3 };

/** Letters of English come about so often: made words are packed as well as others are. */
const FREQUENT_LETTERS =
  'eeeeeeeeeeeetttttttttaaaaaaaaooooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrrddddllllcccuuummmwwffggyyppbbvk';

const LONGEST_TEXT_WORDS = 300;

const isHole = (kind: WordClass): boolean => !['e', 'r', 't', 'w', 'v'].includes(kind);

/** Bytes of one text, with places in them that can be written over, and what of the document follows. */
export interface Piece {
  bytes: Uint8Array;
  holes: readonly Hole[];
  /** Place of a field, or -1. */
  reference: number;
  /** A form of the time, or -1. */
  time: number;
}

interface Symbol {
  kind: WordClass;
  size: number;
  after: string;
  /** Of the word that it always is; undefined for one that is made anew. */
  word: string | undefined;
}

const escaped = (text: string): string => jsonOfText(text).slice(1, -1);

/** The states of a chain, each with what may follow. */
export class ChainText {
  readonly symbols: Symbol[];
  private readonly following: { symbols: number[]; states: Int32Array; weights: Weights }[];
  private readonly first: number;
  private readonly chanceOfFresh: number;
  /** Terms of all texts that are made. */
  private readonly terms = new Set<string>();
  /** New ones in each text; negative where the profile does not tell. */
  private readonly newsPerText: number;
  private texts = 0;
  private news = 0;
  /** Words that are in use. */
  private readonly taken = new Set<string>();
  /** Where the new words of the text stand that is being made. */
  private readonly lately: string[][] = [];
  private readonly madeWords = new Map<Symbol, string[]>();
  /** Words that were made anew, by symbol. */
  private readonly made: Int32Array;
  /** Of one word with what follows, bytes. */
  readonly longestWord: number;
  readonly isPlain: boolean;
  /** Of each symbol its word, if it always has one, and what follows. */
  private readonly rows: Rows;
  /** Of each symbol that is made anew. */
  private readonly holes: (Hole | null)[];

  /** `common`: words of all fields that several of them have. */
  constructor(chain: Chain, dice: Dice, store: Store, common: Map<number, string>) {
    const { taken } = this;
    const words = new Map<number, string>();
    this.symbols = chain.words.map(([kind, size, after, number, ofAll]): Symbol => {
      if (number === undefined) return { kind, size, after, word: undefined };
      const known = words.get(number) ?? (ofAll === undefined ? undefined : common.get(ofAll));
      const word = known ?? freshWord(kind, size, taken, dice);
      taken.add(word);
      words.set(number, word);
      if (ofAll !== undefined) common.set(ofAll, word);
      return { kind, size, after, word };
    });
    this.isPlain = this.symbols.every(({ kind }) => kind !== 'r' && kind !== 't');
    this.chanceOfFresh = chain.fresh / 100;
    this.newsPerText = chain.news === undefined ? -1 : countOf(chain.news) / PER_TEXTS;
    this.made = new Int32Array(this.symbols.length);
    this.rows = new Rows(
      store,
      this.symbols.map(({ word = '', after }) => Buffer.from(escaped(word + after))),
    );
    this.holes = this.symbols.map(({ kind, size, word }, place) =>
      word === undefined && isHole(kind) ? new Hole(0, size, CODES.get(kind)!, mix(place + 1)) : null,
    );
    this.longestWord = this.symbols.reduce((most, { kind, size, after }) => {
      const own = isHole(kind) || kind === 'w' || kind === 'v' ? size * (BYTES_OF_WIDE[kind] ?? 1) : 0;
      return Math.max(most, own + Buffer.byteLength(escaped(after)));
    }, 1);
    const states = new Map(chain.next.map(([context], at) => [context.join(), at]));
    const stateAfter = (before: number, last: number): number =>
      states.get(`${before},${last}`) ?? states.get(`${last}`) ?? states.get('') ?? 0;
    this.following = chain.next.map(([context, next]) => {
      const last = context.at(-1) ?? 0;
      const symbols = next.map(([symbol]) => symbol);
      return {
        symbols,
        states: Int32Array.from(symbols, (symbol) =>
          symbol === FEWER_WORDS ? (states.get(`${last}`) ?? states.get('') ?? 0) : stateAfter(last, symbol),
        ),
        weights: new Weights(next.map(([, level]) => shareOf(level))),
      };
    });
    this.first = stateAfter(0, 0);
  }

  /**
   * A word in place of one that few documents have: mostly one that is nowhere else, as far as there are such words, else one of those
   * that were made so.
   */
  freshWord(symbol: Symbol, dice: Dice): string {
    const { kind, size } = symbol;
    const made = this.madeWords.get(symbol) ?? [];
    if (made.length > 0 && !this.isNewDue(dice)) return made[dice.below(made.length)]!;
    const word = freshWord(kind, size, this.taken, dice);
    made.push(word);
    this.lately.push(made);
    this.madeWords.set(symbol, made);
    return word;
  }

  /** So many that there are as many terms as there were, of whichever words they are put together. */
  private isNewDue(dice: Dice): boolean {
    return this.newsPerText < 0
      ? dice.unit() < this.chanceOfFresh
      : this.news + this.lately.length < this.newsPerText * this.texts;
  }

  /** What is walked next is a text that will be made. */
  begin(): void {
    this.texts += 1;
    this.lately.length = 0;
  }

  /** The text that was walked last will not be made: its new words are none. */
  takeBack(): void {
    for (const made of this.lately) this.taken.delete(made.pop()!);
    this.lately.length = 0;
  }

  /** It will be made. `isWalked`: it was not told word by word. */
  keep(text: string, isWalked: boolean): void {
    this.lately.length = 0;
    const before = this.terms.size;
    for (const term of termsOf(text)) this.terms.add(term);
    if (isWalked) this.news += this.terms.size - before;
  }

  /** Symbols of a text, one walk through the chain. */
  walk(dice: Dice): Symbol[] {
    const found: Symbol[] = [];
    let state = this.first;
    while (found.length < LONGEST_TEXT_WORDS && this.following.length > 0) {
      const { symbols, states, weights } = this.following[state]!;
      const next = weights.draw(dice);
      const number = symbols[next]!;
      if (number === 0) break;
      state = states[next]!;
      if (number !== FEWER_WORDS) found.push(this.symbols[number - 1]!);
    }
    return found;
  }

  /** Writes a text of its own, escaped; `refer` writes what of the document it holds. Returns where it ended. */
  write(dice: Dice, out: Target, from: number, refer: (symbol: Symbol, at: number) => number): number {
    let at = from;
    let state = this.first;
    const most = out.bytes.length - this.longestWord - BEYOND;
    for (let count = 0; count < LONGEST_TEXT_WORDS && at < most && this.following.length > 0; count += 1) {
      const { symbols, states, weights } = this.following[state]!;
      const next = weights.draw(dice);
      const number = symbols[next]!;
      if (number === 0) break;
      if (number === FEWER_WORDS) {
        state = states[next]!;
        continue;
      }
      const place = number - 1;
      const symbol = this.symbols[place]!;
      if (symbol.kind === 'r' || symbol.kind === 't') at = refer(symbol, at);
      else if (symbol.word === undefined && symbol.kind !== 'e')
        at = this.writeFresh(place, symbol, dice, out.bytes, at);
      at = this.rows.write(place, out, at);
      state = states[next]!;
    }
    return at;
  }

  /** A word that was not there before, or one of those that were made so. */
  private writeFresh(place: number, { kind, size }: Symbol, dice: Dice, out: Uint8Array, at: number): number {
    const hole = this.holes[place]!;
    if (hole === null) return at + Buffer.from(randomWord(kind, size, dice)).copy(out, at);
    const made = this.made[place]!;
    const isNew = made === 0 || dice.unit() < this.chanceOfFresh;
    if (isNew) this.made[place] = made + 1;
    hole.fill(out, at, isNew ? made : dice.below(made));
    if (kind === 'c') out[at] = out[at]! - 32;
    return at + size;
  }
}

/** Letters of holes, by their numbers. */
const LETTERS = [
  ...new Map([...CODES.values()].map((letters) => [letters.toString('latin1'), letters])).values(),
];

/**
 * Where a word can be written over by numbers as letters: as long as there are fewer numbers than such words, no two have the same. As
 * numbers side by side, which are read from memory together: where it begins in its text, its size, its letters
 * by their number, what tells it from others, how many letters tell numbers apart, how many numbers, and the first shift.
 */
export class Hole {
  readonly packed: Int32Array;

  /** `at`: where it begins in its text. */
  constructor(at: number, size: number, letters: Buffer, salt: number) {
    const base = letters.length;
    let capacity = 1;
    let unique = 0;
    while (unique < size && capacity * base < 2_147_483_648) {
      capacity *= base;
      unique += 1;
    }
    const kind = LETTERS.findIndex((other) => other.equals(letters));
    this.packed = Int32Array.of(at, size, kind, salt, unique, capacity, salt % base, 0);
  }

  /** `start`: where its text begins. */
  fill(out: Uint8Array, start: number, number: number): void {
    fillHole(this.packed, 0, out, start, number);
  }
}

/** Numbers of one hole. */
export const HOLE = 8;

/** Fills the hole that begins at `place` of `packed`; others follow from the letters that tell numbers apart. */
export function fillHole(
  packed: Int32Array,
  place: number,
  out: Uint8Array,
  start: number,
  number: number,
): void {
  const letters = LETTERS[packed[place + 2]!]!;
  const size = packed[place + 1]!;
  const unique = packed[place + 4]!;
  const capacity = packed[place + 5]!;
  const base = letters.length;
  const at = start + packed[place]!;
  let rest = number < capacity ? number : number % capacity;
  // Each letter is shifted by those before it: numbers that follow each other do not look alike, and none becomes another.
  let shift = packed[place + 6]!;
  for (let i = 0; i < unique; i += 1) {
    const next = (rest / base) | 0;
    let letter = rest - next * base + shift;
    if (letter >= base) letter -= base;
    out[at + i] = letters[letter]!;
    shift = SHIFTS[letter]! % base;
    rest = next;
  }
  if (unique === size) return;
  let state = mix(number ^ packed[place + 3]!);
  for (let i = unique; i < size; i += 1) {
    if ((i & 3) === 0) state = mix(state + i);
    out[at + i] = letters[((state >>> ((i & 3) * 8)) & 255) % base]!;
  }
}

/** By the letter before; any numbers would do. */
const SHIFTS = Uint8Array.from({ length: 64 }, (_, letter) => mix(letter + 1) & 63);

function randomWord(kind: WordClass, size: number, dice: Dice): string {
  const letters = ALPHABETS[kind];
  if (letters === '') return '';
  const isWord = kind === 'l' || kind === 'c' || kind === 'u';
  let word = '';
  for (let at = 0; at < size; at += 1)
    word += isWord
      ? FREQUENT_LETTERS[dice.below(FREQUENT_LETTERS.length)]!
      : letters[dice.below(letters.length)]!;
  if (kind === 'u') return word.toUpperCase();
  if (kind === 'c') return word.slice(0, 1).toUpperCase() + word.slice(1);
  if (kind === 'd' && size > 1 && word.startsWith('0')) return `${1 + dice.below(9)}${word.slice(1)}`;
  return word;
}

const TRIES = 100;

function freshWord(kind: WordClass, size: number, taken: Set<string>, dice: Dice): string {
  let word = randomWord(kind, size, dice);
  for (let tried = 0; tried < TRIES && taken.has(word); tried += 1) word = randomWord(kind, size, dice);
  taken.add(word);
  return word;
}

const lengthOf = (symbols: readonly Symbol[]): number =>
  symbols.reduce(
    (sum, { kind, size, after }) => sum + (kind === 'r' || kind === 't' ? 1 : size) + after.length,
    0,
  );

/** Walks until a text of about that length comes. */
export function walkOfLength(text: ChainText, length: number, dice: Dice): Symbol[] {
  let best = text.walk(dice);
  let least = Math.abs(lengthOf(best) - length);
  for (let tried = 0; tried < TRIES && least > 0; tried += 1) {
    const walked = text.walk(dice);
    const distance = Math.abs(lengthOf(walked) - length);
    if (distance < least) {
      least = distance;
      best = walked;
    }
  }
  return best;
}

/** One text as bytes, its fresh words filled; `asHole`: its longest word becomes one that can be made anew, if it has none. */
export function piecesOf(text: ChainText, symbols: readonly Symbol[], dice: Dice, asHole: boolean): Piece[] {
  const pieces: Piece[] = [];
  let bytes: Buffer[] = [];
  let length = 0;
  let holes: Hole[] = [];
  const close = (reference: number, time: number): void => {
    pieces.push({
      bytes: new Uint8Array(Buffer.concat(bytes)),
      holes,
      reference,
      time,
    });
    bytes = [];
    length = 0;
    holes = [];
  };
  const append = (text: string): void => {
    const added = Buffer.from(text);
    bytes.push(added);
    length += added.length;
  };
  const needed = asHole && !symbols.some(({ kind, word }) => word === undefined && isHole(kind));
  const longest = needed
    ? symbols.reduce(
        (best, { kind, size }, at) =>
          isHole(kind) && size > (best < 0 ? 0 : symbols[best]!.size) ? at : best,
        -1,
      )
    : -1;
  for (const [at, symbol] of symbols.entries()) {
    const { kind, size, after, word } = symbol;
    if (kind === 'r') close(size, -1);
    else if (kind === 't') close(-1, size % TIME_FORMS.length);
    else {
      if (isHole(kind) && (word === undefined || at === longest)) {
        // The first letter of a word with a capital stays.
        const from = kind === 'c' ? 1 : 0;
        if (size > from)
          holes.push(new Hole(length + from, size - from, CODES.get(kind)!, mix(holes.length + 1)));
      }
      append(word ?? text.freshWord(symbol, dice));
    }
    append(escaped(after));
  }
  close(-1, -1);
  return pieces;
}

/** Upper bound of what a text of its own takes, without what it refers to. */
export const longestOwn = (text: ChainText): number =>
  Math.min(1_000_000, LONGEST_TEXT_WORDS * text.longestWord);
export const MOST_REFERRED = LONGEST_TEXT_WORDS;
