/** Finds the literal parts of wildcard patterns and regular expressions. Their metacharacters stay. */

/**
 * Masks a literal part. `isBeginning`: a metacharacter follows, so it can be the beginning of a word. `isInside`: a metacharacter precedes
 * it, so it can begin inside a word.
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

/** In this order: escapes, character classes, numbers of repetitions, literal words, other characters. */
const REGEXP_PARTS = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\{[\d,]*\}|[\p{L}\p{N}\p{M}]+|[^]/gu;
const IS_WORD = /^[\p{L}\p{N}\p{M}]/u;
/** Parts that can contain a value in pieces: letters after a backslash, or one by one in a class, and long numbers of repetitions. */
const MAY_SPELL =
  /^(?:\\(?![dDwWsS])[\p{L}\p{N}]|\[(?!\^?(?:a-z|A-Z|0-9|a-f|A-F|\\[dDwWsS]|\\?[^\p{L}\p{N}\\])+\]$)[^]+|\{.*\d{4}.*\})$/u;

/**
 * Masks the words of a regular expression of Lucene. Ranges such as `[a-z]` stay. Returns null if a part can contain a value in pieces, such
 * as other character classes and intervals of numbers.
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
