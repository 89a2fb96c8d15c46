/** Determines the path and the query under which a request is recorded. */
import { splitTarget } from '../../traffic-file/target';

/**
 * Returns the query of a request, and its path below the base path of the target. Null if the path is not below the base path, or may
 * contain credentials. `target`: target in the request line, with one character for each byte. Bytes above 0x7f are percent-encoded,
 * because files and URLs contain only characters.
 */
export function placeOf(target: string, basePath: string): { path: string; query: string } | null {
  if (mayHoldUserInfo(target)) return null;
  const found = splitTarget(target.replaceAll(/[\x80-\xff]/g, (byte) => encodeByte(byte)));
  if (found === null || !found.path.startsWith(basePath)) return null;
  const path = found.path.slice(basePath.length);
  if (path !== '' && !path.startsWith('/')) return null;
  return { path: path === '' ? '/' : path, query: found.query };
}

/**
 * Returns whether the path or query of a target may contain a user and a password. Such a target must not be recorded. A target may be an
 * absolute URL (RFC 9112, 3.2.2) with user and password. If these contain an unencoded slash or question mark, the host seems to end there,
 * and the rest becomes part of the path or query.
 */
function mayHoldUserInfo(target: string): boolean {
  const local = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  return /^[^?#]*\/\//.test(target) && local.includes('@');
}

const encodeByte = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;
