/** Suggests the known word that a person probably meant: "did you mean". */

/** Returns the allowed number of edits: one for every four characters, at least one. */
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

/** Returns a word without differences that do not count: letter case, and the choice of `-`, `_` or a space. */
const normalized = (word: string): string => word.toLowerCase().replaceAll(/[_\s]/g, '-');

/** Longer words are not compared, because the time grows with the square of their length. */
const LONGEST_WORD = 200;

/**
 * Returns the word in `known` that is closest to `word`; undefined if none is close. `most`: largest number of edits, whatever their
 * length.
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
