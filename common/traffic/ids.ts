/**
 * Ids that a cluster generates: of scrolls, of points in time and of documents. They are long texts in base64 for URLs, so that a text which
 * equals a known id is that id, wherever it occurs.
 */

/** Shortest id that is found in a text. Elasticsearch and OpenSearch generate ids of at least 20 characters. */
export const SHORTEST_ID = 16;

/** An id with its padding, which query strings and some JSON writers escape. */
const TOKEN = /[A-Za-z0-9_-]{16,}(?:=|%3[dD]|\\u003[dD]){0,2}/g;

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
    const found = find(unescaped(match[0]));
    if (found === undefined) continue;
    if (match.index > from) pieces.push(text.slice(from, match.index));
    pieces.push(found);
    from = match.index + match[0].length;
  }
  if (from < text.length || pieces.length === 0) pieces.push(text.slice(from));
  return pieces;
}
