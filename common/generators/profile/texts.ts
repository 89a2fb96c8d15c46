/** Makes the texts of a field that come again: a row of parts for each, so that other fields' values can be part of them. */
import { exactText, isExactNumber, stringifyExact } from '../../json/exact';
import { canBeNumbered, wordOfNumber, type ChainText, type Token } from './chain-text';
import type { Making, TextOf } from './field-value';
import type { ProfiledDraw } from './profile';
import { sharedRows } from './rare-rows';
import { TIME_FORMS } from './times';

const TRIES = 50;

/** A word that is another one when its row comes again. */
class ChangingWord {
  constructor(
    private readonly token: Token,
    public word: string,
    private readonly occurrence: number,
  ) {}

  of(number: number): string {
    return wordOfNumber(this.token, number, this.occurrence);
  }
}

/** Another field's value, or the time: known only when the text is written. */
interface Reference {
  key: string;
  text(): string;
}

type Part = string | ChangingWord | Reference;

const isFixed = (part: Part): part is string | ChangingWord =>
  typeof part === 'string' || part instanceof ChangingWord;

/** `number`: if the row comes again. */
function joined(parts: readonly Part[], number?: number): string {
  let text = '';
  for (const part of parts)
    if (typeof part === 'string') text += part;
    else if (part instanceof ChangingWord) text += number === undefined ? part.word : part.of(number);
    else text += part.text();
  return text;
}

/** Texts by their numbers: the frequent ones, those that several documents have, and rare ones. All are different. */
export function texts(draw: ProfiledDraw, chain: ChainText, making: Making): TextOf {
  const rows = rowsOf(draw, chain, making);
  const whole = rows.map((parts) => (parts.every(isFixed) ? joined(parts) : undefined));
  const heads = draw.head.length;
  return (id) => {
    if (id < rows.length) return whole[id] ?? joined(rows[id]!);
    return joined(rows[heads + ((id - heads) % (rows.length - heads))]!, id);
  };
}

function rowsOf(draw: ProfiledDraw, chain: ChainText, making: Making): Part[][] {
  const { vocabulary } = making;
  const rows: Part[][] = [];
  const taken = new Set<string>();
  const add = (walk: () => Token[], isWalked: boolean): void => {
    let parts: Part[] = [];
    for (let tried = 0; tried < TRIES; tried += 1) {
      // If the chain has no more texts, words get other letters.
      const changes = tried > TRIES / 2;
      parts = partsOf(chain, walk(), making, changes);
      const number = changes ? vocabulary.next() : 0;
      for (const part of parts) if (changes && part instanceof ChangingWord) part.word = part.of(number);
      const key = withNames(parts, (reference) => `\n${reference.key}`);
      if (!taken.has(key)) {
        taken.add(key);
        break;
      }
      if (tried < TRIES - 1) chain.discard();
    }
    chain.use(withNames(parts, () => '\n'), isWalked);
    rows.push(parts);
  };
  const { head, kept = [], told = [] } = draw;
  for (const [at, [length, , places]] of head.entries())
    if (kept[at] !== undefined) rows.push([textOfKept(kept[at])]);
    else
      add(() => (places === undefined ? chain.walkOfLength(length, vocabulary) : chain.tokensAt(places)), false);
  let next = 0;
  for (const isShared of sharedRows(draw)) {
    const places = isShared ? told[next] : undefined;
    if (places === undefined) {
      chain.begin();
      add(() => chain.walk(vocabulary), true);
    } else {
      next += 1;
      add(() => chain.tokensAt(places), false);
    }
  }
  return rows;
}

/** Returns the text with a name for each reference. */
const withNames = (parts: readonly Part[], nameOf: (reference: Reference) => string): string =>
  joined(parts.map((part) => (isFixed(part) ? part : nameOf(part))));

/** `changes`: the longest word becomes one that changes if no other does. */
function partsOf(chain: ChainText, tokens: readonly Token[], making: Making, changes: boolean): Part[] {
  const { vocabulary, clock, valueAt } = making;
  const isChanging = (token: Token): boolean => token.word === undefined && canBeNumbered(token);
  const longest =
    changes && !tokens.some(isChanging)
      ? tokens.filter(canBeNumbered).toSorted((one, other) => other.size - one.size)[0]
      : undefined;
  return tokens.flatMap((token, occurrence): Part[] => {
    const { kind, size, after } = token;
    if (kind === 'r') {
      const value = valueAt(size);
      return [{ key: `r${size}`, text: () => value.text() }, after];
    }
    if (kind === 't')
      return [{ key: `t${size}`, text: () => clock.text(size % TIME_FORMS.length) }, after];
    const word = token.word ?? chain.freshWord(token, vocabulary);
    return isChanging(token) || token === longest
      ? [new ChangingWord(token, word, occurrence), after]
      : [word + after];
  });
}

/** What is between the quotes of a value that is kept. */
const textOfKept = (kept: string | number): string =>
  isExactNumber(kept) || typeof kept === 'number' ? exactText(kept) : stringifyExact(kept).slice(1, -1);
