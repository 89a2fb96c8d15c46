/** Path and query of a request. */

/** Returns path and query below the base path of the target; null if the path is not below it. `target`: as in the request line. */
export function placeOf(target: string, basePath: string): { path: string; query: string } | null {
  // The absolute form of a target (RFC 9112, 3.2.2) may contain credentials.
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = local.indexOf('?');
  const whole = mark < 0 ? local : local.slice(0, mark);
  if (!whole.startsWith(basePath)) return null;
  const path = whole.slice(basePath.length);
  if (path !== '' && path !== '*' && !path.startsWith('/')) return null;
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : local.slice(mark + 1) };
}
