/**
 * Where the parts of a JSON object are in its own text. Bodies are sent as they were written, so they are cut out of the text:
 * `JSON.parse` and `JSON.stringify` would change long numbers, `1.0` and `-0`.
 */

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
  /** Start of the key's opening quote. */
  start: number;
  /** The value is `text.slice(valueStart, end)`. */
  valueStart: number;
  end: number;
}

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** The position behind the closing quote of the string that opens at `from`; -1 where it does not end. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  return -1;
}

/** The position behind the value that begins at `from`; -1 where it does not end. */
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

/** The key that is written at `start` to `end`, quotes included; escapes resolved. */
function keyAt(text: string, start: number, end: number): string {
  const written = text.slice(start + 1, end - 1);
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    return written;
  }
}

/** Members of the object that begins at `from`, in their order, duplicates included; as many as end within the text. */
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

/** The source text of a member's value. As in `JSON.parse`, the last one of several with this key counts. */
export function valueText(text: string, key: string): string | undefined {
  const found = membersOf(text).findLast((member) => member.key === key);
  return found === undefined ? undefined : text.slice(found.valueStart, found.end);
}

/** The members of both objects; where both have a key, that of `over`. */
export function mergedText(text: string, over: string): string {
  const last = (of: string): Map<string, string> =>
    new Map(membersOf(of).map(({ key, start, end }) => [key, of.slice(start, end)]));
  return `{${[...new Map([...last(text), ...last(over)]).values()].join(',')}}`;
}
