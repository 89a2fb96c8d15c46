/** Generates texts that occur in several documents, and texts that occur in only one document. Texts can contain values of other fields. */
import { exactText, isExactNumber, stringifyExact } from '../../json/exact';
import { canBeNumbered, NumberedWord, type ChainText, type Token } from './chain-text';
import type { FieldValue, Making, TextOf } from './field-value';
import type { ProfiledDraw } from './profile';
import { sharedRows } from './rare-rows';
import { TIME_FORMS } from './times';

const TRIES = 50;

/** A word whose letters change when its text is used again for another value. */
class ChangingWord extends NumberedWord {
  constructor(
    token: Token,
    public word: string,
    occurrence: number,
  ) {
    super(token, occurrence);
  }
}

/**
 * A piece of a text that repeats the value of another field, or the document's time. The text of this piece is determined only when the
 * document is written.
 */
interface Reference {
  /** Identifies the field, or the format of the time. Two texts with the same keys and the same words would be equal. */
  key: string;
  text(): string;
}

type Part = string | ChangingWord | Reference;

const isReference = (part: Part): part is Reference =>
  typeof part !== 'string' && !(part instanceof ChangingWord);

/** Returns a text in which `nameOf` replaces each reference to another field or to the time. */
const withNames = (parts: readonly Part[], nameOf: (reference: Reference) => string): string =>
  parts
    .map((part) => (typeof part === 'string' ? part : isReference(part) ? nameOf(part) : part.word))
    .join('');

/**
 * Returns a function that converts the id of a value to the text of the value. The first ids belong to the frequent values, the others to
 * rare values. Different ids give different texts.
 */
export function repeatedTexts(draw: ProfiledDraw, chain: ChainText, making: Making): TextOf {
  const rows = rowsOf(draw, chain, making);
  const withoutReferences = rows.map((parts) =>
    parts.some(isReference) ? undefined : withNames(parts, () => ''),
  );
  const heads = draw.head.length;
  return (id) => {
    if (withoutReferences[id] !== undefined) return withoutReferences[id];
    const isRow = id < rows.length;
    let text = '';
    for (const part of rows[isRow ? id : heads + ((id - heads) % (rows.length - heads))]!)
      if (typeof part === 'string') text += part;
      else if (isReference(part)) text += part.text();
      else text += isRow ? part.word : part.of(id);
    return text;
  };
}

/** Returns a generator of texts that occur in only one document each. */
export function ownText(chain: ChainText, making: Making): FieldValue {
  const { random } = making;
  let parts: (string | Reference)[] = [];
  const draw = (): void => {
    parts = chain
      .walk(random)
      .flatMap((token) => [referenceOf(token, making) ?? chain.ownWord(token, random), token.after]);
  };
  const text = (): string => parts.map((part) => (typeof part === 'string' ? part : part.text())).join('');
  return { draw, keep: draw, text };
}

function referenceOf({ kind, size }: Token, { clock, valueAt }: Making): Reference | undefined {
  if (kind === 't') return { key: `t${size}`, text: () => clock.text(size % TIME_FORMS.length) };
  if (kind !== 'r') return undefined;
  const value = valueAt(size);
  return { key: `r${size}`, text: () => value.text() };
}

function rowsOf(draw: ProfiledDraw, chain: ChainText, making: Making): Part[][] {
  const { vocabulary } = making;
  const rows: Part[][] = [];
  const taken = new Set<string>();
  const add = (walk: () => Token[], isWalked: boolean): void => {
    let parts: Part[] = [];
    for (let tried = 0; tried < TRIES; tried += 1) {
      // If the chain repeats texts that already exist, the letters of some words are changed.
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
    chain.use(
      withNames(parts, () => '\n'),
      isWalked,
    );
    rows.push(parts);
  };
  const { head, kept = [], told: shared = [] } = draw;
  for (const [at, [length, , places]] of head.entries())
    if (kept[at] !== undefined) rows.push([textOfKept(kept[at])]);
    else
      add(
        () => (places === undefined ? chain.walkOfLength(length, vocabulary) : chain.tokensAt(places)),
        false,
      );
  let next = 0;
  for (const isShared of sharedRows(draw)) {
    const places = isShared ? shared[next] : undefined;
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

/**
 * Returns the pieces of a text. `changes`: whether the letters of at least one word must be changeable, so that the text can be made
 * different from existing ones. If no word is changeable by itself, the longest word becomes a {@link ChangingWord}.
 */
function partsOf(chain: ChainText, tokens: readonly Token[], making: Making, changes: boolean): Part[] {
  const { vocabulary } = making;
  const isChanging = (token: Token): boolean => token.word === undefined && canBeNumbered(token);
  const longest =
    changes && !tokens.some(isChanging)
      ? tokens.filter(canBeNumbered).toSorted((one, other) => other.size - one.size)[0]
      : undefined;
  return tokens.flatMap((token, occurrence): Part[] => {
    const reference = referenceOf(token, making);
    if (reference !== undefined) return [reference, token.after];
    const word = token.word ?? chain.freshWord(token, vocabulary);
    return isChanging(token) || token === longest
      ? [new ChangingWord(token, word, occurrence), token.after]
      : [word + token.after];
  });
}

/** Returns an original value from the profile as JSON. A string is escaped, but has no quotes around it. */
const textOfKept = (kept: string | number): string =>
  isExactNumber(kept) || typeof kept === 'number' ? exactText(kept) : stringifyExact(kept).slice(1, -1);
