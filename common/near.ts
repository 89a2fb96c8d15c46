/** Finds the existing name that a person probably meant by a misspelt word, for the hint "did you mean". */

/**
 * Returns the maximum number of edits between a word and another word that counts as similar: one for every four characters, and at least
 * one.
 */
const allowedEdits = (word: string): number => Math.max(1, Math.floor(word.length / 4));

/** Returns the number of single-character insertions, deletions, replacements and swaps that turn `one` into `other`. */
function edits(one: string, other: string): number {
  let older: number[] = [];
  let before: number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      row[j] = Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        row[j] = Math.min(row[j]!, older[j - 2]! + 1);
    }
    older = before;
    before = row;
  }
  return before[other.length]!;
}

/** Returns the word in lower case, with `-` instead of `_` and spaces. Words that differ only in this are equal. */
const normalized = (word: string): string => word.toLowerCase().replaceAll(/[_\s]/g, '-');

/** Maximum length of compared words, in characters. The time of a comparison grows with the square of the length. */
const LONGEST_WORD = 200;

/**
 * Returns the word in `known` that is most similar to `word`; undefined if no word is similar. The number of allowed edits depends on the
 * length of the word. `most`: an additional limit on this number.
 */
export function nearest(word: string, known: Iterable<string>, most = Infinity): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  const own = normalized(word);
  let found: string | undefined;
  let fewest = Math.min(allowedEdits(own), most) + 1;
  for (const candidate of known) {
    if (candidate === word || Math.abs(candidate.length - word.length) >= fewest) continue;
    const distance = edits(own, normalized(candidate));
    if (distance < fewest) [found, fewest] = [candidate, distance];
  }
  return found;
}
