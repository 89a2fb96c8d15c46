/**
 * Learns a Markov chain from texts: the classes and lengths of words, and which words follow each other. The words themselves are not
 * stored.
 */
import { parsePlain, stringifyPlain } from '../../common/json/exact';
import { countLevel, HIGHEST_LEVEL, levelsOf } from '../../common/generators/profile/levels';
import { FEWER_WORDS, MOST_HEAD_WORDS, PER_TEXTS, type Chain } from '../../common/generators/profile/profile';
import { termsOf, wordsOf, type Word } from '../../common/generators/profile/words';

/**
 * Minimum number of documents that must contain a word or a sequence of words. The chain does not distinguish rarer words and sequences.
 */
const SHARED_BY = 3;
const MOST_WORDS = 990;
const MOST_CONTEXTS = 6000;
/** Maximum number of texts of one field that are analysed. */
const MOST_TEXTS = 20_000;
/**
 * Returns whether a word is only a placeholder: for the value of another field, for the document's time, or for no word at all. Such
 * placeholders may occur between the words of any text.
 */
const isMark = ({ class: kind }: Pick<Word, 'class'>): boolean =>
  kind === 'r' || kind === 't' || kind === 'e';

/**
 * Counts the words that follow a given sequence of words. Key: number of the following word; 0 is the end of the text.
 * - `documents`: number of documents in which the word follows. Of documents with the same text, at most three count.
 * - `walks`: number of distinct texts in which the word follows. Texts that the chain need not generate do not count.
 */
type Counts = Map<number, { documents: number; walks: number }>;

function count(counts: Counts, next: number, documents: number, walks: number): void {
  const known = counts.get(next);
  if (known === undefined) counts.set(next, { documents, walks });
  else {
    known.documents += documents;
    known.walks += walks;
  }
}

const add = <Key>(counts: Map<Key, number>, key: Key, weight: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + weight);
};

export interface LearnedChain {
  chain: Chain;
  /** The words that occur in several documents. Key: number of the word in the chain. */
  numbered: ReadonlyMap<number, string>;
  /**
   * Splits a text into the words of the chain and returns their numbers. Used for texts that several documents have. Returns undefined if
   * the text has more than `MOST_HEAD_WORDS` words.
   */
  symbolsOf(text: string): number[] | undefined;
}

/**
 * Learns the chain of one field.
 * - `texts`: distinct texts, each with its number of documents.
 * - `isListed`: returns whether the profile lists all words of a text that occurs in `count` documents. Such texts do not influence the
 *   chain, because it need not generate them.
 */
export function learnChain(
  texts: readonly (readonly [string, number])[],
  isListed: (count: number) => boolean = () => false,
): LearnedChain {
  const step = Math.max(1, Math.ceil(texts.length / MOST_TEXTS));
  const read = texts
    .filter((_, at) => at % step === 0)
    .map(([text, count]) => {
      const words = wordsOf(text);
      const weight = Math.min(count, SHARED_BY);
      return { text, words, weight, walks: words.length > MOST_HEAD_WORDS || !isListed(count) ? 1 : 0 };
    });
  const rare = read.filter(({ walks }) => walks > 0).length;
  const walked = rare > 0 ? rare : read.length;
  const known = new Set(read.flatMap(({ text, walks }) => (walks === 0 && rare > 0 ? termsOf(text) : [])));
  const news = new Set(
    read.flatMap(({ text, walks }) =>
      walks > 0 || rare === 0 ? termsOf(text).filter((term) => !known.has(term)) : [],
    ),
  ).size;
  const { shared, fresh } = sharedWords(read);
  const { symbols, symbolOf, freshLike } = symbolsOf(read, shared);
  const one = new Map<number, Counts>();
  const two = new Map<number, Counts>();
  const none: Counts = new Map();
  for (const { words, weight, walks: own } of read) {
    const walks = rare > 0 ? own : 1;
    let before = 0;
    let last = 0;
    for (let at = 0; at <= words.length; at += 1) {
      const next = at === words.length ? 0 : symbolOf(words[at]!);
      count(none, next, weight, walks);
      const ofOne: Counts = one.get(last) ?? new Map();
      count(ofOne, next, weight, walks);
      one.set(last, ofOne);
      const key = before * 1000 + last;
      const ofTwo: Counts = two.get(key) ?? new Map();
      count(ofTwo, next, weight, walks);
      two.set(key, ofTwo);
      before = last;
      last = next;
    }
  }
  const total = (counts: Counts): number =>
    [...counts.values()].reduce((sum, { documents }) => sum + documents, 0);
  const entry = (context: number[], counts: Counts): Chain['next'][number] => {
    const known = new Map<number, number>();
    let rest = 0;
    for (const [next, { documents, walks }] of counts) {
      if (walks === 0) continue;
      if (documents >= SHARED_BY) add(known, next, walks);
      else if (context.length === 2) rest += walks;
      else add(known, next === 0 ? 0 : freshLike(next), walks);
    }
    if (rest > 0) known.set(FEWER_WORDS, rest);
    const kept = [...known].sort(([, a], [, b]) => b - a).slice(0, 999);
    const levels = levelsOf(kept.map(([, walks]) => walks));
    return [context, kept.map(([next], at) => [next, levels[at]!])];
  };
  const sorted = (contexts: Map<number, Counts>): [number, Counts][] =>
    [...contexts]
      .filter(([, counts]) => total(counts) >= SHARED_BY)
      .sort(([, a], [, b]) => total(b) - total(a));
  const next = [
    entry([], none),
    ...sorted(one).map(([last, counts]) => entry([last], counts)),
    ...sorted(two)
      .slice(0, MOST_CONTEXTS)
      .map(([key, counts]) => entry([Math.floor(key / 1000), key % 1000], counts)),
  ].filter(([, following]) => following.length > 0);
  return {
    numbered: new Map([...shared].map(([text, number]) => [number, text])),
    chain: { words: symbols, next, fresh, news: countLevel((PER_TEXTS * news) / Math.max(1, walked)) },
    symbolsOf: (text) => {
      const words = wordsOf(text, MOST_HEAD_WORDS + 1);
      return words.length > MOST_HEAD_WORDS ? undefined : words.map(symbolOf);
    },
  };
}

interface ReadText {
  words: Word[];
  weight: number;
}

/** Gives words that occur in several fields a common number. Generated documents therefore repeat such a word in all these fields. */
export function shareWords(learned: readonly LearnedChain[]): void {
  const counts = new Map<string, number>();
  for (const { numbered } of learned) for (const text of numbered.values()) add(counts, text, 1);
  const common = new Map(
    [...counts]
      .filter(([, count]) => count > 1)
      .sort(([, a], [, b]) => b - a)
      .slice(0, HIGHEST_LEVEL)
      .map(([text], at) => [text, at]),
  );
  for (const { chain, numbered } of learned)
    for (const word of chain.words) {
      const number = word[3] === undefined ? undefined : common.get(numbered.get(word[3])!);
      if (number !== undefined) word[4] = number;
    }
}

/**
 * Returns the words that occur in several documents (`shared`), each with a number from 1. `fresh` is about all other words: the percentage
 * of their occurrences that are the first occurrence of a word.
 */
function sharedWords(read: readonly ReadText[]): {
  shared: Map<string, number>;
  fresh: number;
} {
  const counts = new Map<string, number>();
  for (const { words, weight } of read)
    for (const { text } of new Set(words.filter((word) => !isMark(word)))) add(counts, text, weight);
  const frequent = [...counts].filter(([, count]) => count >= SHARED_BY).sort(([, a], [, b]) => b - a);
  const shared = new Map(frequent.slice(0, MOST_WORDS).map(([text], at) => [text, at + 1]));
  let occurrences = 0;
  const different = new Set<string>();
  for (const { words } of read)
    for (const word of words) {
      if (isMark(word) || shared.has(word.text)) continue;
      occurrences += 1;
      different.add(word.text);
    }
  return {
    shared,
    fresh: occurrences === 0 ? 100 : Math.round((different.size / occurrences) * 100),
  };
}

interface Symbols {
  symbols: Chain['words'];
  /**
   * Returns the number, from 1, of the symbol that represents a word in the chain. A symbol is one shared word, or all words with the same
   * class, length and following characters.
   */
  symbolOf(word: Word): number;
  /** Returns the number of the symbol for a new word that is most similar to the given symbol in class, length and following characters. */
  freshLike(symbol: number): number;
}

function symbolsOf(read: readonly ReadText[], shared: ReadonlyMap<string, number>): Symbols {
  const keyOf = ({ class: kind, size, after, text }: Word): string =>
    stringifyPlain([kind, size, after, ...(shared.has(text) ? [shared.get(text)] : [])]);
  const counts = new Map<string, number>();
  for (const { words, weight } of read) for (const word of words) add(counts, keyOf(word), weight);
  const kept = [...counts]
    .filter(([, count]) => count >= SHARED_BY)
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_WORDS);
  // If the texts are so different that they share no symbols, all their classes and lengths become symbols.
  const chosen = kept.length > 0 ? kept : [...counts].slice(0, MOST_WORDS);
  const symbols = chosen.map(([key]) => parsePlain(key) as Chain['words'][number]);
  const places = new Map(chosen.map(([key], at) => [key, at + 1]));
  const nearest = (word: Word): number => {
    let best = 1;
    let least = Infinity;
    for (const [at, [kind, size, after, number]] of symbols.entries()) {
      const distance =
        (kind === word.class ? 0 : kind === 'r' || kind === 't' || word.class === 'e' ? 10_000 : 2000) +
        (after === word.after ? 0 : 100) +
        Math.abs(size - word.size) +
        (number === undefined ? 0 : 3000);
      if (distance < least) {
        least = distance;
        best = at + 1;
      }
    }
    return best;
  };
  return {
    symbols,
    freshLike: (symbol) => {
      const [kind, size, after] = symbols[symbol - 1]!;
      return nearest({ class: kind, size, after, text: '' });
    },
    symbolOf: (word) => {
      const key = keyOf(word);
      const found = places.get(key) ?? nearest(word);
      places.set(key, found);
      return found;
    },
  };
}
