/**
 * Finds values within JSON text and returns them exactly as written. `JSON.parse` and `JSON.stringify` would change long numbers, `1.0` and
 * `-0`, but Dyno must send bodies exactly as written.
 *
 * The code scans the text without building a tree, because it runs for every line of a log and for responses under load.
 */
import { parsePlain } from './exact';

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
const COMMA = ','.charCodeAt(0);
const COLON = ':'.charCodeAt(0);
const OPEN = '{'.charCodeAt(0);
const CLOSE = '}'.charCodeAt(0);
const OPEN_LIST = '['.charCodeAt(0);
const CLOSE_LIST = ']'.charCodeAt(0);

export interface Member {
  key: string;
  /** Position of the key's opening quote. */
  start: number;
  /** Position at which the value begins. The value is `text.slice(valueStart, end)`. */
  valueStart: number;
  end: number;
}

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** Returns the position after the closing quote of the string that begins at `from`; -1 if the string has no closing quote. */
function endOfString(text: string, from: number): number {
  let end = from;
  for (;;) {
    end = text.indexOf('"', end + 1);
    if (end < 0) return -1;
    let before = end - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
}

/** Returns the position after the value that begins at `from`; -1 if the value is not complete. */
export function endOfValue(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return endOfString(text, from);
  if (first !== OPEN && first !== OPEN_LIST) {
    for (let at = from; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === COMMA || code === CLOSE || code === CLOSE_LIST || isBlank(code))
        return at === from ? -1 : at;
    }
    return -1;
  }
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (end < 0) return -1;
      at = end - 1;
    } else if (code === OPEN || code === OPEN_LIST) depth += 1;
    else if (code === CLOSE || code === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** Returns the key between `start` and `end` (including quotes), with its escapes resolved. */
function keyAt(text: string, start: number, end: number): string {
  const written = text.slice(start + 1, end - 1);
  if (!written.includes('\\')) return written;
  try {
    return parsePlain(text.slice(start, end)) as string;
  } catch {
    return written;
  }
}

/**
 * Returns the members of the object that begins at `from`, in order and with duplicates. Members that do not end within the text are left
 * out.
 */
export function membersOf(text: string, from = 0): Member[] {
  const members: Member[] = [];
  let at = skipBlanks(text, from);
  if (text.charCodeAt(at) !== OPEN) return members;
  at = skipBlanks(text, at + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = endOfString(text, at);
    const colon = keyEnd < 0 ? -1 : skipBlanks(text, keyEnd);
    if (colon < 0 || text.charCodeAt(colon) !== COLON) return members;
    const valueStart = skipBlanks(text, colon + 1);
    const end = endOfValue(text, valueStart);
    if (end < 0) return members;
    members.push({ key: keyAt(text, at, keyEnd), start: at, valueStart, end });
    at = skipBlanks(text, end);
    if (text.charCodeAt(at) !== COMMA) return members;
    at = skipBlanks(text, at + 1);
  }
  return members;
}

/** Returns the positions of the elements of the list that begins at `from`. */
export function elementsOf(body: string, from: number): number[] {
  const found: number[] = [];
  let at = skipBlanks(body, from + 1);
  while (at < body.length && body.charAt(at) !== ']') {
    const end = endOfValue(body, at);
    if (end < 0) return found;
    found.push(at);
    at = skipBlanks(body, end);
    if (body.charAt(at) === ',') at = skipBlanks(body, at + 1);
  }
  return found;
}

/** A part of a text and the text that replaces it. */
export interface Change {
  /** Position of the first replaced character. */
  from: number;
  /** Position after the last replaced character. */
  until: number;
  text: string;
}

/** Returns the text with all changes. They must be in ascending order, and must not overlap. */
export function withChanges(text: string, changes: readonly Change[]): string {
  let changed = '';
  let at = 0;
  for (const change of changes) {
    changed += text.slice(at, change.from) + change.text;
    at = change.until;
  }
  return changed + text.slice(at);
}

/**
 * Returns the value of a key in the object `text`, as written; undefined if the object does not contain the key. If the key occurs several
 * times, the last value is returned, as in `JSON.parse`.
 */
export function valueText(text: string, key: string): string | undefined {
  const found = membersOf(text).findLast((member) => member.key === key);
  return found === undefined ? undefined : text.slice(found.valueStart, found.end);
}

/** Returns an object with the members of both objects. If both have a key, the member of `over` is used. */
export function mergedText(text: string, over: string): string {
  const last = (of: string): Map<string, string> =>
    new Map(membersOf(of).map(({ key, start, end }) => [key, of.slice(start, end)]));
  return `{${[...new Map([...last(text), ...last(over)]).values()].join(',')}}`;
}

/** Selects the value that counts if a key occurs several times in an object: the first or the last one. */
type Duplicate = 'first' | 'last';

/** Returns the position of the value of `key` in the object at `from`; -1 if the object does not contain the key. */
function inObject(text: string, from: number, key: string, duplicate: Duplicate): number {
  let found = -1;
  let at = skipBlanks(text, from + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const end = endOfString(text, at);
    const isIt = keyAt(text, at, end) === key;
    at = skipBlanks(text, skipBlanks(text, end) + 1);
    if (isIt) found = at;
    if (isIt && duplicate === 'first') return at;
    at = skipBlanks(text, endOfValue(text, at));
    if (text.charCodeAt(at) === COMMA) at = skipBlanks(text, at + 1);
  }
  return found;
}

/**
 * Returns the position of an element of the list at `from`; -1 if the element does not exist. `key`: an index, a negative index that counts
 * from the end, or `last`.
 */
function inList(text: string, from: number, key: string): number {
  const wanted = key === 'last' ? -1 : Math.trunc(Number(key)) || 0;
  const begins: number[] = [];
  let at = skipBlanks(text, from + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_LIST) {
    if (begins.length === wanted) return at;
    begins.push(at);
    at = skipBlanks(text, endOfValue(text, at));
    if (text.charCodeAt(at) === COMMA) at = skipBlanks(text, at + 1);
  }
  return begins.at(wanted) ?? -1;
}

/**
 * Returns the value at `path` as written; undefined if it does not exist. `path`: keys and indices. In a list, `last` is the last element,
 * and `length` does not exist. `duplicate`: which value counts if a key occurs several times. With `first`, the scan can end earlier, which
 * is faster.
 */
export function sourceAt(
  text: string,
  path: readonly string[],
  duplicate: Duplicate = 'last',
): string | undefined {
  let at = skipBlanks(text, 0);
  for (const key of path) {
    const isList = text.charAt(at) === '[';
    if ((!isList && text.charAt(at) !== '{') || (isList && key === 'length')) return undefined;
    at = isList ? inList(text, at, key) : inObject(text, at, key, duplicate);
    if (at < 0) return undefined;
  }
  const end = endOfValue(text, at);
  return text.slice(at, end < 0 ? undefined : end);
}

/** Returns JSON text without the spaces between its tokens. */
export function withoutSpaces(text: string): string {
  let out = '';
  let from = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (isBlank(code)) {
      out += text.slice(from, at);
      from = at = skipBlanks(text, at);
    } else at += 1;
  }
  return out + text.slice(from);
}
