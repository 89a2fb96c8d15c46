/** Targets of requests. */

/** Returns the path and the query of a URL or of the target of a request, exactly as written. Null if it is no path. */
export function splitTarget(target: string): { path: string; query: string } | null {
  const found = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/is.exec(target);
  return found === null ? null : { path: found[1] ?? '/', query: found[2] ?? '' };
}
