/** Path and query of a request, as they are stored. */
import { splitTarget } from '../../traffic-file/target';

/**
 * Returns path and query below the base path of the target; null if the path is not below it. `target`: as in the request line, one
 * character for each byte. Bytes above 0x7f are percent-encoded, because a file and a URL contain only characters.
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
 * Whether user and password of the absolute form of a target (RFC 9112, 3.2.2) may be in its path or query. If they contain an unencoded
 * slash or question mark, the host seems to end there.
 */
function mayHoldUserInfo(target: string): boolean {
  const local = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  return /^[^?#]*\/\//.test(target) && local.includes('@');
}

const encodeByte = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;
