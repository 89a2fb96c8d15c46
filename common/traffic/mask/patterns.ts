/** Masks the literal parts of wildcard patterns and regular expressions. Metacharacters stay. */

/**
 * Function that masks a literal part of a pattern. `isBeginning`: whether a metacharacter follows. The part may then be only the beginning
 * of a word. `isInside`: whether a metacharacter precedes the part. The part may then begin inside a word.
 */
export type OnLiteral = (text: string, isBeginning: boolean, isInside: boolean) => string;

const WILDCARD_PARTS = /(?:\\[^]|[^*?\\])+|[*?]/gu;

/** Masks the literal parts of a pattern with `*` and `?`. */
export const maskedWildcard = (pattern: string, onLiteral: OnLiteral): string => {
  const parts = pattern.match(WILDCARD_PARTS) ?? [];
  const isMeta = (part: string | undefined): boolean => part === '*' || part === '?';
  return parts
    .map((part, at) => (isMeta(part) ? part : onLiteral(part, isMeta(parts[at + 1]), isMeta(parts[at - 1]))))
    .join('');
};

/** Matches, in this order: escapes, character classes, numbers of repetitions, literal words, other characters. */
const REGEXP_PARTS = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\{[\d,]*\}|[\p{L}\p{N}\p{M}]+|[^]/gu;
const IS_WORD = /^[\p{L}\p{N}\p{M}]/u;
/**
 * Matches parts of a regular expression in which a value may be hidden: escaped letters, single letters in a character class, and long
 * numbers of repetitions.
 */
const MAY_SPELL =
  /^(?:\\(?![dDwWsS])[\p{L}\p{N}]|\[(?!\^?(?:a-z|A-Z|0-9|a-f|A-F|\\[dDwWsS]|\\?[^\p{L}\p{N}\\])+\]$)[^]+|\{.*\d{4}.*\})$/u;

/**
 * Masks the words in a regular expression of Lucene. Ranges such as `[a-z]` stay. Returns null if a value of a user may be hidden in a part
 * of the expression, such as an unusual character class or an interval of numbers.
 */
export const maskedRegexp = (pattern: string, onLiteral: OnLiteral): string | null => {
  const parts = pattern.match(REGEXP_PARTS) ?? [];
  if (/<\d*-\d*>/.test(pattern) || parts.some((part) => MAY_SPELL.test(part))) return null;
  const opens = /^(?:[.([\\?+*{|)<~&@]|\[)/;
  return parts
    .map((part, at) => {
      if (!IS_WORD.test(part)) return part;
      const [before, after] = [parts[at - 1], parts[at + 1]];
      return onLiteral(
        part,
        after !== undefined && opens.test(after),
        before !== undefined && /^[.)\]}*+?\\[]/.test(before),
      );
    })
    .join('');
};
