/**
 * Finds ids that a cluster generated (of scrolls, points in time and documents) in the texts of requests and responses. Such ids are long
 * texts in URL-safe base64. Therefore a text that equals one of these ids is this id, wherever it occurs.
 */

/** Minimum length of an id that is found in a text. Elasticsearch and OpenSearch generate ids of at least 20 characters. */
export const SHORTEST_ID = 16;

/**
 * Matches texts that may be ids, with their padding. In query strings and in the JSON of some tools, the padding is escaped. Escapes before
 * an id, such as `%3A`, are matched separately, because their letters and digits would look like a part of the id.
 */
const TOKEN =
  /(?:%[0-9A-Fa-f]{2}|\\(?:u[0-9A-Fa-f]{4}|[bfnrt]))?([A-Za-z0-9_-]{16,}(?:=|%3[dD]|\\u003[dD]){0,2})/g;

/** Returns the id with its padding unescaped. */
const unescaped = (token: string): string =>
  token.includes('%') || token.includes('\\') ? token.replace(/%3d|\\u003d/gi, '=') : token;

/** Splits a text at the ids for which `find` returns a value. If the text contains no such ids, returns only the text. */
export function splitAtIds<Found extends object>(
  text: string,
  find: (id: string) => Found | undefined,
): (string | Found)[] {
  const pieces: (string | Found)[] = [];
  let from = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const token = match[1]!;
    const found = find(unescaped(token));
    if (found === undefined) continue;
    const end = match.index + match[0].length;
    const start = end - token.length;
    if (start > from) pieces.push(text.slice(from, start));
    pieces.push(found);
    from = end;
  }
  if (from < text.length || pieces.length === 0) pieces.push(text.slice(from));
  return pieces;
}
