/**
 * Ids that a cluster generates: of scrolls, of points in time and of documents. They are long texts in base64 for URLs, so that a text which
 * equals a known id is that id, wherever it occurs.
 */

/** Shortest id that is found in a text. Elasticsearch and OpenSearch generate ids of at least 20 characters. */
export const SHORTEST_ID = 16;

/**
 * An id with its padding, which query strings and some JSON writers escape. An escaped character before it, such as `%3A`, is not a part of
 * the id, although it ends with letters and digits.
 */
const TOKEN =
  /(?:%[0-9A-Fa-f]{2}|\\(?:u[0-9A-Fa-f]{4}|[bfnrt]))?([A-Za-z0-9_-]{16,}(?:=|%3[dD]|\\u003[dD]){0,2})/g;

/** Returns the id with its padding unescaped. */
const unescaped = (token: string): string =>
  token.includes('%') || token.includes('\\') ? token.replace(/%3d|\\u003d/gi, '=') : token;

/** Splits a text at the ids for which `find` returns a value. Returns the text alone if it contains none. */
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
