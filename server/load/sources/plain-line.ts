/**
 * Converts a plain line of text to the last value of a JSON document: escapes the text, closes the document and adds a line feed. The
 * caller writes the beginning of the document.
 */
import { isUtf8 } from 'node:buffer';

/** The bytes that follow the text of the line. */
const TAIL = Buffer.from('"}\n');
const QUOTE = 34;
const BACKSLASH = 92;
const HEX = Buffer.from('0123456789abcdef');
const CONTROL = Buffer.from('\\u00');

/** Returns the maximum number of bytes that {@link wrapLine} writes for a line of `length` bytes. A control character becomes six bytes. */
export const longestWrapped = (length: number): number => length * 6 + TAIL.length;

/**
 * Writes `line[start, end)` as JSON text at offset `at`. The opening quote must be just before `at`. Returns the offset after the written
 * bytes.
 */
export function wrapLine(line: Buffer, start: number, end: number, out: Buffer, at: number): number {
  let source = line;
  let from = start;
  let until = end;
  if (!isUtf8(line.subarray(start, end))) {
    // Elasticsearch rejects bytes that are not UTF-8. Each of them is replaced by a replacement character of three bytes.
    source = Buffer.from(line.toString('utf8', start, end));
    from = 0;
    until = source.length;
  }
  let place = at;
  for (let i = from; i < until; i += 1) {
    const byte = source[i]!;
    if (byte === QUOTE || byte === BACKSLASH) {
      out[place] = BACKSLASH;
      out[place + 1] = byte;
      place += 2;
    } else if (byte < 32) {
      out.set(CONTROL, place);
      out[place + 4] = HEX[byte >>> 4]!;
      out[place + 5] = HEX[byte & 15]!;
      place += 6;
    } else {
      out[place] = byte;
      place += 1;
    }
  }
  out.set(TAIL, place);
  return place + TAIL.length;
}
