/** Splits the target of an HTTP request (RFC 9112, 3.2) into path and query. */

/** Returns the path and the query of a URL, or of the target in a request line, exactly as written there. Null if there is no path. */
export function splitTarget(target: string): { path: string; query: string } | null {
  const found = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/is.exec(target);
  return found === null ? null : { path: found[1] ?? '/', query: found[2] ?? '' };
}
