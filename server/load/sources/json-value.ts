/** Finds values in the bytes of a JSON document without parsing it. This allocates no memory. */
import { jsonOfText } from '../../../common/json/exact';

const LINE_FEED = 10;
const BLANK = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN = 123;
const CLOSE = 125;

/** Returns the name of a field as JSON bytes, as input of {@link findValue}. */
export const keyOf = (field: string): Buffer => Buffer.from(jsonOfText(field));

/**
 * Returns the offset of the value of the first field with this name, at any depth; -1 if no field has the name. The document is at
 * `[start, end)`.
 */
export function findValue(bytes: Buffer, key: Buffer, start: number, end: number): number {
  for (let at = start; ;) {
    at = bytes.indexOf(key, at);
    if (at < 0 || at + key.length >= end) return -1;
    at = skipBlanks(bytes, at + key.length);
    // Without a colon, these bytes are a text value and not the name of a field.
    if (bytes[at] === COLON) return skipBlanks(bytes, at + 1);
  }
}

/** Returns the offset of the first byte after the value that begins at `from`. The result is at most `end`. */
export function endOfValue(bytes: Buffer, from: number, end: number): number {
  const first = bytes[from];
  if (first === QUOTE) return endOfText(bytes, from, end);
  let at = from;
  if (first !== OPEN && first !== OPEN_LIST) {
    while (at < end && !endsScalar(bytes[at]!)) at += 1;
    return at;
  }
  for (let depth = 0; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfText(bytes, at, end) - 1;
    else if (byte === OPEN || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return end;
}

/**
 * Returns the offset of the first byte after a text, including its closing quote. The opening quote is at `from`. The result is at most
 * `end`.
 */
export function endOfText(bytes: Buffer, from: number, end: number): number {
  for (let at = from + 1; at < end; at += 1) {
    const byte = bytes[at]!;
    if (byte === QUOTE) return at + 1;
    // A quote after a backslash does not end the text. A backslash after a backslash is skipped too.
    if (byte === BACKSLASH) at += 1;
  }
  return end;
}

/** Returns the 32-bit FNV-1a hash (http://www.isthe.com/chongo/tech/comp/fnv) of the value's source text, without quotes. */
export function hashOfValue(bytes: Buffer, from: number, end: number): number {
  const quoted = bytes[from] === QUOTE;
  let hash = 0x811c9dc5;
  for (let at = quoted ? from + 1 : from; at < end; at += 1) {
    const byte = bytes[at]!;
    if (quoted ? byte === QUOTE : endsScalar(byte)) break;
    hash = Math.imul(hash ^ byte, 0x01000193);
    if (!quoted || byte !== BACKSLASH) continue;
    // An escaped character does not end the text.
    at += 1;
    hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  }
  return hash >>> 0;
}

export function skipBlanks(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === BLANK) at += 1;
  return at;
}

const endsScalar = (byte: number): boolean =>
  byte === COMMA || byte === CLOSE || byte === CLOSE_LIST || byte === BLANK || byte === LINE_FEED;
